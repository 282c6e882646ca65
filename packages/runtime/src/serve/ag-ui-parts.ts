/** The parts of an AG-UI run: tool calls, texts, steps and sub-agents. */
import { type AGUIEvent, EventType } from '@ag-ui/core'
import type { Value } from '@joust/source'
import type { AskedCall, PolicyPlace, RunEvent } from '../model/events.ts'
import { textOf } from '../model/json-value.ts'

/** Reports tool calls when they are made, as the model wrote them. All calls of one answer belong to its message. */
export function createCallEvents(runId: string, send: (event: AGUIEvent) => void) {
  let asked: { readonly message: string; readonly calls: ReadonlyMap<string, AskedCall> } | undefined
  let results = 0
  const open = new Set<string>()
  const call = (toolCallId: string, toolCallName: string, args: Value) => {
    const known = asked?.calls.get(toolCallId)
    const delta = known?.arguments ?? textOf(args)
    const parent = asked === undefined || known === undefined ? {} : { parentMessageId: asked.message }
    send({ type: EventType.TOOL_CALL_START, toolCallId, toolCallName, ...parent })
    if (delta !== '') send({ type: EventType.TOOL_CALL_ARGS, toolCallId, delta })
    send({ type: EventType.TOOL_CALL_END, toolCallId })
    open.add(toolCallId)
  }
  return {
    /** The calls that an answer of the model asks for. */
    ask(message: string, calls: readonly AskedCall[]) {
      asked = { message, calls: new Map(calls.map((one) => [one.id, one])) }
    },
    call,
    answer({ call: toolCallId, name, content }: Extract<RunEvent, { type: 'tool-answered' | 'tool-failed' }>) {
      // A call that was refused was never made.
      if (!open.has(toolCallId)) call(toolCallId, name, {})
      open.delete(toolCallId)
      results += 1
      const messageId = `${runId}.result.${results}`
      send({ type: EventType.TOOL_CALL_RESULT, messageId, toolCallId, content: textOf(content), role: 'tool' })
    },
  }
}

/** One text message is open at a time, begun by its first piece. */
export function createTextEvents(send: (event: AGUIEvent) => void) {
  let open: string | undefined
  const end = () => {
    if (open !== undefined) send({ type: EventType.TEXT_MESSAGE_END, messageId: open })
    open = undefined
  }
  return {
    /** Whether some of a message was said, and it has not ended. */
    isOpen: (messageId: string) => open === messageId,
    end,
    /** Says a piece; one of another message ends the message that is open. */
    say(messageId: string, delta: string) {
      if (delta === '') return
      if (open !== messageId) {
        end()
        send({ type: EventType.TEXT_MESSAGE_START, messageId, role: 'assistant' })
        open = messageId
      }
      send({ type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta })
    },
  }
}

/** Each open step has a name that no other open step has. */
export function createStepEvents(send: (event: AGUIEvent) => void) {
  const open = new Set<string>()
  const finish = (stepName: string) => {
    if (open.delete(stepName)) send({ type: EventType.STEP_FINISHED, stepName })
  }
  return {
    start(place: PolicyPlace) {
      const stepName = nameOf(place)
      open.add(stepName)
      send({ type: EventType.STEP_STARTED, stepName })
    },
    finish: (place: PolicyPlace) => finish(nameOf(place)),
    /** Ends those that are still open. */
    end() {
      for (const stepName of [...open]) finish(stepName)
    },
  }
}

/** Different for each place in a policy. */
function nameOf({ alias, step, iteration, item }: PolicyPlace): string {
  return [
    ...(iteration === undefined ? [] : [`iteration ${iteration + 1}`]),
    ...(item === undefined ? [] : [`item ${item + 1}`]),
    ...(step === undefined ? [] : [`step ${step + 1}`]),
    ...(alias === undefined ? [] : [alias]),
  ].join(' / ')
}

/** Each delegation gets an id of its own, since AG-UI never uses an id twice. */
export function createSubagentEvents(runId: string, send: (event: AGUIEvent) => void) {
  const open = new Map<string, string[]>()
  const faults = new Map<string, string>()
  let count = 0
  const finish = (subagentRunId: string, fault: string | undefined) => {
    if (fault === undefined) send({ type: EventType.SUBAGENT_FINISHED, subagentRunId })
    else send({ type: EventType.SUBAGENT_ERROR, subagentRunId, message: fault })
  }
  return {
    tell(event: RunEvent) {
      if (event.type === 'agent-failed') faults.set(event.agent.join('\n'), event.error.message)
      if (event.type !== 'delegation-started' && event.type !== 'delegation-finished') return
      const place = placeOf(event)
      if (event.type === 'delegation-started') {
        count += 1
        const subagentRunId = `${runId}.agent.${count}`
        open.set(place, [...(open.get(place) ?? []), subagentRunId])
        send({ type: EventType.SUBAGENT_STARTED, subagentRunId, name: event.alias })
        return
      }
      const [subagentRunId, ...others] = open.get(place) ?? []
      if (subagentRunId === undefined) return
      if (others.length === 0) open.delete(place)
      else open.set(place, others)
      const fault = faults.get([...event.agent, event.alias].join('\n')) ?? `${event.alias} failed`
      finish(subagentRunId, event.ok ? undefined : fault)
    },
    /** Ends those that are still open. */
    end() {
      for (const subagentRunId of [...open.values()].flat()) finish(subagentRunId, 'it was not finished')
      open.clear()
    },
  }
}

function placeOf(event: PolicyPlace & { agent: readonly string[]; alias: string }): string {
  const { agent, alias, step, iteration, item, call } = event
  return JSON.stringify([agent, alias, step ?? null, iteration ?? null, item ?? null, call ?? null])
}
