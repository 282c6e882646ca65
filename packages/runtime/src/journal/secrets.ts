/** Takes secrets out of what is written, and puts them back into what is read: a step has to be replayed exactly. */
import { sha256 } from '@joust/io'
import { isRecord, setOwn } from '@joust/source'

/** Shorter texts occur in too many others. */
const SHORTEST = 4

/** Converts between values and the lines of one journal. */
export interface LineCodec {
  write(value: unknown): string
  /** Throws when the text is not JSON. */
  read(text: string): unknown
}

/** The codec for a journal with this salt. A secret that is not supplied again stays a mark. */
export function lineCodec(secrets: readonly string[], salt: string): LineCodec {
  const marks = [...new Set(secrets.flatMap(forms))]
    .filter((secret) => secret.length >= SHORTEST)
    // A secret may be part of another.
    .toSorted((a, b) => b.length - a.length)
    .map((secret) => ({ secret, mark: `[secret ${sha256(salt + secret, 12)}]` }))
  const hide = (text: string) => marks.reduce((hidden, { secret, mark }) => hidden.replaceAll(secret, mark), text)
  const show = (text: string) => marks.reduce((shown, { secret, mark }) => shown.replaceAll(mark, () => secret), text)
  return {
    write: (value) => JSON.stringify(value, (_, here) => mapped(plain(here), hide)),
    read: (text) => JSON.parse(text, (_, here) => mapped(here, show)),
  }
}

/** As it is, and as it looks inside JSON that is itself a text: the arguments of a call. */
function forms(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1)]
}

/** Documents may hold integers that JSON has no number for. */
function plain(value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

/** Texts, and the names of fields. */
function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (!isRecord(value) || Object.keys(value).every((key) => change(key) === key)) return value
  const record = {}
  for (const [key, item] of Object.entries(value)) setOwn(record, change(key), item)
  return record
}
