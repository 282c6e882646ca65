/** Runs an agent for A2A tasks. */

import { randomUUID } from 'node:crypto'
import { type Artifact, type Message, type Part, Role, type Task, TaskState, type TaskStatus } from '@a2a-js/sdk'
import {
  AgentEvent,
  type AgentExecutionEvent,
  type AgentExecutor,
  type RequestContext,
  type ServerCallContext,
} from '@a2a-js/sdk/server'
import type { Agent, InterfaceSchema } from '@joust/agentformat'
import { defined, isRecord, ok, own, type Result, type Value } from '@joust/source'
import type { Approver } from '../model/approval.ts'
import type { RunError } from '../model/errors.ts'
import type { RunEvent } from '../model/events.ts'
import { toValue } from '../model/json-value.ts'
import { runtimeLimits } from '../model/limits.ts'
import type { ServedResult } from '../model/options.ts'
import { textProperty } from '../model/validate-value.ts'
import type { Runtime } from '../runtime.ts'
import type { Tasks } from './a2a-tasks.ts'
import { type HeldRequest, type HeldRun, holdOptions, holdRun, TOO_MANY } from './held-run.ts'
import { type PeerMessage, type RunRequest, readPeerRequest } from './input.ts'
import { outputText } from './text.ts'

/** Runs tasks. */
export interface TaskRunner extends AgentExecutor {
  /** Reads the request of a message, or returns an error message. */
  read(message: Message, context: ServerCallContext): Result<RunRequest | undefined, string>
  isRunning(taskId: string): boolean
  /** Cancels all tasks. */
  stop(reason: Error): void
}

/** Dependencies of a runner. */
interface TaskHost {
  readonly runtime: Runtime
  readonly agent: Agent
  readonly tasks: Tasks
  readonly memoryScope: string | undefined
  readonly stream?: boolean | undefined
  /** Asks the client for approvals. */
  readonly asksClient: boolean
  readonly approvalMs?: number | undefined
}

type Publish = (event: AgentExecutionEvent) => void

/** A task, which may span several messages. */
interface RunningTask {
  readonly held: HeldRun<Result<ServedResult, RunError>>
  readonly controller: AbortController
  /** Publishes to the current message; undefined while the task waits for an answer. */
  publish: Publish | undefined
}

/** Creates the runner. Cancelling a task or stopping the server cancels the run. */
export function createTaskRunner(host: TaskHost): TaskRunner {
  const running = new Map<string, RunningTask>()
  return {
    read: (message, context) => {
      // An answer to an approval request is not an input.
      const pending = running.get(message.taskId)?.held.pending
      return pending === undefined ? readMessage(host, message, context) : ok(undefined)
    },
    isRunning: (taskId) => running.get(taskId)?.publish !== undefined,
    async execute(request, bus) {
      await runTask(host, request, (event) => bus.publish(event), running)
    },
    async cancelTask(taskId, bus) {
      const task = running.get(taskId)
      task?.controller.abort(new Error('the client cancelled the task'))
      // A task that waits for an answer has no message to report its end to.
      if (task?.publish === undefined && task !== undefined) task.publish = (event) => bus.publish(event)
    },
    stop(reason) {
      for (const { controller } of running.values()) controller.abort(reason)
    },
  }
}

/** Reads a message; earlier tasks of its context become the history. */
function readMessage({ agent, tasks }: TaskHost, message: Message, context: ServerCallContext) {
  const earlier = message.contextId === '' ? [] : tasks.inContext(message.contextId, context)
  const history = earlier.filter(({ id }) => id !== message.taskId).flatMap(taskMessages)
  return readPeerRequest(agent, peerMessage(message), history)
}

async function runTask(
  host: TaskHost,
  request: RequestContext,
  publish: Publish,
  running: Map<string, RunningTask>,
): Promise<void> {
  const { taskId, contextId, userMessage } = request
  const ids = { taskId, contextId }
  const report = (state: TaskState, text?: string) => {
    const message = text === undefined ? undefined : agentMessage(text, ids)
    publish(AgentEvent.statusUpdate({ ...ids, status: statusOf(state, message), metadata: undefined }))
  }
  const task = continueTask(running.get(taskId), userMessage, publish) ?? startTask(host, request, publish, running)
  if (typeof task === 'string') return report(TaskState.TASK_STATE_REJECTED, task)
  report(TaskState.TASK_STATE_WORKING)
  const stop = await task.held.next()
  if ('asked' in stop) {
    task.publish = undefined
    return report(TaskState.TASK_STATE_INPUT_REQUIRED, questionOf(stop.asked))
  }
  const outcome = stop.ended
  if (!outcome.ok) {
    const isStopped = task.controller.signal.aborted
    const state = isStopped ? TaskState.TASK_STATE_CANCELED : TaskState.TASK_STATE_FAILED
    return report(state, `${outcome.error.code}: ${outcome.error.message}`)
  }
  const artifact = outputArtifact(host.agent.document.interface.output, outcome.value.output ?? null)
  publish(AgentEvent.artifactUpdate({ ...ids, artifact, append: false, lastChunk: true, metadata: undefined }))
  report(TaskState.TASK_STATE_COMPLETED)
}

