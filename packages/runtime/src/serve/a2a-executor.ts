/** Runs a served agent for A2A tasks. */
import { type Message, TaskState } from '@a2a-js/sdk'
import {
  AgentEvent,
  type AgentExecutionEvent,
  type AgentExecutor,
  type RequestContext,
  ResultManager,
  type ServerCallContext,
} from '@a2a-js/sdk/server'
import type { Agent, InterfaceSchema } from '@joust/agentformat'
import { defined, ok, own, type Result } from '@joust/source'
import type { Approver } from '../model/approval.ts'
import type { RunError } from '../model/errors.ts'
import type { RunEvent } from '../model/events.ts'
import { runtimeLimits } from '../model/limits.ts'
import type { ServedResult } from '../model/options.ts'
import type { Runtime } from '../runtime.ts'
import { outputArtifact, peerMessage, statusOf, statusUpdate, type TaskIds, taskMessages } from './a2a-messages.ts'
import type { Tasks } from './a2a-tasks.ts'
import { createAnswerText } from './answer-text.ts'
import { type HeldRequest, type HeldRun, holdOptions, holdRun, TOO_MANY } from './held-run.ts'
import { type RunRequest, readPeerRequest } from './input.ts'

export interface TaskRunner extends AgentExecutor {
  read(message: Message, context: ServerCallContext): Result<RunRequest | undefined, string>
  isRunning(taskId: string): boolean
  /** Cancels a task that waits for approval. */
  drop(taskId: string): void
  stop(reason: Error): void
}

interface TaskHost {
  readonly runtime: Runtime
  readonly agent: Agent
  readonly tasks: Tasks
  readonly memoryScope: string | undefined
  readonly stream?: boolean | undefined
  readonly asksClient: boolean
  readonly approvalMs?: number | undefined
}

type Publish = (event: AgentExecutionEvent) => void

/** A task, which may span several messages. */
interface RunningTask {
  readonly ids: TaskIds
  readonly held: HeldRun<Result<ServedResult, RunError>>
  readonly controller: AbortController
  /** Publishes to the current message; undefined while the task waits for approval. */
  publish: Publish | undefined
}

/** Creates a task runner. Cancelling a task or stopping the server cancels the run. */
export function createTaskRunner(host: TaskHost): TaskRunner {
  const running = new Map<string, RunningTask>()
  return {
    read: (message, context) => {
      // The answer to an approval request is not an input.
      const pending = running.get(message.taskId)?.held.pending
      return pending === undefined ? readMessage(host, message, context) : ok(undefined)
    },
    isRunning(taskId) {
      const task = running.get(taskId)
      // After an approval timeout, the run continues.
      return task !== undefined && task.held.pending === undefined
    },
    drop: (taskId) => running.get(taskId)?.controller.abort(new Error('the client cancelled the task')),
    async execute(request, bus) {
      await runTask(host, request, (event) => bus.publish(event), running)
    },
    async cancelTask(taskId, bus) {
      const task = running.get(taskId)
      const isWaiting = task?.publish === undefined
      this.drop(taskId)
      // Without a current message, the end of a waiting task must be published here.
      const stop = isWaiting ? await task?.held.next() : undefined
      if (task === undefined || stop === undefined || 'asked' in stop) return
      for (const event of endOf(stop.ended, task, host)) bus.publish(event)
    },
    stop(reason) {
      for (const { controller } of running.values()) controller.abort(reason)
    },
  }
}

/** Reads a message. Earlier tasks in the message's context become the history. */
function readMessage({ agent, tasks }: TaskHost, message: Message, context: ServerCallContext) {
  const earlier = message.contextId === '' ? [] : tasks.inContext(message.contextId, context)
  const history = earlier.filter(({ id }) => id !== message.taskId).flatMap(taskMessages)
  return readPeerRequest(agent, peerMessage(message), history)
}

async function runTask(host: TaskHost, request: RequestContext, publish: Publish, running: Map<string, RunningTask>) {
  const { taskId, contextId, userMessage } = request
  const report = (state: TaskState, text?: string) => publish(statusUpdate({ taskId, contextId }, state, text))
  const task = continueTask(running.get(taskId), userMessage, publish) ?? startTask(host, request, publish, running)
  if (typeof task === 'string') return report(TaskState.TASK_STATE_REJECTED, task)
  report(TaskState.TASK_STATE_WORKING)
  const stop = await task.held.next()
  if ('asked' in stop) {
    task.publish = undefined
    return report(TaskState.TASK_STATE_INPUT_REQUIRED, questionOf(stop.asked))
  }
  for (const event of endOf(stop.ended, task, host)) publish(event)
}

