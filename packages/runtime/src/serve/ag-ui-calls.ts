/** Tool calls of AG-UI: told when they are made, with the arguments as the model wrote them. */
import { type AGUIEvent, EventType } from '@ag-ui/core'
import type { Value } from '@joust/source'
import type { AskedCall, RunEvent } from '../model/events.ts'
import { jsonText } from './output.ts'

/** Tells calls. */
interface CallEvents {
  /** The calls that an answer of the model asks for. */
  ask(message: string, calls: readonly AskedCall[]): void
  call(id: string, name: string, args: Value): void
  answer(event: Extract<RunEvent, { type: 'tool-answered' | 'tool-failed' }>): void
}

/** Sends calls. All calls of one answer belong to its message. */
export function createCallEvents(runId: string, send: (event: AGUIEvent) => void): CallEvents {
  let asked: { readonly message: string; readonly calls: ReadonlyMap<string, AskedCall> } | undefined
  let results = 0
  const open = new Set<string>()
  const call = (toolCallId: string, toolCallName: string, args: Value) => {
    const known = asked?.calls.get(toolCallId)
    const delta = known?.arguments ?? jsonText(args)
    const parent = asked === undefined || known === undefined ? {} : { parentMessageId: asked.message }
    send({ type: EventType.TOOL_CALL_START, toolCallId, toolCallName, ...parent })
    if (delta !== '') send({ type: EventType.TOOL_CALL_ARGS, toolCallId, delta })
    send({ type: EventType.TOOL_CALL_END, toolCallId })
    open.add(toolCallId)
  }
  return {
    ask(message, calls) {
      asked = { message, calls: new Map(calls.map((one) => [one.id, one])) }
    },
    call,
    answer({ call: toolCallId, name, content }) {
      // A call that was refused was never made.
      if (!open.has(toolCallId)) call(toolCallId, name, {})
      open.delete(toolCallId)
      results += 1
      const messageId = `${runId}.result.${results}`
      send({ type: EventType.TOOL_CALL_RESULT, messageId, toolCallId, content: jsonText(content), role: 'tool' })
    },
  }
}
