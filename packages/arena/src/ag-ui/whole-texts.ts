/** Deltas put together, a text for each message: agents cut them anywhere, so no piece need hold what is looked for. */
import { own, ownList, ownText, type Value, type ValueRecord } from '@joust/source'
import { eventName } from './events.ts'

interface Row {
  readonly start: string
  readonly piece: string
  readonly end: string
  /** The field that says what an event belongs to; without it, the event belongs to what began last. */
  readonly id: string
  /** True when the end is reported with the whole text as `_text`; that of a tool call has its arguments beside it. */
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

type Step = 'start' | 'piece' | 'end'
const steps: ReadonlyMap<string, { readonly row: Row; readonly step: Step }> = new Map(
  rows.flatMap((row) =>
    (['start', 'piece', 'end'] as const).map((step) => [eventName(row[step]), { row, step }] as const),
  ),
)

/** Events that leave nothing open. */
const OVER = /^run_(started|finished|error)$/

/** What has begun but not ended. */
interface Open {
  readonly row: Row
  /** Undefined where the events have no id. */
  readonly id: string | undefined
  readonly pieces: string[]
  /** Whether somebody else said it: its end is reported without a text. */
  readonly quoted: boolean
}

/** Roles whose words an agent may repeat in a message; under any other role it speaks for itself. */
const OTHERS: ReadonlySet<string | undefined> = new Set(['user', 'system', 'developer'])

/** Whether the end of a text is reported a second time, with the whole of it. */
export function isClosing(name: string): boolean {
  const known = steps.get(name)
  return known?.step === 'end' && known.row.closes
}

/** Follows one stream; the run began with these messages, whose texts are not the agent's answer. */
export function createWholeTexts(history: readonly Value[]) {
  const open = new Map<string, Open>()
  const latest = new Map<Row, Open>()
  /** A snapshot repeats what was said. */
  const said = new Set<string>(assistantTexts(history).map(({ content }) => content))

  const close = (one: Open, end?: ValueRecord): ValueRecord[] => {
    open.delete(keyOf(one))
    if (latest.get(one.row) === one) latest.delete(one.row)
    const whole = one.pieces.join('')
    if (!one.quoted) said.add(whole)
    return tell(one, whole, end)
  }
  const breakOff = () => [...open.values()].flatMap((one) => close(one))
  const begin = (row: Row, id: string | undefined, event: ValueRecord): Open => {
    const begun = { row, id, pieces: [], quoted: row === text && OTHERS.has(ownText(event, 'role')) }
    open.set(keyOf(begun), begun)
    latest.set(row, begun)
    return begun
  }
  const find = (row: Row, id: string | undefined) => (id === undefined ? latest.get(row) : open.get(keyOf({ row, id })))
  return {
    /** The texts that the next event breaks off. */
    before(name: string, event: ValueRecord): readonly ValueRecord[] {
      if (OVER.test(name)) return breakOff()
      const known = steps.get(name)
      if (known?.step !== 'start') return []
      // What begins under the same name is another text.
      const same = open.get(keyOf({ row: known.row, id: ownText(event, known.row.id) }))
      return same === undefined ? [] : close(same)
    },
    /** The text that an event, just reported, completes; its end comes last. */
    after(name: string, event: ValueRecord): readonly ValueRecord[] {
      if (name === 'messages_snapshot') return unsaid(ownList(event, 'messages'), said)
      const known = steps.get(name)
      if (known === undefined) return []
      const { row, step } = known
      const id = ownText(event, row.id)
      const one = (step === 'start' ? undefined : find(row, id)) ?? begin(row, id, event)
      if (step === 'end') return close(one, event)
      const delta = ownText(event, 'delta')
      if (delta !== undefined) one.pieces.push(delta)
      return []
    },
    /** The texts so far of whatever is open when the stream ends. */
    end: breakOff,
  }
}

function keyOf({ row, id }: Pick<Open, 'row' | 'id'>): string {
  return `${row.start} ${id ?? ''}`
}

/** A text of several pieces as one piece, and its end, which is marked as cut where none came. */
function tell({ row, id, pieces, quoted }: Open, whole: string, end: ValueRecord | undefined): ValueRecord[] {
  const of = id === undefined ? {} : { [row.id]: id }
  const last = end ?? { type: row.end, ...of }
  if (quoted) return end === undefined ? [] : [end]
  return [
    ...(pieces.length > 1 ? [{ type: row.piece, ...of, delta: whole }] : []),
    ...(row.closes ? [{ ...last, _text: whole, ...(end === undefined ? { _cut: true } : {}) }] : []),
  ]
}

/** Answers that appear only in a snapshot of the conversation. */
function unsaid(messages: readonly Value[], said: Set<string>): ValueRecord[] {
  return assistantTexts(messages).flatMap(({ id: messageId, content }) => {
    if (said.has(content)) return []
    said.add(content)
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
