/** Replaces values in a recorded answer, including values that a stream splits across events. */
import { isRecord, mapScalars, own, parseJson, type Value } from '@joust/source'

type Replace = (text: string) => string

/** A string in an event; `key` identifies the text that it continues. */
interface Piece {
  readonly key: string
  text: string
}

interface StreamEvent {
  readonly json: string
  readonly value: Value
  /** The strings in the event, in the order in which `mapScalars` visits them. */
  readonly pieces: readonly Piece[]
}

/** Matches the data of a server-sent event. */
const DATA = /^(data: ?)([[{].*)$/gm

/** Replaces values in an answer. Only events with a replacement are rewritten. */
export function replaceInAnswer(answer: string, values: RegExp, replace: Replace): string {
  const list = answer.startsWith('[') ? parseJson(answer) : undefined
  const sources = Array.isArray(list)
    ? list.map((value) => JSON.stringify(value))
    : [...answer.matchAll(DATA)].map(([, , json = '']) => json)
  const events = sources.map(eventOf)
  const isDivided = replaceInPieces(events, values, replace)
  if (!isDivided) return replace(answer)
  const written = events.map((event, index) => (event === undefined ? replace(sources[index] ?? '') : write(event)))
  if (Array.isArray(list)) return `[${written.join(',\r\n')}]`
  let at = 0
  return answer.replaceAll(DATA, (_, lead: string) => `${lead}${written[at++]}`)
}

function eventOf(json: string): StreamEvent | undefined {
  const value = parseJson(json)
  if (value === undefined) return undefined
  const pieces: Piece[] = []
  const type = isRecord(value) ? String(own(value, 'type') ?? '') : ''
  collect(value, type, pieces)
  return { json, value, pieces }
}

/** Collects strings breadth-first, as `mapScalars` does. */
function collect(root: Value, type: string, pieces: Piece[]): void {
  const pending: (readonly [value: Value, key: string])[] = [[root, type]]
  for (const [value, key] of pending)
    if (typeof value === 'object' && value !== null)
      for (const [name, child] of Object.entries(value)) {
        const place = `${key}.${name}`
        if (typeof child === 'string') pieces.push({ key: place, text: child })
        else pending.push([child, place])
      }
}

/** Replaces values in the texts that the pieces form; returns true if any value is split across pieces. */
function replaceInPieces(events: readonly (StreamEvent | undefined)[], values: RegExp, replace: Replace): boolean {
  const texts = new Map<string, Piece[]>()
  for (const piece of events.flatMap((event) => event?.pieces ?? [])) {
    const pieces = texts.get(piece.key)
    if (pieces === undefined) texts.set(piece.key, [piece])
    else pieces.push(piece)
  }
  return [...texts.values()].map((pieces) => replaceAcross(pieces, values, replace)).includes(true)
}

/** Writes a split value into the piece where it begins, and removes its remainder from the next pieces. */
function replaceAcross(pieces: readonly Piece[], values: RegExp, replace: Replace): boolean {
  const whole = pieces.map(({ text }) => text).join('')
  const matches = [...whole.matchAll(values)]
  let start = 0
  let isDivided = false
  for (const piece of pieces) {
    const end = start + piece.text.length
    let text = ''
    let at = start
    for (const { 0: value, index } of matches) {
      const after = index + value.length
      if (after <= start || index >= end) continue
      isDivided ||= index < start || after > end
      text += whole.slice(at, Math.max(at, index)) + (index >= start ? replace(value) : '')
      at = Math.min(end, after)
    }
    piece.text = text + whole.slice(at, end)
    start = end
  }
  return isDivided
}

function write({ json, value, pieces }: StreamEvent): string {
  let at = 0
  const changed = mapScalars(value, (scalar) => (typeof scalar === 'string' ? pieces[at++]?.text : scalar))
  return JSON.stringify(value) === JSON.stringify(changed) ? json : JSON.stringify(changed)
}
