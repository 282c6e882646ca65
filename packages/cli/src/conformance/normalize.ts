/** Cases of `normalize/` and `roundtrip/`: documents compared as values. */
import { type Document, load, normalize, parse, serialize } from '@joust/oatf'
import { own, readSource, type Value } from '@joust/source'
import { type Failure, type FixtureCase, fields, unknownShape } from './case.ts'
import { difference } from './difference.ts'

/** The normalized input must be the expected document. */
export function checkNormalize({ input, expected }: FixtureCase): Failure | undefined {
  if (typeof input !== 'string' || typeof expected !== 'string') return unknownShape('input and expected', expected)
  const wanted = readSource(expected)
  if (!wanted.ok) return unknownShape('expected', expected)
  const loaded = load(input, { strict: true })
  if (!loaded.ok) return notLoaded(loaded.error)
  return difference(wanted.value.value, plain(loaded.value.document))
}

/** Writing a normalized document and reading it again must give the same document. */
export function checkRoundtrip({ input, expected }: FixtureCase): Failure | undefined {
  const record = fields(expected, ['identical'])
  if (typeof input !== 'string' || record === undefined || own(record, 'identical') !== true)
    return unknownShape('input and expected', expected)
  const first = parse(input)
  if (!first.ok) return notLoaded(first.error)
  const normalized = normalize(first.value)
  const second = parse(serialize(normalized))
  if (!second.ok) return notLoaded(second.error)
  return difference(plain(normalized), plain(normalize(second.value)))
}

function notLoaded(errors: readonly { readonly code: string; readonly message: string }[]): Failure {
  return { expected: 'a valid document', actual: errors.map(({ code, message }) => `${code}: ${message}`).join('; ') }
}

function plain(document: Document): Value {
  // A document is made of plain values.
  return document as unknown as Value
}
