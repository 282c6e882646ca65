/** Secrets of this machine that a peer could repeat: keys, headers and values from the environment. */
import { isList, isRecord, isSecretName, SHORTEST_SECRET, type Value } from '@joust/source'
import type { Io } from '../terminal/io.ts'
import type { Project } from './read.ts'

/** Returns model keys, and values that the project file takes from the environment or puts into headers. */
export async function secretsOfMachine(project: Project | undefined, io: Io): Promise<string[]> {
  const { addressVariables, keyVariables } = await import('@joust/runtime')
  const keys = keyVariables.flatMap((name) => setValue(name, io))
  const addresses = addressVariables.flatMap((name) => setValue(name, io)).flatMap(secretsOfAddress)
  return [...keys, ...addresses, ...secretsInProject(project?.source.value, io)]
}

/** Returns the values of these variables that are long enough to be secrets. */
export function secretsOfVariables(names: readonly string[], io: Io): string[] {
  return names.flatMap((name) => setValue(name, io)).filter((value) => value.length >= SHORTEST_SECRET)
}

const plainHeaders =
  /^(?:accept|content|user-agent|origin|referer|host|cache-control|connection|a2a-(?:version|extensions)|mcp-)/

/** True for the name of a header without credentials; false for names such as `mcp-api-key`. */
export function isPlainHeader(name: string): boolean {
  return plainHeaders.test(name.toLowerCase()) && !isSecretName(name)
}

/** Returns header values, with and without their scheme: `Bearer key` and `key`. */
export function secretsOfHeaders(headers: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value !== 'string' || isPlainHeader(name) ? [] : [value, ...longWords(value)],
  )
}

function longWords(text: string): string[] {
  return text.split(/[\s;,="']+/).filter((word) => word.length >= SHORTEST_SECRET)
}

/** Returns the password, user name and query values in a URL. */
export function secretsOfAddress(address: string): string[] {
  if (!URL.canParse(address)) return []
  const { username, password, searchParams } = new URL(address)
  const parts = [decoded(password), password, ...[decoded(username), ...searchParams.values()].filter(isLong)]
  return parts.filter((text) => text !== '')
}

function isLong(text: string): boolean {
  return text.length >= SHORTEST_SECRET
}

/** Decodes percent-encoding if possible. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function secretsInProject(value: Value | undefined, io: Io): string[] {
  const secrets: string[] = []
  const pending: { readonly value: Value; readonly key: string }[] = value === undefined ? [] : [{ value, key: '' }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value: here, key } = next
    if (typeof here === 'string') {
      const names = [...here.matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g)].map(([, name = '']) => name)
      secrets.push(...secretsOfVariables(names, io), ...secretsOfAddress(here))
      if (isSecretName(key) && names.length === 0 && isLong(here)) secrets.push(here)
    } else if (isList(here)) pending.push(...here.map((item) => ({ value: item, key })))
    else if (isRecord(here)) {
      if (key === 'headers') secrets.push(...secretsOfHeaders(here))
      pending.push(...Object.entries(here).map(([name, item]) => ({ value: item, key: name })))
    }
  }
  return secrets
}

function setValue(name: string, { env }: Io): string[] {
  const value = Object.hasOwn(env, name) ? env[name]?.trim() : undefined
  return value === undefined || value === '' ? [] : [value]
}
