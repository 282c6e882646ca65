/** The fields that a line of a trace must have, as a table. */
import { cut, type ValueRecord, writeJson } from '@joust/source'

/** What a field must be. */
interface Field {
  readonly name: string
  readonly optional?: true
  readonly wanted: string
  readonly accepts: (value: unknown) => boolean
}

const wholeNumber = (value: unknown) => typeof value === 'number' && Number.isInteger(value) && value >= 0
const number = (value: unknown) => typeof value === 'number'
const string = (value: unknown) => typeof value === 'string'
const oneOf = (first: string, second: string): Omit<Field, 'name'> => ({
  wanted: `"${first}" or "${second}"`,
  accepts: (value) => value === first || value === second,
})

/** A line that is a `TraceEntry`. */
// biome-ignore format: a row is a line
export const entryFields: readonly Field[] = [
  { name: 'seq', wanted: 'a whole number', accepts: wholeNumber },
  { name: 'at', wanted: 'a time as a string', accepts: string },
  { name: 'elapsed_ms', wanted: 'a number', accepts: number },
  { name: 'actor', wanted: 'a string', accepts: string },
  { name: 'mode', wanted: 'a string', accepts: string },
  { name: 'protocol', wanted: 'a string', accepts: string },
  { name: 'phase', wanted: 'a string', accepts: string },
  { name: 'session', optional: true, wanted: 'a string', accepts: string },
  { name: 'direction', ...oneOf('request', 'response') },
  { name: 'flow', ...oneOf('in', 'out') },
  { name: 'surface', wanted: 'a string', accepts: string },
  { name: 'content', wanted: 'a value', accepts: () => true },
  { name: 'request', optional: true, wanted: 'a value', accepts: () => true },
  { name: 'malformed', optional: true, wanted: 'a string', accepts: string },
  { name: 'redacted', optional: true, wanted: 'true', accepts: (value) => value === true },
  { name: 'derived', optional: true, wanted: 'true', accepts: (value) => value === true },
]

/** A line that ThoughtJack exported. */
// biome-ignore format: a row is a line
export const thoughtJackFields: readonly Field[] = [
  { name: 'seq', wanted: 'a whole number', accepts: wholeNumber },
  { name: 'timestamp', wanted: 'a time', accepts: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)) },
  { name: 'actor', wanted: 'a string', accepts: string },
  { name: 'phase', wanted: 'a string', accepts: string },
  { name: 'direction', ...oneOf('incoming', 'outgoing') },
  { name: 'method', wanted: 'a string', accepts: string },
  { name: 'content', wanted: 'a value', accepts: () => true },
]

/** The first field that is missing or wrong, in words; undefined when all is well. */
export function faultIn(line: ValueRecord, fields: readonly Field[]): string | undefined {
  for (const { name, optional, wanted, accepts } of fields) {
    // What the table names is on no prototype.
    const value = line[name]
    if (value === undefined) {
      if (optional === undefined) return `"${name}" is missing; it must be ${wanted}`
    } else if (!accepts(value)) return `"${name}" is ${shown(value)}; it must be ${wanted}`
  }
  return undefined
}

/** A value for a message; what is large is only named. */
function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'a mapping'
  return cut(writeJson(value), 60)
}
