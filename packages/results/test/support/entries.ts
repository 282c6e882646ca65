/** Trace entries for tests. */
import { readJson, writeJson } from '@joust/source'
import fc from 'fast-check'
import type { TraceEntry } from '../../src/model/trace-entry.ts'

/** A request from an agent to an MCP server, with changes. */
export function entry(changes: Partial<TraceEntry> = {}): TraceEntry {
  return {
    seq: 1,
    at: '2026-01-01T00:00:00.000Z',
    elapsed_ms: 0,
    actor: 'default',
    mode: 'mcp_server',
    protocol: 'mcp',
    phase: 'phase-1',
    direction: 'request',
    flow: 'in',
    surface: 'tools/call',
    content: {},
    ...changes,
  }
}

/** Any text, including lone surrogates and all kinds of line breaks. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\ud800',
    'a\udc00b',
    '\n',
    '\r\n',
    '\u2028',
    '\ufeff',
    '__proto__',
    'constructor',
    '{"joust_trace":2}',
  ),
)

/** 64-bit integers that doubles cannot tell apart. */
const largeInteger = fc.oneof(
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n - 1n }),
  fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
)

/** Any JSON value as it is read. Negative zero is left out, because JSON writes it as 0. */
export const anyValue: fc.Arbitrary<TraceEntry['content']> = fc
  .oneof(
    fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 }),
    fc.array(largeInteger, { maxLength: 3 }).map((large) => ({ large, also: [large[0] ?? null] })),
    largeInteger,
  )
  .map(asRead)

/** Any entry. */
export const anyEntry: fc.Arbitrary<TraceEntry> = fc.record(
  {
    seq: fc.nat(),
    at: anyText,
    elapsed_ms: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value % 2 ** 53) + 0),
    actor: anyText,
    mode: anyText,
    protocol: anyText,
    phase: anyText,
    session: anyText,
    direction: fc.constantFrom('request', 'response'),
    flow: fc.constantFrom('in', 'out'),
    surface: anyText,
    content: fc.oneof(
      anyValue,
      fc.dictionary(anyText, anyValue).map(asRead),
      // An own key of that name, as a peer may send it.
      anyText.map((text) => JSON.parse(`{"__proto__":${JSON.stringify(text)},"toJSON":1}`)),
    ),
    request: anyValue,
    malformed: anyText,
    derived: fc.constant(true),
  },
  {
    requiredKeys: [
      'seq',
      'at',
      'elapsed_ms',
      'actor',
      'mode',
      'protocol',
      'phase',
      'direction',
      'flow',
      'surface',
      'content',
    ],
  },
)

function asRead(value: unknown): TraceEntry['content'] {
  const read = readJson(writeJson(value))
  if (!read.ok) throw new Error('what was written is not JSON')
  return read.value
}

/** Everything that an iterable yields. */
export async function collect<T>(items: AsyncIterable<T> | Iterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** A value nested so deeply that recursion would overflow the stack. */
export function nested(depth: number): TraceEntry['content'] {
  let value: TraceEntry['content'] = 'core'
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { in: value, out: [] }
  return value
}
