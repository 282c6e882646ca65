/** From the events of a run to the events of AG-UI, in an order that the protocol allows. */
import { type AGUIEvent, EventType } from '@ag-ui/core'
import type { RunError } from '../model/errors.ts'
import type { RunEvent, Usage } from '../model/events.ts'
import type { ServedResult } from '../model/options.ts'
import { createCallEvents, createStepEvents, createSubagentEvents, createTextEvents } from './ag-ui-parts.ts'

/** Where the events go, and what the run is called. */
interface AgUiRun {
  readonly threadId: string
  readonly runId: string
  /** Whether the model's answer can be streamed as it comes in. */
  readonly plain: boolean
  send(event: AGUIEvent): void
}

/** A run in terms of AG-UI. `finish` and `fail` come last. */
interface AgUiTeller {
  start(): void
  tell(event: RunEvent): void
  /** Ends the run; `text` is the output for people, `state` has the events of a state that changed. */
  finish(result: ServedResult, text: string, state: readonly AGUIEvent[]): void
  fail(error: Pick<RunError, 'code' | 'message'>): void
}

/** Tells a run. Text, tools and steps are those of the served agent; sub-agents appear with their start and end. */
export function createTeller({ threadId, runId, plain, send }: AgUiRun): AgUiTeller {
  const parts: Parts = {
    texts: createTextEvents(send),
    calls: createCallEvents(runId, send),
    steps: createStepEvents(send),
    plain,
    answered: false,
  }
  const subagents = createSubagentEvents(runId, send)
  const settle = () => {
    parts.texts.end()
    subagents.end()
    parts.steps.end()
  }
  return {
    start: () => send({ type: EventType.RUN_STARTED, threadId, runId }),
    tell(event) {
      subagents.tell(event)
      if (event.agent.length === 0) tellOwn(event, parts)
    },
    finish({ output, usage, clientToolCalls = [] }, text, state) {
      for (const { id, name, args } of clientToolCalls) parts.calls.call(id, name, args)
      if (output !== undefined && !parts.answered) parts.texts.say(`${runId}.output`, text)
      settle()
      for (const event of state) send(event)
      send({
        ...{ type: EventType.RUN_FINISHED, threadId, runId, usage: [tokens(usage)] },
        ...(output === undefined ? {} : { result: output }),
        outcome: { type: 'success', ...pending(clientToolCalls) },
      })
    },
    fail({ code, message }) {
      settle()
      send({ type: EventType.RUN_ERROR, message, code })
    },
  }
}

interface Parts {
  readonly texts: ReturnType<typeof createTextEvents>
  readonly calls: ReturnType<typeof createCallEvents>
  readonly steps: ReturnType<typeof createStepEvents>
  readonly plain: boolean
  /** Whether the last thing that the model said is its answer. */
  answered: boolean
}

function tellOwn(event: RunEvent, parts: Parts): void {
  switch (event.type) {
    case 'step-started':
      parts.steps.start(event)
      break
    case 'step-finished':
      parts.steps.finish(event)
      break
    case 'model-text':
      // A text that is not plain shows only at its end whether it is the answer.
      if (parts.plain) parts.texts.say(event.message, event.delta)
      break
    case 'model-answered':
      // A server asked for a call without a step: nobody here waits for its text.
      if (event.step !== undefined) tellAnswer(event, parts)
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

function tellAnswer({ message, text, calls }: Extract<RunEvent, { type: 'model-answered' }>, parts: Parts): void {
  const isAnswer = calls.length === 0
  if (!parts.texts.isOpen(message) && (parts.plain || !isAnswer)) parts.texts.say(message, text)
  parts.texts.end()
  parts.calls.ask(message, calls)
  parts.answered = parts.plain && isAnswer && text !== ''
}

function pending(calls: readonly { readonly id: string }[]): { pendingToolCallIds?: string[] } {
  return calls.length === 0 ? {} : { pendingToolCallIds: calls.map(({ id }) => id) }
}

function tokens({ inputTokens, outputTokens, totalTokens }: Usage) {
  return { inputTokens, outputTokens, totalTokens }
}
