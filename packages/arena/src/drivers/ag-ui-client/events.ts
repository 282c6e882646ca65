/** Events of AG-UI as they come, and what §7.3.2 adds to them. */
import { compactJson, defaultLimits, isRecord, own, readJson, type ValueRecord } from '@joust/source'
import type { EventText } from './body.ts'

/** An event, or a text that is none. */
type ReadEvent =
  | { readonly kind: 'event'; readonly name: string; readonly event: ValueRecord }
  | { readonly kind: 'malformed'; readonly text: string; readonly reason: string }

/** Shorter texts cannot nest too deeply. */
const SHORT = 2 * defaultLimits.compactJsonDepth

/** Reads the text of an event. Types that nobody has heard of are events like any other. */
export function readEvent({ text, fault }: EventText, maxBytes: number): ReadEvent {
  const malformed = (reason: string): ReadEvent => ({ kind: 'malformed', text, reason })
  if (fault !== undefined) return malformed(fault)
  const json = readJson(text, { ...defaultLimits, yamlBytes: maxBytes })
  if (!json.ok) return malformed(json.error[0]?.message ?? 'not JSON')
  const event = json.value
  if (!isRecord(event)) return malformed('not an AG-UI event: no object')
  const type = own(event, 'type')
  if (typeof type !== 'string' || type === '') return malformed('not an AG-UI event: it has no type')
  if (text.length > SHORT && !compactJson(event, 'document').ok) return malformed('an AG-UI event nested too deeply')
  return { kind: 'event', name: eventName(type), event }
}

/** The name that documents use: `TOOL_CALL_START` is `tool_call_start`. */
export function eventName(type: string): string {
  return type.toLowerCase()
}

/** A string field of an event, or undefined. */
export function textOf(event: ValueRecord, key: string): string | undefined {
  const value = own(event, key)
  return typeof value === 'string' ? value : undefined
}

/**
 * Gives the later events of a tool call the `toolCallName` of the event that began it, for one stream. A name that is
 * there stays. The end of a call gets its whole arguments as `_arguments`: agents send them in pieces of any size, and no
 * piece need hold what an indicator looks for.
 */
export function createEnrichment(): (name: string, event: ValueRecord) => ValueRecord {
  const names = new Map<string, string>()
  const pieces = new Map<string, string[]>()
  return (name, event) => {
    const id = textOf(event, 'toolCallId')
    if (id === undefined || !name.startsWith('tool_call_')) return event
    const given = textOf(event, 'toolCallName')
    const begins = name === 'tool_call_start' || (name === 'tool_call_chunk' && !names.has(id))
    if (given !== undefined && begins) names.set(id, given)
    const delta = name === 'tool_call_args' ? textOf(event, 'delta') : undefined
    if (delta !== undefined) pieces.set(id, [...(pieces.get(id) ?? []), delta])
    const toolCallName = names.get(id)
    const named =
      toolCallName === undefined || Object.hasOwn(event, 'toolCallName') ? event : { ...event, toolCallName }
    const whole = name === 'tool_call_end' ? pieces.get(id) : undefined
    return whole === undefined ? named : { ...named, _arguments: whole.join('') }
  }
}
