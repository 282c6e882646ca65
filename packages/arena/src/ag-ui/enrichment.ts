/** Adds the fields of [OATF §7.3.2](https://oatf.io/specification/protocol-bindings/ag-ui/) to AG-UI events. */
import { ownText, type ValueRecord } from '@joust/source'

/** Converts an event type to the event name in documents: `TOOL_CALL_START` becomes `tool_call_start`. */
export function eventName(type: string): string {
  return type.toLowerCase()
}

export interface Enriched {
  readonly content: ValueRecord
  /** The complete arguments, set at the end of a tool call. */
  readonly args?: string
}

/** Adds a missing `toolCallName` to the events of a tool call, and the complete arguments to the end event. */
export function createEnrichment(): (name: string, event: ValueRecord) => Enriched {
  const names = new Map<string, string>()
  const args = new Map<string, string>()
  return (name, event) => {
    const id = ownText(event, 'toolCallId')
    if (id === undefined || !name.startsWith('tool_call_')) return { content: event }
    const ownName = ownText(event, 'toolCallName')
    const begins = name === 'tool_call_start' || (name === 'tool_call_chunk' && !names.has(id))
    if (ownName !== undefined && begins) names.set(id, ownName)
    const delta = name === 'tool_call_args' ? ownText(event, 'delta') : undefined
    if (delta !== undefined) args.set(id, (args.get(id) ?? '') + delta)
    const toolCallName = names.get(id)
    const content =
      toolCallName === undefined || Object.hasOwn(event, 'toolCallName') ? event : { ...event, toolCallName }
    const whole = name === 'tool_call_end' ? args.get(id) : undefined
    return whole === undefined ? { content } : { content, args: whole }
  }
}
