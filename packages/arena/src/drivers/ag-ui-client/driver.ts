/** The `ag_ui_client` mode ([OATF §7.3](https://oatf.io/specification/protocol-bindings/ag-ui/)): runs of an agent. */

import { isRecord, messageOf, ownList, type Value } from '@joust/source'
import { eventName } from '../../ag-ui/enrichment.ts'
import { ArenaError } from '../../model/errors.ts'
import { arenaLimits } from '../../model/limits.ts'
import type { ClientEnd, HttpClientEnd } from '../../model/wiring.ts'
import type { Driver, DriverContext, Entry, Scene } from '../driver.ts'
import { answerCalls, inputOf, inputOfEntry, nextInput, resumeOf, type ToolResult, toolResult } from './input.ts'
import { type FinishedRun, type Peer, runAgent, type Submission } from './run.ts'

export function createAgUiClientDriver(context: DriverContext, end: ClientEnd): Driver {
  const { stage } = context
  const closing = new AbortController()
  const over = AbortSignal.any([context.signal, closing.signal])
  const quietly = async (work: () => Promise<void>) => {
    try {
      if (!over.aborted) await work()
    } catch (thrown) {
      if (!over.aborted) throw thrown
    }
  }
  return {
    async open() {
      requireHttp(end)
    },
    async perform(scene, signal) {
      const wired = requireHttp(end)
      if (signal.aborted) return stage.report('action-dropped', 'the phase ended before its run_agent_input was sent')
      await quietly(async () => {
        const input = inputOf(scene, context)
        if (input !== undefined) await converse({ context, end: wired, over }, { input, results: [] }, scene)
      })
    },
    async send(entry, scene) {
      const wired = requireHttp(end)
      const submission = over.aborted ? undefined : entrySubmission(context, entry, scene)
      if (submission === undefined) return {}
      const run = quietly(() => converse({ context, end: wired, over }, submission, scene))
      return { reply: run.catch((thrown) => stage.report('not-delivered', `${entry.method}: ${messageOf(thrown)}`)) }
    },
    async close() {
      closing.abort()
    },
  }
}

function requireHttp(end: ClientEnd): HttpClientEnd {
  if (end.kind === 'http') return end
  throw new ArenaError('not_wired', 'AG-UI needs a URL, not a pipe')
}

/** Runs the agent until no tool calls are open. Later runs belong to the phase in which they start. */
async function converse(peer: Peer, first: Submission, scene: Scene): Promise<void> {
  const { context, over } = peer
  const { stage, newId } = context
  let submission = first
  for (let continuations = 0; ; continuations++) {
    const { input } = submission
    const run = await runAgent(peer, submission, continuations === 0 ? scene : stage.scene())
    if (over.aborted) return
    const results = answer(run, input, context)
    const resume = over.aborted ? [] : resumeOf(run.transcript.interrupts(), input, context)
    if ((results.length === 0 && resume.length === 0) || !isRecord(input)) return
    if (continuations === arenaLimits.agUiContinuations) {
      const reason = `the agent still calls tools or interrupts its run after ${continuations} runs`
      return stage.report('reply-missing', reason)
    }
    const { resume: _, ...next } = nextInput(input, run.transcript, results, newId())
    submission = { input: resume.length > 0 ? { ...next, resume } : next, results }
  }
}

function answer({ ending, transcript }: FinishedRun, input: Value, context: DriverContext): readonly ToolResult[] {
  const calls = transcript.unanswered()
  if (ending === 'finished' || ending === 'unfinished') return answerCalls(calls, input, context)
  if (calls.length > 0) {
    const names = calls.map(({ name }) => name).join(', ')
    context.stage.report('action-dropped', `tool calls not answered because the run was cut off: ${names}`)
  }
  return []
}

/** A client can send messages only as part of a run. */
function entrySubmission(
  context: DriverContext,
  { method, params, headers }: Entry,
  scene: Scene,
): Submission | undefined {
  const { stage, newId } = context
  const name = eventName(method)
  if (name === 'run_agent_input') return { input: inputOfEntry(params, context), results: [], headers }
  if (name !== 'tool_call_result') {
    const hint = 'expected run_agent_input or tool_call_result (OATF §7.3.2)'
    stage.report('unknown-action', `${method} cannot be sent: ${hint}`)
    return undefined
  }
  const input = inputOf(scene, context)
  if (!isRecord(input)) {
    stage.report('not-delivered', `${method} was not sent: it needs a run_agent_input in the state`)
    return undefined
  }
  const results = [toolResult(params ?? '', { messageId: newId() }, stage.report)]
  const before = { messages: () => ownList(input, 'messages'), state: () => undefined }
  return { input: nextInput(input, before, results, newId()), results, headers }
}
