/** Converts run events to AG-UI events, in an order allowed by the protocol. */
import { type AGUIEvent, EventType } from '@ag-ui/core'
import type { InterfaceSchema } from '@joust/agentformat'
import type { RunError } from '../model/errors.ts'
import type { RunEvent, Usage } from '../model/events.ts'
import type { ServedResult } from '../model/options.ts'
import { isStructured } from '../react/output.ts'
import { createCallEvents, createStepEvents, createSubagentEvents, createTextEvents } from './ag-ui-parts.ts'
import { createAnswerText } from './answer-text.ts'
import type { HeldRequest } from './held-run.ts'

interface AgUiRun {
  readonly threadId: string
  readonly runId: string
  readonly output: InterfaceSchema
  send(event: AGUIEvent): void
}

/** A converter for the events of one run, which ends with `finish`, `fail` or `interrupt`. */
interface AgUiConverter {
  start(): void
  convert(event: RunEvent): void
  /** Ends the run. `text` is the output as text; `state` contains the events for a changed state. */
  finish(result: ServedResult, text: string, state: readonly AGUIEvent[]): void
  fail(error: Pick<RunError, 'code' | 'message'>): void
  /** Ends the AG-UI run with an approval request, which the next request on the thread answers. */
  interrupt(request: HeldRequest): void
}

/**
 * Creates a converter. Text, tools and steps are those of the root agent; sub-agents appear only with start and end.
 */
export function createConverter({ threadId, runId, output, send }: AgUiRun): AgUiConverter {
  const parts: Parts = {
    texts: createTextEvents(send),
    calls: createCallEvents(runId, send),
    steps: createStepEvents(send),
    output,
    plain: !isStructured(output),
    read: createAnswerText(output),
    message: undefined,
    streamed: '',
  }
  const subagents = createSubagentEvents(runId, send)
  const settle = () => {
    parts.texts.end()
    subagents.end()
    parts.steps.end()
  }
  return {
    start: () => send({ type: EventType.RUN_STARTED, threadId, runId }),
    convert(event) {
      subagents.convert(event)
      if (event.agent.length === 0) convertRootEvent(event, parts)
    },
    finish({ output, usage, clientToolCalls = [] }, text, state) {
      for (const { id, name, args } of clientToolCalls) parts.calls.call(id, name, args)
      if (output !== undefined && parts.streamed !== text) parts.texts.append(`${runId}.output`, text)
      settle()
      for (const event of state) send(event)
      send({
        ...{ type: EventType.RUN_FINISHED, threadId, runId, usage: [tokens(usage)] },
        ...(output === undefined ? {} : { result: output }),
        outcome: { type: 'success', ...pending(clientToolCalls) },
      })
    },
    interrupt({ id, expiresAt, request: { kind, target, args, message, reasons, agent } }) {
      settle()
      const metadata = { kind, target, args, reasons, agent: agent.name }
      const interrupts = [
        { id, reason: 'tool_approval', message, expiresAt, responseSchema: APPROVAL_SCHEMA, metadata },
      ]
      send({ type: EventType.RUN_FINISHED, threadId, runId, outcome: { type: 'interrupt', interrupts } })
    },
    fail({ code, message }) {
      settle()
      send({ type: EventType.RUN_ERROR, message, code })
    },
  }
}

const APPROVAL_SCHEMA = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, reason: { type: 'string' } },
  required: ['approved'],
}

interface Parts {
  readonly texts: ReturnType<typeof createTextEvents>
  readonly calls: ReturnType<typeof createCallEvents>
  readonly steps: ReturnType<typeof createStepEvents>
  readonly output: InterfaceSchema
  /** True if the model's answer is the output. */
  readonly plain: boolean
  read: ReturnType<typeof createAnswerText>
  message: string | undefined
  streamed: string
}

function convertRootEvent(event: RunEvent, parts: Parts): void {
  switch (event.type) {
    case 'step-started':
      parts.steps.start(event)
      break
    case 'step-finished':
      parts.steps.finish(event)
      break
    case 'model-text':
      appendText(event, parts)
      break
    case 'model-answered':
      // Sampling requests from servers have no step, and their answers are not part of the message.
      if (event.step !== undefined) convertAnswer(event, parts)
      break
    case 'tool-called':
      parts.calls.call(event.call, event.name, event.args)
      break
    case 'tool-answered':
    case 'tool-failed':
      parts.calls.answer(event)
      break
  }
}

function appendText({ message, delta }: Extract<RunEvent, { type: 'model-text' }>, parts: Parts): void {
  if (parts.message !== message) Object.assign(parts, { message, read: createAnswerText(parts.output), streamed: '' })
  const text = parts.read(delta)
  parts.streamed += text
  parts.texts.append(message, text)
}

function convertAnswer(
  { message, text, calls, withheld }: Extract<RunEvent, { type: 'model-answered' }>,
  parts: Parts,
): void {
  const isAnswer = calls.length === 0
  if (!parts.texts.isOpen(message) && !withheld && (parts.plain || !isAnswer)) {
    parts.texts.append(message, text)
    parts.streamed = text
  }
  parts.texts.end()
  parts.calls.request(message, calls)
  if (!isAnswer) parts.streamed = ''
}

function pending(calls: readonly { readonly id: string }[]): { pendingToolCallIds?: string[] } {
  return calls.length === 0 ? {} : { pendingToolCallIds: calls.map(({ id }) => id) }
}

function tokens({ inputTokens, outputTokens, totalTokens }: Usage) {
  return { inputTokens, outputTokens, totalTokens }
}
