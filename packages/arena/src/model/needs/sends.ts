/** What the phases of a client actor send, as written. */
import type { Actor } from '@joust/oatf'
import { isList, isRecord, own, type Value, type ValueRecord } from '@joust/source'

/** A request as a document has it. */
interface WrittenSend {
  readonly method: string
  readonly params: Value
}

/** The requests of an actor: the actions of its phases and what it sends on entering them, in order. */
export function writtenSends({ phases }: Actor): readonly WrittenSend[] {
  return phases.flatMap(({ state, on_enter = [] }) => {
    const entries = on_enter.flatMap(({ send }) => (isRecord(asValue(send)) ? [asValue(send)] : []))
    const actions = isRecord(state) ? own(state, 'actions') : undefined
    return [...entries, ...(isList(actions) ? actions : [])].flatMap((sent) => {
      const method = isRecord(sent) ? own(sent, 'method') : undefined
      return isRecord(sent) && typeof method === 'string' ? [{ method, params: own(sent, 'params') ?? {} }] : []
    })
  })
}

/** Whether a value has nothing in it: then it need not be carried. */
export function isNothing(value: Value | undefined): boolean {
  if (value === undefined || value === null || value === '') return true
  return isList(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0
}

/** Whether a text takes its words from what was said before. */
export function isTemplate(value: Value | undefined): boolean {
  return typeof value === 'string' && value.includes('{{')
}

/** The text of parts; undefined when one of them is something else. */
export function textOfParts(parts: readonly Value[]): string | undefined {
  const texts = parts.map((part) => {
    const kind = isRecord(part) ? (own(part, 'kind') ?? own(part, 'type') ?? 'text') : undefined
    const text = isRecord(part) ? own(part, 'text') : undefined
    return kind === 'text' && typeof text === 'string' ? text : undefined
  })
  return texts.includes(undefined) ? undefined : texts.join('\n')
}

/** The keys of a record that hold something and are not among those that are known. */
export function otherKeys(record: ValueRecord, known: ReadonlySet<string>): readonly string[] {
  return Object.keys(record).filter((key) => !known.has(key) && !isNothing(own(record, key)))
}

// What a document holds is plain data; its types only name some of the keys.
function asValue(value: unknown): Value {
  return (value ?? null) as Value
}
