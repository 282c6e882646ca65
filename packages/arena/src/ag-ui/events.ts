/** Events of AG-UI with the additions of OATF §7.3.2. */
import { ownText, type ValueRecord } from '@joust/source'

/** The name that documents use: `TOOL_CALL_START` is `tool_call_start`. */
export function eventName(type: string): string {
  return type.toLowerCase()
}

/** An event, and what is known of its call beside it. */
export interface Enriched {
  readonly content: ValueRecord
  /** At the end of a tool call: its whole arguments. */
  readonly args?: string
}

/**
 * Gives the later events of a tool call the `toolCallName` of the event that began it, for one stream. An existing name
 * stays. The whole arguments stand beside the end of a call: agents send them in pieces of any size, and no piece need
 * hold what an indicator looks for.
 */
export function createEnrichment(): (name: string, event: ValueRecord) => Enriched {
  const names = new Map<string, string>()
  const pieces = new Map<string, string[]>()
  return (name, event) => {
    const id = ownText(event, 'toolCallId')
    if (id === undefined || !name.startsWith('tool_call_')) return { content: event }
    const given = ownText(event, 'toolCallName')
    const begins = name === 'tool_call_start' || (name === 'tool_call_chunk' && !names.has(id))
    if (given !== undefined && begins) names.set(id, given)
    const delta = name === 'tool_call_args' ? ownText(event, 'delta') : undefined
    if (delta !== undefined) keep(pieces, id, delta)
    const toolCallName = names.get(id)
    const content =
      toolCallName === undefined || Object.hasOwn(event, 'toolCallName') ? event : { ...event, toolCallName }
    const whole = name === 'tool_call_end' ? pieces.get(id) : undefined
    return whole === undefined ? { content } : { content, args: whole.join('') }
  }
}

function keep(pieces: Map<string, string[]>, id: string, piece: string): void {
  const kept = pieces.get(id)
  if (kept === undefined) pieces.set(id, [piece])
  else kept.push(piece)
}
