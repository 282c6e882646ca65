/** Parts of an AG-UI run: tool calls, texts, steps and sub-agents. */
import { type AGUIEvent, EventType } from '@ag-ui/core'
import type { Value } from '@joust/source'
import type { PolicyPlace, RequestedCall, RunEvent } from '../model/events.ts'
import { textOf } from '../model/json-value.ts'

/** Creates tool call events. All calls in one model answer belong to the message of that answer. */
export function createCallEvents(runId: string, send: (event: AGUIEvent) => void) {
  let requested: { readonly message: string; readonly calls: ReadonlyMap<string, RequestedCall> } | undefined
  let results = 0
  const open = new Set<string>()
  const call = (toolCallId: string, toolCallName: string, args: Value) => {
    const original = requested?.calls.get(toolCallId)
    const delta = original?.arguments ?? textOf(args)
    const parent = requested === undefined || original === undefined ? {} : { parentMessageId: requested.message }
    send({ type: EventType.TOOL_CALL_START, toolCallId, toolCallName, ...parent })
    if (delta !== '') send({ type: EventType.TOOL_CALL_ARGS, toolCallId, delta })
    send({ type: EventType.TOOL_CALL_END, toolCallId })
    open.add(toolCallId)
  }
  return {
    request(message: string, calls: readonly RequestedCall[]) {
      requested = { message, calls: new Map(calls.map((one) => [one.id, one])) }
    },
    call,
    answer({ call: toolCallId, name, content }: Extract<RunEvent, { type: 'tool-answered' | 'tool-failed' }>) {
      // Rejected calls have no start event yet.
      if (!open.has(toolCallId)) call(toolCallId, name, {})
      open.delete(toolCallId)
      results += 1
      const messageId = `${runId}.result.${results}`
      send({ type: EventType.TOOL_CALL_RESULT, messageId, toolCallId, content: textOf(content), role: 'tool' })
    },
  }
}

/** Creates text message events. Only one message is open at a time. */
export function createTextEvents(send: (event: AGUIEvent) => void) {
  let open: string | undefined
  const end = () => {
    if (open !== undefined) send({ type: EventType.TEXT_MESSAGE_END, messageId: open })
    open = undefined
  }
  return {
    isOpen: (messageId: string) => open === messageId,
    end,
    /** Appends text to a message. Another open message is ended first. */
    append(messageId: string, delta: string) {
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

/** Creates step events. Names of open steps are unique. */
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
    end() {
      for (const stepName of [...open]) finish(stepName)
    },
  }
}

/** Returns a unique name for a position in a policy. */
function nameOf({ alias, step, iteration, item }: PolicyPlace): string {
  return [
    ...(iteration === undefined ? [] : [`iteration ${iteration + 1}`]),
    ...(item === undefined ? [] : [`item ${item + 1}`]),
    ...(step === undefined ? [] : [`step ${step + 1}`]),
    ...(alias === undefined ? [] : [alias]),
  ].join(' / ')
}

/** Creates sub-agent events. Each delegation gets its own id, because AG-UI ids are unique. */
export function createSubagentEvents(runId: string, send: (event: AGUIEvent) => void) {
  const open = new Map<string, string[]>()
  const errors = new Map<string, string>()
  let count = 0
  const finish = (subagentRunId: string, error: string | undefined) => {
    if (error === undefined) send({ type: EventType.SUBAGENT_FINISHED, subagentRunId })
    else send({ type: EventType.SUBAGENT_ERROR, subagentRunId, message: error })
  }
  return {
    convert(event: RunEvent) {
      if (event.type === 'agent-failed') errors.set(event.agent.join('\n'), event.error.message)
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
      const error = errors.get([...event.agent, event.alias].join('\n')) ?? `${event.alias} failed`
      finish(subagentRunId, event.ok ? undefined : error)
    },
    end() {
      for (const subagentRunId of [...open.values()].flat()) finish(subagentRunId, 'the sub-agent did not finish')
      open.clear()
    },
  }
}

function placeOf(event: PolicyPlace & { agent: readonly string[]; alias: string }): string {
  const { agent, alias, step, iteration, item, call } = event
  return JSON.stringify([agent, alias, step ?? null, iteration ?? null, item ?? null, call ?? null])
}
