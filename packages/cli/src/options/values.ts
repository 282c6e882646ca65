/** The kinds of option values. */
import { compileRegex, err, ok, type Result, type Shape, shapes } from '@joust/source'
import type { ValueKind } from './option.ts'
import { endpointKeys } from './targets.ts'
import { unknownWord } from './unknown-word.ts'

type Read<Value> = (text: string, option: string) => Result<Value, string> | Promise<Result<Value, string>>

function one<Value>(placeholder: string, read: Read<Value>, shape: Shape = shapes.text): ValueKind<Value> {
  return {
    placeholder,
    shape,
    read: ([text = ''], option) => (text === '' ? err(`${option} is empty`) : read(text, option)),
  }
}

function many<Value>(
  placeholder: string,
  shape: Shape,
  read: (given: readonly string[], option: string) => Result<Value, string>,
): ValueKind<Value> {
  return {
    placeholder,
    shape,
    repeatable: true,
    read: (given, option) => (given.includes('') ? err(`${option} is empty`) : read(given, option)),
  }
}

export const toggle: ValueKind<boolean> = { shape: shapes.boolean, read: () => ok(true) }

export function text(placeholder: string): ValueKind<string> {
  return one(placeholder, ok)
}

/** Creates the kind for a file or folder; `but` lists keywords that are not paths. */
export function path(placeholder: string, ...but: readonly string[]): ValueKind<string> {
  return { ...text(placeholder), isPath: (given) => !but.includes(given) }
}

/** A command line, or in a project file also a list of words. */
export const commandLine: ValueKind<string> = {
  ...text('command'),
  shape: shapes.some(shapes.text),
  join: (words) => words.map(quoted).join(' '),
}

function quoted(word: string): string {
  return /^[\w./:=@+,{}-]+$/.test(word) ? word : `"${word.replaceAll(/["\\]/g, '\\$&')}"`
}

export function texts(placeholder: string): ValueKind<readonly string[]> {
  return many(placeholder, shapes.some(shapes.text), ok)
}

export function count(least = 1): ValueKind<number> {
  const read: Read<number> = (given, option) => {
    const number = /^\d{1,12}$/.test(given) ? Number(given) : Number.NaN
    return number >= least ? ok(number) : err(`${option} expects a whole number of at least ${least}, not "${given}"`)
  }
  return one('n', read, shapes.count(least))
}

/** Creates the kind for a positive whole number, or a word. */
export function countOr<const Word extends string>(word: Word): ValueKind<number | Word> {
  const read: Read<number | Word> = async (given, option) => {
    if (given === word) return ok(word)
    const number = await count().read([given], option)
    return number.ok ? number : err(`${number.error.replace(', not', ` or ${word}, not`)}`)
  }
  return one(`n|${word}`, read, shapes.countOr(1, [word]))
}

/** A question about the attack success rate, `asr<15%`; the value is the limit, between 0 and 1. */
export const rateQuestion: ValueKind<number> = one('asr<n%', (given, option) => {
  const [, digits, percent] = /^asr\s*<\s*(\d{1,3}(?:\.\d{1,6})?|\.\d{1,6})\s*(%?)$/i.exec(given.trim()) ?? []
  const limit = digits === undefined ? Number.NaN : Number(digits) / (percent === '%' ? 100 : 1)
  if (limit > 0 && limit < 1) return ok(limit)
  return err(`${option} expects a success rate between 0 and 100 %, such as asr<15%, not "${given}"`)
})

/** A port on this machine; 0 means any free port. */
export const port: ValueKind<number> = one('number', (given, option) =>
  isPort(given) ? ok(Number(given)) : err(`${option} expects a number from 0 to 65535, not "${given}"`),
)

/** A duration of at least a second. */
export const seconds: ValueKind<number> = one('time', async (given, option) => {
  const read = await duration.read([given], option)
  return read.ok && read.value < 1000 ? err(`${option} expects at least 1s, not "${given}"`) : read
})

/** A duration in milliseconds, such as `500ms`, `30s`, `5m`, `PT1H` or `0`. */
export const duration: ValueKind<number> = one('time', async (given, option) => {
  if (given === '0') return ok(0)
  if (/^\d{1,9}ms$/.test(given)) return ok(Number.parseInt(given, 10))
  // Loaded on demand: few commands have a duration.
  const { parseDuration } = await import('@joust/oatf')
  const read = parseDuration(given)
  return read.ok ? read : err(`${option} expects a duration such as 500ms, 30s, 5m or PT1H, not "${given}"`)
})

export function choice<const Name extends string>(placeholder: string, choices: readonly Name[]): ValueKind<Name> {
  return { ...one(placeholder, (given, option) => oneOf(choices, given, option), shapes.enumeration(choices)), choices }
}

/** Creates the kind for several of the given names, each as a separate argument. */
export function choices<const Name extends string>(
  placeholder: string,
  names: readonly Name[],
): ValueKind<readonly Name[]> {
  const shape = shapes.some(shapes.enumeration(names))
  return { ...many(placeholder, shape, (given, option) => allOf(names, given, option)), choices: names }
}

/** Creates the kind for several of the given names, separated by commas. */
export function commaSeparated<const Name extends string>(
  placeholder: string,
  names: readonly Name[],
): ValueKind<readonly Name[]> {
  const split = (given: string) => given.split(',').map((name) => name.trim())
  return {
    placeholder,
    choices: names,
    shape: shapes.some(shapes.enumeration(names)),
    read: (given, option) =>
      given.includes('') ? err(`${option} is empty`) : allOf(names, given.flatMap(split), option),
  }
}

