/** Redaction of all output. */
import { createRedactor, type Redactor, type ResultTarget } from '@joust/results'
import { err, isRecord, isSecretName, ok, own, type Result, SHORTEST_SECRET } from '@joust/source'
import { findPreset } from '@joust/targets'
import { isUrl } from '../options/values.ts'
import type { ChosenTarget } from '../project/choose.ts'
import { secretsOfAddress, secretsOfHeaders, secretsOfMachine, secretsOfVariables } from '../project/known-secrets.ts'
import { expandHeaders, expandText } from '../target/expand-variables.ts'
import { secretsInCommand } from '../target/shown-command.ts'
import { throughSecrets } from '../target/through.ts'
import type { Io } from '../terminal/io.ts'

/** Creates a redactor for patterns, given secrets and, with `shapes`, text that looks like a secret. */
export function readRedactor(
  patterns: readonly string[] = [],
  shapes = true,
  secrets: readonly string[] = [],
): Result<Redactor, string> {
  const redactor = createRedactor({ patterns, secrets, shapes })
  return redactor.ok ? ok(redactor.value) : err(`--redact: ${redactor.error.map(({ message }) => message).join('; ')}`)
}

/** Returns secrets that a target could repeat: model keys, headers and the variables passed to the target. */
export async function secretsOf(target: ChosenTarget, io: Io): Promise<string[]> {
  const { options, project, http, serve, env = {} } = target
  const headers = expandHeaders(options.header, io)
  const tokens = [expandText('--token', options.token, io), expandText('--listen-token', options.listenToken, io)]
  const sent = own(http, 'headers')
  const name = (options.exec ?? options.acp)?.trim() ?? ''
  const preset = project?.presets.get(name) ?? findPreset(name)
  const places = Object.values(options.target ?? {})
  const processes = serve?.processes ?? []
  const addresses = [...places, own(http, 'url')]
  const commands = [options.exec ?? '', options.execNext ?? '', options.acp ?? '', ...places.filter((at) => !isUrl(at))]
  return [
    ...(await secretsOfMachine(project, io)),
    ...(await throughSecrets(options, io)),
    ...target.secrets.filter((secret) => secret.length >= SHORTEST_SECRET),
    // A missing variable is reported where headers are sent.
    ...secretsOfHeaders(headers.ok ? headers.value : options.header),
    ...secretsOfHeaders(isRecord(sent) ? sent : {}),
    ...tokens.flatMap((token) => (token.ok && token.value !== undefined ? [token.value] : [])),
    ...addresses.flatMap((address) => (typeof address === 'string' ? secretsOfAddress(address) : [])),
    ...commands.flatMap(secretsInCommand),
    ...secretsOfVariables([...options.passEnv, ...(preset?.keys ?? [])], io),
    ...processes.flatMap(({ command }) => secretsInCommand(command.join(' '))),
    ...[env, ...processes.map((one) => one.env ?? {})]
      .flatMap(Object.entries<string>)
      .flatMap(([name, value]) => (isSecretName(name) ? [value] : [])),
  ]
}

/** Redacts the description of a target in results, because a command or URL may contain secrets. */
export function redactTarget(about: ResultTarget, redactor: Redactor): ResultTarget {
  const details = Object.entries(about.details ?? {}).map(([key, value]) => [key, redactor.text(value)])
  const name = redactor.text(about.name)
  return { ...about, name, ...(about.details === undefined ? {} : { details: Object.fromEntries(details) }) }
}
