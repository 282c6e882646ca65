/** Finds secrets in an agent's configuration, so that placeholders can replace them. */
import { isSecretName, SHORTEST_SECRET } from '@joust/source'
import type { ServerEntry } from './server-entry.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Returns the values of secret variables, headers, options and query parameters, by placeholder name. */
export function configSecrets(servers: readonly ServerEntry[], environment: Environment): Record<string, string> {
  const secrets: Record<string, string> = {}
  const add = (name: string, value: string | undefined) => {
    if (value === undefined || !isDistinctive(value) || Object.values(secrets).includes(value)) return
    const plain =
      name
        .toUpperCase()
        .replaceAll(/[^A-Z0-9]+/g, '_')
        .replaceAll(/^_|_$/g, '') || 'SECRET'
    let free = plain
    for (let number = 2; Object.hasOwn(secrets, free); number++) free = `${plain}_${number}`
    secrets[free] = value
  }
  for (const { name, env, headers, command = [], url } of servers) {
    for (const [key, value] of Object.entries(env)) if (isSecretName(key)) addText(key, value, environment, add)
    for (const [key, value] of Object.entries(headers))
      if (isSecretName(key)) addText(`${name}_${key}`, withoutScheme(value), environment, add)
    for (const [option, value] of optionsIn(command)) if (isSecretName(option)) addText(option, value, environment, add)
    for (const text of [...Object.values(env), ...Object.values(headers), ...command, url ?? '']) {
      for (const [key, value] of urlSecrets(text)) addText(`${name}_${key}`, value, environment, add)
      for (const variable of variablesIn(text)) if (isSecretName(variable)) add(variable, environment[variable])
    }
  }
  return secrets
}

/** False for an ordinary word such as `none` or `basic`, and for a short number. */
function isDistinctive(value: string): boolean {
  return (
    value.length >= SHORTEST_SECRET || (value.length >= SHORTEST && /[^A-Za-z_-]/.test(value) && /[^\d.]/.test(value))
  )
}

const SHORTEST = 5

/** Adds a literal value, or the values of the variables in it. */
function addText(
  name: string,
  value: string,
  environment: Environment,
  add: (name: string, value: string | undefined) => void,
): void {
  const variables = variablesIn(value)
  if (variables.length === 0) add(name, value)
  for (const variable of variables) add(variable, environment[variable])
}

/** Matches `${NAME}`, `${NAME:-default}`, `${env:NAME}` and `{env:NAME}`. */
const VARIABLE = /\$?\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-[^}]*)?\}/g

function variablesIn(text: string): string[] {
  return [...text.matchAll(VARIABLE)].map(([, name = '']) => name)
}

/** Returns a URL with its variables replaced. Undefined if only the agent can replace them. */
export function resolvedUrl(text: string, environment: Environment): URL | undefined {
  const filled = text.replaceAll(VARIABLE, (whole, name: string) => {
    const fallback = /:-([^}]*)\}$/.exec(whole)?.[1]
    return environment[name] ?? fallback ?? whole
  })
  if (/\$?\{/.test(filled) || !URL.canParse(filled)) return undefined
  const url = new URL(filled)
  return /^https?:$/.test(url.protocol) ? url : undefined
}

/** Returns named values in a command: `--api-key VALUE`, `--api-key=VALUE`, `NAME=VALUE` and `NAME: VALUE`. */
function optionsIn(words: readonly string[]): [string, string][] {
  return words.flatMap((word, index): [string, string][] => {
    const [, header, content] = /^([A-Za-z][\w-]*): *(?!\/\/)(\S.*)$/s.exec(word) ?? []
    if (header !== undefined && content !== undefined) return [[header, withoutScheme(content)]]
    const [, name, value] = /^-{0,2}([A-Za-z][\w.-]*)=(.+)$/s.exec(word) ?? []
    if (name !== undefined && value !== undefined) return [[name, value]]
    const next = words[index + 1]
    return /^--?[A-Za-z]/.test(word) && next !== undefined ? [[word.replace(/^-+/, ''), next]] : []
  })
}

function withoutScheme(header: string): string {
  return header.replace(/^(?:bearer|basic|token) +/i, '')
}

function urlSecrets(text: string): [string, string][] {
  if (!URL.canParse(text)) return []
  const { password, searchParams } = new URL(text)
  const pairs = [...searchParams].filter(([key]) => isSecretName(key))
  return password === '' ? pairs : [['PASSWORD', decoded(password)], ...pairs]
}

/** Decodes percent-encoding. Invalid text is returned unchanged, because a password may contain a percent sign. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
