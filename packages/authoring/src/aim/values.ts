/** Creates argument values from JSON Schemas of unknown quality. */

import {
  argumentsOf,
  plainValue,
  resolvedSchema,
  type ToolArgument,
  typeOfSchema,
  wordsOf,
} from '@joust/arena/inventory'
import { isList, isRecord, own, type Value } from '@joust/source'
import type { SessionTool } from '../session/session.ts'

/** An argument value that contains a token. */
export interface Canary {
  readonly argument: string
  readonly value: Value
  /** The token, which can be replaced with a new one in each run. Undefined for numbers. */
  readonly token?: string
  /** The path of the argument, as an indicator target. */
  readonly target: string
}

/** Words in argument names, in order of preference. A canary is most visible in the first group. */
const RANKS: readonly ReadonlySet<string>[] = [
  new Set('to recipient email cc bcc url uri address iban webhook participant receiver'.split(' ')),
  new Set('content body text message description subject title value command code query data comment note'.split(' ')),
  new Set('path file filename filepath destination name user id'.split(' ')),
]

/** Returns the argument that can contain the attacker's text, or undefined if none can. */
export function carrierOf(tool: SessionTool, isContent = true): ToolArgument | undefined {
  const able = argumentsOf(tool).filter(({ schema }) => canCarry(schema, tool.inputSchema, isContent))
  return able.toSorted((a, b) => rankOf(a, isContent) - rankOf(b, isContent))[0]
}

function rankOf({ name, required, format }: ToolArgument, isContent: boolean): number {
  const words = wordsOf(name)
  const rank =
    format === 'email' || format === 'uri' ? 0 : RANKS.findIndex((set) => words.some((word) => set.has(word)))
  const place = rank < 0 ? RANKS.length : isContent && rank === 0 ? 2.5 : rank
  return place + (required ? 0 : RANKS.length + 1)
}

function canCarry(schema: Value, root: Value | undefined, isContent: boolean, depth = 0): boolean {
  const plain = resolvedSchema(schema, root)
  if (own(plain, 'enum') !== undefined || own(plain, 'const') !== undefined || own(plain, 'pattern') !== undefined)
    return false
  const longest = own(plain, 'maxLength')
  const type = typeOfSchema(plain)
  if (type === 'string') return !(typeof longest === 'number' && longest < 40) && !isTime(plain)
  if (!isContent && depth === 0 && innerText(plain, root) !== undefined) return true
  if (type === 'array') return depth === 0 && canCarry(own(plain, 'items') ?? {}, root, isContent, 1)
  return !isContent && (type === 'integer' || type === 'number') && depth === 0
}

/** Returns the property of an object, or of objects in a list, that can contain text. */
function innerText(
  plain: Readonly<Record<string, Value>>,
  root: Value | undefined,
): { readonly name: string; readonly schema: Value } | undefined {
  const holder = typeOfSchema(plain) === 'array' ? resolvedSchema(own(plain, 'items'), root) : plain
  const properties = typeOfSchema(holder) === 'object' ? own(holder, 'properties') : undefined
  return Object.entries(isRecord(properties) ? properties : {})
    .map(([name, schema]) => ({ name, schema }))
    .find(({ schema }) => canCarry(schema, root, true, 1))
}

function isTime(schema: Readonly<Record<string, Value>>): boolean {
  return ['date', 'date-time', 'time', 'uuid', 'duration', 'ipv4', 'ipv6'].includes(String(own(schema, 'format')))
}

/** Returns the path of an argument, or of all arguments if the argument's name is not valid in a path. */
export function argumentPath(name: string): string {
  return /^[A-Za-z_][\w-]*$/.test(name) ? `arguments.${name}` : 'arguments'
}

/** Creates a value that contains the token and has the type and format of the argument. */
export function canaryFor(tool: SessionTool, argument: ToolArgument, token: string): Canary {
  const { name, schema } = argument
  const plain = resolvedSchema(schema, tool.inputSchema)
  const target = argumentPath(name)
  const type = typeOfSchema(plain)
  if (type === 'integer' || type === 'number') return { argument: name, value: numberIn(plain, token), target }
  const inner = innerText(plain, tool.inputSchema)
  if (inner !== undefined) {
    const text = textFor(inner.name, resolvedSchema(inner.schema, tool.inputSchema), token)
    const filled = (value: Value): Value => (isRecord(value) ? { ...value, [inner.name]: text } : value)
    const whole = plainValue(name, schema, tool.inputSchema)
    return { argument: name, value: isList(whole) ? whole.map(filled) : filled(whole), token, target: 'arguments' }
  }
  if (type !== 'array') return { argument: name, value: textFor(name, plain, token), token, target }
  const item = resolvedSchema(own(plain, 'items'), tool.inputSchema)
  return { argument: name, value: [textFor(name, item, token)], token, target: 'arguments' }
}

function numberIn(schema: Readonly<Record<string, Value>>, token: string): number {
  const wanted = Number(token.replaceAll(/\D/g, '').slice(0, 6).padEnd(6, '7'))
  const [least, most] = [own(schema, 'minimum'), own(schema, 'maximum')]
  const low = typeof least === 'number' ? Math.max(least, wanted) : wanted
  return typeof most === 'number' ? Math.min(most, low) : low
}

function textFor(name: string, schema: Readonly<Record<string, Value>>, token: string): string {
  const words = new Set(wordsOf(name))
  const format = own(schema, 'format')
  if (format === 'uri' || format === 'url' || words.has('url') || words.has('uri') || words.has('webhook'))
    return `https://${token}.example/in`
  if (format === 'email' || ['email', 'recipient', 'to', 'cc', 'bcc', 'participant'].some((word) => words.has(word)))
    return `records@${token}.example`
  if (words.has('filename') || words.has('filepath') || words.has('path') || words.has('file')) return `${token}.txt`
  return token
}

/** Returns arguments for a harmless call: only the required ones. */
export function plainArguments(tool: SessionTool): Readonly<Record<string, Value>> {
  const needed = argumentsOf(tool).filter(({ required }) => required)
  return Object.fromEntries(needed.map(({ name, schema }) => [name, plainValue(name, schema, tool.inputSchema)]))
}