function endOf(
  outcome: Result<ServedResult, RunError>,
  { controller, ids }: Pick<RunningTask, 'controller' | 'ids'>,
  { agent }: Pick<TaskHost, 'agent'>,
): AgentExecutionEvent[] {
  if (!outcome.ok) {
    const state = controller.signal.aborted ? TaskState.TASK_STATE_CANCELED : TaskState.TASK_STATE_FAILED
    return [statusUpdate(ids, state, `${outcome.error.code}: ${outcome.error.message}`)]
  }
  const artifact = outputArtifact(agent.document.interface.output, outcome.value.output ?? null)
  return [
    AgentEvent.artifactUpdate({ ...ids, artifact, append: false, lastChunk: true, metadata: undefined }),
    statusUpdate(ids, TaskState.TASK_STATE_COMPLETED),
  ]
}

function startTask(
  host: TaskHost,
  { taskId, contextId, userMessage, context }: RequestContext,
  publish: Publish,
  running: Map<string, RunningTask>,
): RunningTask | string {
  const ids = { taskId, contextId }
  const request = readMessage(host, userMessage, context)
  const status = statusOf(TaskState.TASK_STATE_SUBMITTED)
  publish(
    AgentEvent.task({ id: taskId, contextId, status, history: [userMessage], artifacts: [], metadata: undefined }),
  )
  if (!request.ok) return request.error
  const { conversation = [] } = request.value.options
  const { runtime, agent, memoryScope, stream, asksClient } = host
  const texts = createTextChunks(ids, agent.document.interface.output)
  const onEvent = (event: RunEvent) => {
    for (const update of texts(event)) task.publish?.(update)
  }
  const controller = new AbortController()
  const options = { memoryScope, conversation, signal: controller.signal, onEvent, ...defined({ stream }) }
  const waiting = () => [...running.values()].filter((one) => one.publish === undefined).length
  const start = (approve: Approver) => {
    const mayAsk: Approver = (...args) => (waiting() < runtimeLimits.heldRuns ? approve(...args) : TOO_MANY)
    return runtime
      .run(agent, request.value.input, { ...options, ...(asksClient && { approve: mayAsk }) })
      .then(async (outcome) => {
        running.delete(taskId)
        // Without a current message, for example after a timeout, the events must be stored here.
        const results = new ResultManager(host.tasks, context)
        if (task.publish === undefined)
          for (const event of endOf(outcome, task, host)) await results.processEvent(event)
        return outcome
      })
  }
  const task: RunningTask = { ids, held: holdRun(start, holdOptions(defined(host))), controller, publish }
  running.set(taskId, task)
  return task
}

/** Passes the client's answer to a task that waits for approval. */
function continueTask(task: RunningTask | undefined, message: Message, publish: Publish): RunningTask | undefined {
  const pending = task?.held.pending
  if (task === undefined || pending === undefined) return undefined
  const { texts, data } = peerMessage(message)
  const [answer] = data
  const isYes = /^\s*(?:y|yes|approve|approved)\s*[.!]?\s*$/i.test(texts.join(' '))
  const approved = answer === undefined ? isYes : own(answer, 'approved') === true
  task.publish = publish
  task.held.answer(pending.id, { approved, reason: approved ? 'approved by the client' : 'denied by the client' })
  return task
}

function questionOf({ request: { message, target, args } }: HeldRequest): string {
  return `${message}\n\n${target} ${JSON.stringify(args)}\n\nAnswer "yes" to approve; any other answer denies it.`
}

/** Creates updates for the root agent's text: answers as artifact chunks, text that accompanies calls as a status. */
function createTextChunks(ids: TaskIds, output: InterfaceSchema) {
  let open: string | undefined
  let read = createAnswerText(output)
  let isStarted = false
  return (event: RunEvent): AgentExecutionEvent[] => {
    if (event.agent.length > 0) return []
    if (event.type === 'model-text') {
      if (open !== event.message) {
        open = event.message
        read = createAnswerText(output)
        isStarted = false
      }
      const text = read(event.delta)
      if (text === '') return []
      const append = isStarted
      isStarted = true
      const artifact = outputArtifact(output, text)
      return [AgentEvent.artifactUpdate({ ...ids, artifact, append, lastChunk: false, metadata: undefined })]
    }
    const text = intermediateText(event)
    return text === undefined ? [] : [statusUpdate(ids, TaskState.TASK_STATE_WORKING, text)]
  }
}

function intermediateText(event: RunEvent): string | undefined {
  if (event.type !== 'model-answered' || event.agent.length > 0 || event.step === undefined) return undefined
  return event.calls.length > 0 && event.text !== '' && event.withheld !== true ? event.text : undefined
}
