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
import { defined, isRecord, type Result, type Value } from '@joust/source'
import type { RunEvent } from '../model/events.ts'
import { toValue } from '../model/json-value.ts'
import { textProperty } from '../model/validate-value.ts'
import type { Runtime } from '../runtime.ts'
import type { Tasks } from './a2a-tasks.ts'
import { type PeerMessage, type RunRequest, readPeerRequest } from './input.ts'
import { outputText } from './text.ts'

/** Runs tasks. */
export interface TaskRunner extends AgentExecutor {
  /** Reads the request of a message, or returns an error message. */
  read(message: Message, context: ServerCallContext): Result<RunRequest, string>
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
}

/** Creates the runner. Cancelling a task or stopping the server cancels the run. */
export function createTaskRunner(host: TaskHost): TaskRunner {
  const running = new Map<string, AbortController>()
  return {
    read: (message, context) => readMessage(host, message, context),
    isRunning: (taskId) => running.has(taskId),
    async execute(request, bus) {
      const controller = new AbortController()
      running.set(request.taskId, controller)
      try {
        await runTask(host, request, (event) => bus.publish(event), controller.signal)
      } finally {
        running.delete(request.taskId)
      }
    },
    async cancelTask(taskId) {
      running.get(taskId)?.abort(new Error('the client cancelled the task'))
    },
    stop(reason) {
      for (const controller of running.values()) controller.abort(reason)
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
  { taskId, contextId, userMessage, context }: RequestContext,
  publish: (event: AgentExecutionEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const ids = { taskId, contextId }
  const report = (state: TaskState, text?: string) => {
    const message = text === undefined ? undefined : agentMessage(text, ids)
    publish(AgentEvent.statusUpdate({ ...ids, status: statusOf(state, message), metadata: undefined }))
  }
  const { runtime, agent, memoryScope, stream } = host
  const request = readMessage(host, userMessage, context)
  const status = statusOf(TaskState.TASK_STATE_SUBMITTED)
  publish(
    AgentEvent.task({ id: taskId, contextId, status, history: [userMessage], artifacts: [], metadata: undefined }),
  )
  if (!request.ok) return report(TaskState.TASK_STATE_REJECTED, request.error)
  report(TaskState.TASK_STATE_WORKING)
  const { conversation = [] } = request.value.options
  const onEvent = (event: RunEvent) => {
    const text = intermediateText(event)
    if (text !== undefined) report(TaskState.TASK_STATE_WORKING, text)
  }
  const options = { memoryScope, conversation, signal, onEvent, ...defined({ stream }) }
  const outcome = await runtime.run(agent, request.value.input, options)
  if (!outcome.ok) {
    const state = signal.aborted ? TaskState.TASK_STATE_CANCELED : TaskState.TASK_STATE_FAILED
    return report(state, `${outcome.error.code}: ${outcome.error.message}`)
  }
  const artifact = outputArtifact(agent.document.interface.output, outcome.value.output)
  publish(AgentEvent.artifactUpdate({ ...ids, artifact, append: false, lastChunk: true, metadata: undefined }))
  report(TaskState.TASK_STATE_COMPLETED)
}

function statusOf(state: TaskState, message?: Message): TaskStatus {
  return { state, message, timestamp: new Date().toISOString() }
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

/** Returns all messages of a task, the answer last. */
function taskMessages(task: Task): PeerMessage[] {
  const answers = task.artifacts.map(({ parts }): PeerMessage => ({ role: 'assistant', ...contentOf(parts) }))
  return [...task.history.map(peerMessage), ...answers]
}

/** Creates a message of the agent. */
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