function startTask(
  host: TaskHost,
  { taskId, contextId, userMessage, context }: RequestContext,
  publish: Publish,
  running: Map<string, RunningTask>,
): RunningTask | string {
  const request = readMessage(host, userMessage, context)
  const status = statusOf(TaskState.TASK_STATE_SUBMITTED)
  publish(
    AgentEvent.task({ id: taskId, contextId, status, history: [userMessage], artifacts: [], metadata: undefined }),
  )
  if (!request.ok) return request.error
  const { conversation = [] } = request.value.options
  const { runtime, agent, memoryScope, stream, asksClient } = host
  const texts = createTextChunks({ taskId, contextId }, agent.document.interface.output)
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
      .finally(() => running.delete(taskId))
  }
  const task: RunningTask = { held: holdRun(start, holdOptions(defined(host))), controller, publish }
  running.set(taskId, task)
  return task
}

/** Passes the client's answer to a task that waits for it. */
function continueTask(task: RunningTask | undefined, message: Message, publish: Publish): RunningTask | undefined {
  const pending = task?.held.pending
  if (task === undefined || pending === undefined) return undefined
  const { texts, data } = peerMessage(message)
  const approved =
    own(data[0], 'approved') === true || /^\s*(?:y|yes|approve|approved)\s*[.!]?\s*$/i.test(texts.join(' '))
  task.publish = publish
  task.held.answer(pending.id, { approved, reason: approved ? 'approved by the client' : 'denied by the client' })
  return task
}

function questionOf({ request: { message, target, args } }: HeldRequest): string {
  return `${message}\n\n${target} ${JSON.stringify(args)}\n\nAnswer "yes" to approve; any other answer denies it.`
}

function statusOf(state: TaskState, message?: Message): TaskStatus {
  return { state, message, timestamp: new Date().toISOString() }
}

/** Creates the updates for the text of the root: the answer as chunks of its artifact, text beside calls as status. */
function createTextChunks(ids: { readonly taskId: string; readonly contextId: string }, output: InterfaceSchema) {
  const isPlain = own(output, 'type') === 'string'
  let open: string | undefined
  return (event: RunEvent): AgentExecutionEvent[] => {
    if (event.agent.length > 0) return []
    if (event.type === 'model-text' && isPlain) {
      const append = open === event.message
      open = event.message
      const artifact = outputArtifact(output, event.delta)
      return [AgentEvent.artifactUpdate({ ...ids, artifact, append, lastChunk: false, metadata: undefined })]
    }
    const text = intermediateText(event)
    if (text === undefined) return []
    const status = statusOf(TaskState.TASK_STATE_WORKING, agentMessage(text, ids))
    return [AgentEvent.statusUpdate({ ...ids, status, metadata: undefined })]
  }
}

/** Returns the text of a model answer that also has tool calls. */
function intermediateText(event: RunEvent): string | undefined {
  if (event.type !== 'model-answered' || event.agent.length > 0 || event.step === undefined) return undefined
  return event.calls.length > 0 && event.text !== '' ? event.text : undefined
}

/** Converts a message. Files are omitted, because a model gets only text. */
function peerMessage({ role, parts }: Pick<Message, 'role' | 'parts'>): PeerMessage {
  return { role: role === Role.ROLE_AGENT ? 'assistant' : 'user', ...contentOf(parts) }
}

/** Returns all messages in a task, the answer last. */
function taskMessages(task: Task): PeerMessage[] {
  const answers = task.artifacts.map(({ parts }): PeerMessage => ({ role: 'assistant', ...contentOf(parts) }))
  return [...task.history.map(peerMessage), ...answers]
}

function agentMessage(text: string, ids: { readonly taskId: string; readonly contextId: string }): Message {
  return {
    messageId: randomUUID(),
    role: Role.ROLE_AGENT,
    parts: [textPart(text)],
    ...ids,
    extensions: [],
    referenceTaskIds: [],
    metadata: undefined,
  }
}

/** Creates the output artifact: an object as data, unless it has a single text property; other values as text. */
function outputArtifact(schema: InterfaceSchema, output: Value): Artifact {
  const plain = textProperty(schema) !== undefined && isRecord(output) && Object.keys(output).length === 1
  const part = isRecord(output) && !plain ? dataPart(output) : textPart(outputText(schema, output), mediaType(output))
  return { artifactId: 'output', name: 'output', description: '', parts: [part], extensions: [], metadata: undefined }
}

function mediaType(output: Value): string {
  return typeof output === 'string' || isRecord(output) ? 'text/plain' : 'application/json'
}

function textPart(value: string, type = 'text/plain'): Part {
  return { content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: type }
}

function dataPart(value: Value): Part {
  return { content: { $case: 'data', value }, metadata: undefined, filename: '', mediaType: 'application/json' }
}

function contentOf(parts: readonly Part[]): Pick<PeerMessage, 'texts' | 'data'> {
  const texts = parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : []))
  const data = parts.flatMap(({ content }) => {
    const value = content?.$case === 'data' ? toValue(content.value) : undefined
    return value?.ok ? [value.value] : []
  })
  return { texts, data }
}
