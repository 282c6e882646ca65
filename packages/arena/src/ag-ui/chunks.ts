/** Chunk events as the start, content and end events they stand for, the way the official client reads them. */
import { own, ownText, type ValueRecord } from '@joust/source'

interface Row {
  /** The field that says what a chunk belongs to. */
  readonly id: string
  readonly start: string
  /** What the start event takes from the first chunk, with the value to use when that has none. */
  readonly takes: Readonly<Record<string, string | undefined>>
  readonly content: string
  readonly end: string
}

const row = (type: string, piece: string, id: string, takes: Row['takes']): Row => {
  return { id, start: `${type}_START`, takes, content: `${type}_${piece}`, end: `${type}_END` }
}
// biome-ignore format: a row is a line
const rows: ReadonlyMap<string, Row> = new Map([
  ['text_message_chunk', row('TEXT_MESSAGE', 'CONTENT', 'messageId', { role: 'assistant', name: undefined })],
  ['reasoning_message_chunk', row('REASONING_MESSAGE', 'CONTENT', 'messageId', { role: 'reasoning' })],
  ['tool_call_chunk', row('TOOL_CALL', 'ARGS', 'toolCallId', { toolCallName: undefined, parentMessageId: undefined })],
])

/** Events that may come between two chunks of the same message. */
const BESIDE = /^(raw$|activity_)/

/** Follows one stream. */
export function createChunks() {
  let open: { readonly row: Row; readonly id: string } | undefined
  /** The end of whatever is open when the stream ends. */
  const end = (): readonly ValueRecord[] => {
    if (open === undefined) return []
    const { row, id } = open
    open = undefined
    return [{ type: row.end, [row.id]: id }]
  }
  return {
    /** The end of whatever is open that the next event does not continue. */
    before(name: string, event: ValueRecord): readonly ValueRecord[] {
      const row = rows.get(name)
      if (row === undefined) return BESIDE.test(name) ? [] : end()
      // A chunk without an id continues what is open.
      const goesOn = open?.row === row && (ownText(event, row.id) ?? open.id) === open.id
      return goesOn ? [] : end()
    },
    /** What a chunk that has just been reported stands for. */
    after(name: string, event: ValueRecord): readonly ValueRecord[] {
      const row = rows.get(name)
      const id = row === undefined ? undefined : (ownText(event, row.id) ?? open?.id)
      if (row === undefined || id === undefined) return []
      const events: ValueRecord[] = []
      if (open === undefined) events.push(startOf(row, id, event))
      open = { row, id }
      const delta = ownText(event, 'delta')
      if (delta !== undefined) events.push({ type: row.content, [row.id]: id, delta })
      return events
    },
    end,
  }
}

function startOf({ start, id: key, takes }: Row, id: string, chunk: ValueRecord): ValueRecord {
  const taken = Object.entries(takes).flatMap(([name, otherwise]) => {
    const value = own(chunk, name) ?? otherwise
    return value === undefined ? [] : [[name, value] as const]
  })
  return { type: start, [key]: id, ...Object.fromEntries(taken) }
}