/** Creates the kind for names or, in a project file, an object that maps names to `true`. */
export function declared<const Name extends string>(
  placeholder: string,
  names: readonly Name[],
): ValueKind<readonly Name[]> {
  const { shape, read, ...kind } = commaSeparated(placeholder, names)
  const switches = Object.fromEntries(names.map((name) => [name, shapes.optional(shapes.boolean)]))
  return {
    ...kind,
    shape: shapes.choice(shapes.object(switches), shape),
    read: (given, option) => {
      const set = given.filter((word) => !word.endsWith('=false')).map((word) => word.replace(/=true$/, ''))
      return set.length === 0 ? ok([]) : read(set, option)
    },
  }
}

function allOf<Name extends string>(
  names: readonly Name[],
  given: readonly string[],
  option: string,
): Result<readonly Name[], string> {
  const result = new Set<Name>()
  for (const name of given) {
    const read = oneOf(names, name, option)
    if (!read.ok) return read
    result.add(read.value)
  }
  return ok([...result])
}

function oneOf<Name extends string>(names: readonly Name[], given: string, option: string): Result<Name, string> {
  const match = names.find((name) => name === given)
  if (match !== undefined) return ok(match)
  return err(unknownWord(`${option} expects one of ${names.join(', ')}, not "${given}"`, given, names))
}

/** Creates the kind for pairs such as `a=b`. */
export function pairs(left: string, right: string): ValueKind<Readonly<Record<string, string>>> {
  const form = `${left}=${right}`
  return many(form, shapes.map(shapes.text), (given, option) => readPairs(given, option, form))
}

function readPairs(given: readonly string[], option: string, wanted: string): Result<Record<string, string>, string> {
  const read = new Map<string, string>()
  for (const pair of given) {
    const at = pair.indexOf('=')
    if (at < 1 || at === pair.length - 1) return err(`${option} expects ${wanted.toUpperCase()}, not "${pair}"`)
    const name = pair.slice(0, at)
    if (read.has(name)) return err(`${option} has ${name} twice`)
    read.set(name, pair.slice(at + 1))
  }
  return ok(Object.fromEntries(read))
}

/** URLs by protocol; an MCP server may also be a command. */
export const endpoints: ValueKind<Readonly<Partial<Record<(typeof endpointKeys)[number], string>>>> = many(
  'protocol=url',
  shapes.map(shapes.text),
  (given, option) => {
    const read = readPairs(given, option, 'protocol=url')
    if (!read.ok) return read
    for (const [protocol, place] of Object.entries(read.value)) {
      const checked = oneOf(endpointKeys, protocol, option)
      if (!checked.ok) return checked
      if (isUrl(place) && !URL.canParse(place)) return err(`${option} ${protocol}: "${place}" is not a URL`)
      if (!isUrl(place) && protocol !== 'mcp') return err(`${option} ${protocol} expects a URL, not "${place}"`)
    }
    return read
  },
)

/** True if an endpoint is a URL rather than a command. */
export function isUrl(place: string): boolean {
  return /^https?:\/\//.test(place)
}

export type ListenPlace = 'stdio' | { readonly host?: string; readonly port: number }

/** A fixed address on this machine: `host:port`, or a port on loopback. */
export const address: ValueKind<{ readonly host?: string; readonly port: number }> = one(
  'host:port',
  (given, option) => {
    const place = placeIn(given)
    return place === undefined || place.port === 0
      ? err(`${option} expects HOST:PORT, for example 127.0.0.1:7000, not "${given}"`)
      : ok(place)
  },
)

/** A header name, in lower case. */
export const headerName: ValueKind<string> = one('name', (given, option) =>
  /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(given)
    ? ok(given.toLowerCase())
    : err(`${option} expects a header name, not "${given}"`),
)

function placeIn(given: string): { readonly host?: string; readonly port: number } | undefined {
  const [, host, number] = /^(?:(.+):)?(\d+)$/.exec(given) ?? []
  if (number === undefined || !isPort(number)) return undefined
  return { port: Number(number), ...(host && { host: host.replace(/^\[|\]$/g, '') }) }
}

/** Addresses of server actors: `actor=host:port`, or `actor=stdio`. */
export const listen: ValueKind<Readonly<Record<string, ListenPlace>>> = many(
  'actor=host:port',
  shapes.map(shapes.text),
  (given, option) => {
    const read = readPairs(given, option, 'actor=host:port')
    if (!read.ok) return read
    const places = new Map<string, ListenPlace>()
    for (const [actor, place] of Object.entries(read.value)) {
      const parsed = place === 'stdio' ? place : placeIn(place)
      if (parsed === undefined) return err(`${option} expects ACTOR=HOST:PORT or ACTOR=stdio, not "${place}"`)
      places.set(actor, parsed)
    }
    return ok(Object.fromEntries(places))
  },
)

function isPort(given: string): boolean {
  return /^\d{1,5}$/.test(given) && Number(given) <= 65_535
}

/** Headers by name in lower case: `name=value` or `name: value`. */
export const headers: ValueKind<Readonly<Record<string, string>>> = many(
  'name=value',
  shapes.map(shapes.text),
  (given, option) => {
    const read = new Map<string, string>()
    for (const header of given) {
      const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*[=:]\s*(.*)$/s.exec(header) ?? []
      if (name === undefined || value === undefined)
        // The text may be a key, so the message does not repeat it.
        return err(`${option} expects NAME=VALUE or "NAME: VALUE"`)
      read.set(name.toLowerCase(), value)
    }
    return ok(Object.fromEntries(read))
  },
)

/** RE2 expressions. */
export const patterns: ValueKind<readonly string[]> = many('regex', shapes.some(shapes.text), (given, option) => {
  for (const pattern of given) {
    const compiled = compileRegex(pattern)
    if (!compiled.ok) return err(`${option} "${pattern}": ${compiled.error.message}`)
  }
  return ok(given)
})
