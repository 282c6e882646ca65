/** Events of AG-UI, and what §7.3.2 adds to them. */
import { ownText, type ValueRecord } from '@joust/source'

/** The name that documents use: `TOOL_CALL_START` is `tool_call_start`. */
export function eventName(type: string): string {
  return type.toLowerCase()
}

/**
 * Gives the later events of a tool call the `toolCallName` of the event that began it, for one stream. An existing name
 * stays. The end of a call gets its whole arguments as `_arguments`: agents send them in pieces of any size, and no
 * piece need hold what an indicator looks for.
 */
export function createEnrichment(): (name: string, event: ValueRecord) => ValueRecord {
  const names = new Map<string, string>()
  const pieces = new Map<string, string[]>()
  return (name, event) => {
    const id = ownText(event, 'toolCallId')
    if (id === undefined || !name.startsWith('tool_call_')) return event
    const given = ownText(event, 'toolCallName')
    const begins = name === 'tool_call_start' || (name === 'tool_call_chunk' && !names.has(id))
    if (given !== undefined && begins) names.set(id, given)
    const delta = name === 'tool_call_args' ? ownText(event, 'delta') : undefined
    if (delta !== undefined) keep(pieces, id, delta)
    const toolCallName = names.get(id)
    const named =
      toolCallName === undefined || Object.hasOwn(event, 'toolCallName') ? event : { ...event, toolCallName }
    const whole = name === 'tool_call_end' ? pieces.get(id) : undefined
    return whole === undefined ? named : { ...named, _arguments: whole.join('') }
  }
}

function keep(pieces: Map<string, string[]>, id: string, piece: string): void {
  const kept = pieces.get(id)
  if (kept === undefined) pieces.set(id, [piece])
  else kept.push(piece)
}
