/** Stores responses that later requests of the run refer to by id, as OpenAI's Responses API does. */
import { defined, isRecord, own, ownText, type Value, writeJson } from '@joust/source'
import { modelLimits } from '../model/limits.ts'
import { records } from './fields.ts'

/** The parts of a response that references can point to. */
export interface ResponseParts {
  readonly id: string
  readonly output: readonly Value[]
}

/** A reference to a response or item that is not stored. */
export interface UnknownReference {
  readonly kind: 'response' | 'item' | 'conversation'
  readonly id: string
}

interface ResolvedRequest {
  readonly body: Value
  readonly unknown?: UnknownReference
}

export interface StoredResponses {
  /**
   * Replaces references with the items they refer to. As in OpenAI's API, instructions of earlier requests are not
   * included.
   */
  resolve(body: Value): ResolvedRequest
  /** Stores a response. `body` is the request as sent by the agent; no effect with `store: false`. */
  add(body: Value, response: ResponseParts): void
  /** Returns the response with the given id, as passed to `add`. */
  find(id: string): ResponseParts | undefined
}

interface StoreLimits {
  readonly responses: number
  /** Maximum length of all stored items as JSON, in characters. */
  readonly characters: number
  /** Maximum length of all items that `resolve` inserts, in characters; later references are unknown. */
  readonly inserted: number
}

interface Item {
  readonly id: string | undefined
  readonly value: Value
  readonly size: number
}

interface Entry {
  readonly id: string
  readonly size: number
  /** An unresolved reference in the request. */
  readonly unknown: UnknownReference | undefined
  /** The stored response; undefined once dropped, even if later entries continue it. */
  content: { readonly response: ResponseParts; readonly items: readonly Item[] } | undefined
  previous: Entry | undefined
}

/** Creates an empty store, which drops its oldest responses when a limit is exceeded. */
export function createStoredResponses(limits: Partial<StoreLimits> = {}): StoredResponses {
  const { storedResponses, storedCharacters } = modelLimits
  const { responses = storedResponses, characters = storedCharacters, inserted = Number.POSITIVE_INFINITY } = limits
  const storedEntries = new Set<Entry>()
  const entries = new Map<string, Entry>()
  const outputs = new Map<string, Item>()
  let room = characters
  let insertable = inserted
  const drop = (entry: Entry) => {
    storedEntries.delete(entry)
    if (entries.get(entry.id) === entry) entries.delete(entry.id)
    for (const item of entry.content?.items ?? [])
      if (item.id !== undefined && outputs.get(item.id) === item) outputs.delete(item.id)
    room += entry.size
    entry.content = undefined
    entry.previous = undefined
  }
  const read = (body: Value) => {
    const input = referredItems(body, outputs)
    const earlier = earlierItems(body, entries)
    const missing = input.flatMap(({ value, stored }) => (stored === undefined ? (referenceIn(value) ?? []) : []))
    return { input, earlier: earlier.items, unknown: earlier.unknown ?? missing[0] }
  }
  return {
    resolve(body) {
      const { input, earlier, unknown } = read(body)
      const used = [...earlier, ...input.flatMap(({ stored }) => stored ?? [])]
      if (used.length === 0) return { body, ...defined({ unknown }) }
      insertable -= used.reduce((sum, { size }) => sum + size, 0)
      if (insertable < 0) return { body, unknown: unknown ?? firstReference(body) }
      const all = [...earlier.map(({ value }) => value), ...input.map(({ value, stored }) => stored?.value ?? value)]
      return { body: { ...(isRecord(body) && body), input: all }, ...defined({ unknown }) }
    },
    add(body, response) {
      if (own(body, 'store') === false) return
      const { input, unknown } = read(body)
      const continued = ownText(body, 'previous_response_id')
      const previous = continued === undefined ? undefined : entries.get(continued)
      const output = response.output.map(itemOf)
      const items = [...input.map(({ value, stored }) => stored ?? itemOf(value)), ...output]
      const size = items.reduce((sum, item) => sum + item.size, 0)
      const entry = { id: response.id, size, unknown, content: { response, items }, previous }
      storedEntries.add(entry)
      // A second response with the same id replaces the first.
      entries.set(response.id, entry)
      for (const item of output) if (item.id !== undefined) outputs.set(item.id, item)
      room -= size
      for (const oldest of storedEntries) {
        if (room >= 0 && storedEntries.size <= responses) break
        drop(oldest)
      }
    },
    find: (id) => entries.get(id)?.content?.response,
  }
}

function earlierItems(
  body: Value,
  entries: ReadonlyMap<string, Entry>,
): { readonly items: readonly Item[]; readonly unknown: UnknownReference | undefined } {
  const conversation = own(body, 'conversation')
  const name = typeof conversation === 'string' ? conversation : ownText(conversation, 'id')
  if (name !== undefined) return { items: [], unknown: { kind: 'conversation', id: name } }
  const id = ownText(body, 'previous_response_id')
  if (id === undefined) return { items: [], unknown: undefined }
  const last = entries.get(id)
  let unknown: UnknownReference | undefined = last === undefined ? { kind: 'response', id } : undefined
  const turns: (readonly Item[])[] = []
  for (let entry = last; entry !== undefined; entry = entry.previous) {
    unknown = entry.content === undefined ? { kind: 'response', id } : (entry.unknown ?? unknown)
    turns.push(entry.content?.items ?? [])
  }
  return { items: turns.reverse().flat(), unknown }
}

function inputOf(body: Value): readonly Value[] {
  const input = own(body, 'input')
  return typeof input === 'string' ? [{ role: 'user', content: input }] : records(body, 'input')
}

/** Pairs each item of a request with the stored item that it refers to. */
function referredItems(body: Value, outputs: ReadonlyMap<string, Item>) {
  return inputOf(body).map((value) => {
    const reference = referenceIn(value)
    return { value, stored: reference && outputs.get(reference.id) }
  })
}

function itemOf(value: Value): Item {
  return { id: ownText(value, 'id'), value, size: writeJson(value).length }
}

/** Returns the first reference in a request that has one. */
function firstReference(body: Value): UnknownReference {
  const [first] = inputOf(body).flatMap((item) => referenceIn(item) ?? [])
  return first ?? { kind: 'response', id: ownText(body, 'previous_response_id') ?? '' }
}

/** Returns an item as a reference, if it is one. An item's type may be missing. */
function referenceIn(item: Value): UnknownReference | undefined {
  const id = ownText(item, 'id')
  const type = own(item, 'type') ?? (own(item, 'role') === undefined ? 'item_reference' : 'message')
  return id !== undefined && type === 'item_reference' ? { kind: 'item', id } : undefined
}
