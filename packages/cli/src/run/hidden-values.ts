/**
 * A command line with the values hidden that may be secrets: those of options that are called keys, tokens, secrets or
 * passwords, and those of variables that are set in it.
 */
export function withoutSecretValues(command: string): string {
  return command
    .replaceAll(/(--?[\w-]*(?:key|token|secret|password)[\w-]*)([= ]+)(?!-)\S+/gi, '$1$2[hidden]')
    .replaceAll(/(^|\s)([A-Z_][A-Z0-9_]*=)\S+/g, '$1$2[hidden]')
}
