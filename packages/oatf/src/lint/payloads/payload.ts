import { isList, isRecord, own, type Path, type Value, type ValueRecord } from '@joust/source'
import { type ActorSite, textOf } from '../../rules/walk.ts'

/** A message that the attacker sends, as far as the document says what is in it. Templates are left empty. */
export interface Payload {
  readonly actor: ActorSite
  readonly surface: string
  readonly direction: 'request' | 'response'
  readonly content: Value
  /** Where it stands in the document. */
  readonly path: Path
  /** Whether the agent gets it only by asking for just this. */
  readonly askedFor: boolean
  /** Whether it only accompanies what the agent answers, as `_request`. */
  readonly echoed: boolean
}

/** A payload of a state, before it is known whose. */
export type Draft = Pick<Payload, 'surface' | 'direction' | 'content' | 'path'> &
  Partial<Pick<Payload, 'askedFor' | 'echoed'>>

/** Reads the payloads off the state of a mode. */
export type Collector = (state: ValueRecord, path: Path) => readonly Draft[]

/** The mappings of the list at a key, with their paths. */
export function entriesAt(record: ValueRecord, key: string, path: Path): { entry: ValueRecord; path: Path }[] {
  const value = own(record, key)
  if (!isList(value)) return []
  return value.flatMap((entry, index) => (isRecord(entry) ? [{ entry, path: [...path, key, index] }] : []))
}

/** A copy of a mapping without some keys. */
export function without(record: ValueRecord, ...keys: readonly string[]): ValueRecord {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)))
}

/** What a client sends: each request, and with each answer the request again. */
export function actionDrafts(state: ValueRecord, path: Path): Draft[] {
  return entriesAt(state, 'actions', path).flatMap(({ entry, path: at }) => requestDrafts(entry, at))
}

/** A request that is written as method and params. */
export function requestDrafts(entry: ValueRecord, path: Path): Draft[] {
  const method = textOf(entry, 'method')
  if (method === undefined) return []
  const params = own(entry, 'params') ?? {}
  return [
    { surface: method, direction: 'request', content: params, path },
    { surface: method, direction: 'response', content: { _request: params }, path, echoed: true },
  ]
}
