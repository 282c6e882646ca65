/** Joins deltas into one text per message, since agents may split a text anywhere. */
import { own, ownList, ownText, type Value, type ValueRecord } from '@joust/source'
import { eventName } from './enrichment.ts'

interface Row {
  readonly start: string
  readonly piece: string
  readonly end: string
  /** The field with the message id; an event without this field belongs to the last message. */
  readonly id: string
  /** True if the end event gets the whole text as `_text`; tool calls have their arguments instead. */
  readonly closes: boolean
}

const messageRow = (type: string): Row => {
  return { start: `${type}_START`, piece: `${type}_CONTENT`, end: `${type}_END`, id: 'messageId', closes: true }
}
const text = messageRow('TEXT_MESSAGE')
const rows: readonly Row[] = [
  text,
  messageRow('REASONING_MESSAGE'),
  messageRow('THINKING_TEXT_MESSAGE'),
  { start: 'TOOL_CALL_START', piece: 'TOOL_CALL_ARGS', end: 'TOOL_CALL_END', id: 'toolCallId', closes: false },
]

const steps: ReadonlyMap<string, { readonly row: Row; readonly step: 'start' | 'piece' | 'end' }> = new Map(
  rows.flatMap((row) =>
    (['start', 'piece', 'end'] as const).map((step) => [eventName(row[step]), { row, step }] as const),
  ),
)

/** Events that close all open messages. */
const OVER = /^run_(started|finished|error)$/

interface Open {
  readonly row: Row
  readonly id: string | undefined
  readonly pieces: string[]
  /** True for a quoted message; its end event has no text. */
  readonly quoted: boolean
}

/** Roles of quoted messages; all others are the agent's own. */
const OTHERS: ReadonlySet<string | undefined> = new Set(['user', 'system', 'developer'])

/** True for an end event that is reported again with the whole text. */
export function isClosing(name: string): boolean {
  const match = steps.get(name)
  return match?.step === 'end' && match.row.closes
}

/** Tracks one event stream. Messages in `history`, from the run input, are not reported as answers. */
export function createWholeTexts(history: readonly Value[]) {
  const open = new Map<string, Open>()
  const latest = new Map<Row, Open>()
  /** Answers that a snapshot may repeat. */
  const reported = new Set<string>(assistantTexts(history).map(({ content }) => content))

  const close = (one: Open, end?: ValueRecord): ValueRecord[] => {
    open.delete(keyOf(one))
    if (latest.get(one.row) === one) latest.delete(one.row)
    const whole = one.pieces.join('')
    if (!one.quoted) reported.add(whole)
    return eventsOf(one, whole, end)
  }
  const breakOff = () => [...open.values()].flatMap((one) => close(one))
  const begin = (row: Row, id: string | undefined, event: ValueRecord): Open => {
    const created = { row, id, pieces: [], quoted: row === text && OTHERS.has(ownText(event, 'role')) }
    open.set(keyOf(created), created)
    latest.set(row, created)
    return created
  }
  const find = (row: Row, id: string | undefined) => (id === undefined ? latest.get(row) : open.get(keyOf({ row, id })))
  return {
    /** Closes the messages that the next event interrupts. */
    before(name: string, event: ValueRecord): readonly ValueRecord[] {
      if (OVER.test(name)) return breakOff()
      const match = steps.get(name)
      if (match?.step !== 'start') return []
      // A start event with the id of an open message begins another message.
      const same = open.get(keyOf({ row: match.row, id: ownText(event, match.row.id) }))
      return same === undefined ? [] : close(same)
    },
    /** Returns the whole text if the event completes a message, and the end event. */
    after(name: string, event: ValueRecord): readonly ValueRecord[] {
      if (name === 'messages_snapshot') return newTexts(ownList(event, 'messages'), reported)
      const match = steps.get(name)
      if (match === undefined) return []
      const { row, step } = match
      const id = ownText(event, row.id)
      const one = (step === 'start' ? undefined : find(row, id)) ?? begin(row, id, event)
      if (step === 'end') return close(one, event)
      const delta = ownText(event, 'delta')
      if (delta !== undefined) one.pieces.push(delta)
      return []
    },
    end: breakOff,
  }
}

function keyOf({ row, id }: Pick<Open, 'row' | 'id'>): string {
  return `${row.start} ${id ?? ''}`
}

/** Returns the whole text as one event, and the end event; a missing end event is added with `_cut`. */
function eventsOf({ row, id, pieces, quoted }: Open, whole: string, end: ValueRecord | undefined): ValueRecord[] {
  const of = id === undefined ? {} : { [row.id]: id }
  const last = end ?? { type: row.end, ...of }
  if (quoted) return end === undefined ? [] : [end]
  return [
    ...(pieces.length > 1 ? [{ type: row.piece, ...of, delta: whole }] : []),
    ...(row.closes ? [{ ...last, _text: whole, ...(end === undefined ? { _cut: true } : {}) }] : []),
  ]
}

/** Returns the answers that occur only in a snapshot of the conversation. */
function newTexts(messages: readonly Value[], reported: Set<string>): ValueRecord[] {
  return assistantTexts(messages).flatMap(({ id: messageId, content }) => {
    if (reported.has(content)) return []
    reported.add(content)
    return [
      { type: text.piece, messageId, delta: content },
      { type: text.end, messageId, _text: content },
    ]
  })
}

function assistantTexts(messages: readonly Value[]): { readonly id: string; readonly content: string }[] {
  return messages.flatMap((message) => {
    const content = own(message, 'role') === 'assistant' ? ownText(message, 'content') : undefined
    return content === undefined ? [] : [{ id: ownText(message, 'id') ?? '', content }]
  })
}
