/** A command line with the values of options hidden that are called keys, tokens, secrets or passwords. */
export function withoutSecretValues(command: string): string {
  return command.replaceAll(/(--?[\w-]*(?:key|token|secret|password)[\w-]*)([= ]+)(?!-)\S+/gi, '$1$2[hidden]')
}
