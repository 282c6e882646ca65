/** Events of AG-UI as they come. */
import { compactJson, defaultLimits, isRecord, own, readJson, type ValueRecord } from '@joust/source'
import { eventName } from '../../ag-ui/events.ts'
import type { EventText } from './body.ts'

/** An event, or a text that is none. */
type ReadEvent =
  | { readonly kind: 'event'; readonly name: string; readonly event: ValueRecord; readonly untyped?: true }
  | { readonly kind: 'malformed'; readonly text: string; readonly reason: string }

/** Shorter texts cannot nest too deeply. */
const SHORT = 2 * defaultLimits.compactJsonDepth

/** Reads the text of an event. Types that nobody has heard of are events like any other. */
export function readEvent({ text, fault, named }: EventText, maxBytes: number): ReadEvent {
  const malformed = (reason: string): ReadEvent => ({ kind: 'malformed', text, reason })
  if (fault !== undefined) return malformed(fault)
  const json = readJson(text, { ...defaultLimits, yamlBytes: maxBytes })
  if (!json.ok) return malformed(json.error[0]?.message ?? 'not JSON')
  if (!isRecord(json.value)) return malformed('not an AG-UI event: no object')
  // Some servers name their events in the stream instead; `message` is the name of any event.
  const untyped = own(json.value, 'type') === undefined && named !== undefined && named !== 'message'
  const event = untyped ? { type: named, ...json.value } : json.value
  const type = own(event, 'type')
  if (typeof type !== 'string' || type === '') return malformed('not an AG-UI event: it has no type')
  if (text.length > SHORT && !compactJson(event, 'document').ok) return malformed('an AG-UI event nested too deeply')
  return { kind: 'event', name: eventName(type), event, ...(untyped ? { untyped } : {}) }
}
