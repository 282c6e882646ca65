/** Collects a remote agent's response from a message, a task or a stream. */
import {
  type Artifact,
  type Message,
  type Part,
  type StreamResponse,
  type Task,
  TaskState,
  type TaskStatusUpdateEvent,
} from '@a2a-js/sdk'
import { isRecord, type Value } from '@joust/source'
import type { Observation, RemoteThread } from '../model/connection.ts'
import { toValue } from '../model/json-value.ts'
import { runtimeLimits } from '../model/limits.ts'

/** Added to the size of each part, because empty parts use memory too. */
const PART_SIZE = 100

export class RemoteAnswer {
  #message: Message | undefined
  #state: TaskState | undefined
  #status: Message | undefined
  #size = 0
  #isSnapshot = false
  readonly #artifacts = new Map<string, Part[]>()
  #contextId = ''
  #taskId = ''

  /** The current task id; empty without a task. */
  get taskId(): string {
    return this.#taskId
  }

  get isComplete(): boolean {
    return this.#message !== undefined || (this.#state !== undefined && !working.has(this.#state))
  }

  /** True if a stream has ended. A stream that continues a task may first repeat an earlier status. */
  get isOver(): boolean {
    return this.isComplete && !(this.#isSnapshot && this.#state !== undefined && waiting.has(this.#state))
  }

  takeMessage(message: Message): void {
    this.#message = message
    this.#contextId = message.contextId || this.#contextId
    this.#count(message.parts)
  }

  takeTask(task: Task): void {
    this.#taskId = task.id
    this.#contextId = task.contextId || this.#contextId
    this.#state = task.status?.state ?? TaskState.TASK_STATE_UNSPECIFIED
    this.#status = task.status?.message ?? this.#status
    this.#artifacts.clear()
    for (const artifact of task.artifacts ?? []) this.#takeArtifact(artifact, false)
  }

  takeEvent({ payload }: StreamResponse): void {
    switch (payload?.$case) {
      case 'message':
        this.takeMessage(payload.value)
        break
      case 'task':
        this.takeTask(payload.value)
        this.#isSnapshot = true
        break
      case 'statusUpdate':
        this.#takeStatus(payload.value)
        break
      case 'artifactUpdate':
        if (payload.value.artifact !== undefined) this.#takeArtifact(payload.value.artifact, payload.value.append)
        break
      default:
        throw new Error('the agent sent an unknown event type')
    }
  }

  /** Returns the response for the model and updates the conversation. Throws if there is no response. */
  observe(thread: RemoteThread | undefined): Observation {
    if (thread !== undefined) {
      if (this.#contextId !== '') thread.contextId = this.#contextId
      if (this.#state === TaskState.TASK_STATE_INPUT_REQUIRED) thread.taskId = this.#taskId
      else delete thread.taskId
    }
    if (this.#message !== undefined) return { content: partsContent(this.#message.parts), isError: false }
    const parts = [...this.#artifacts.values()].flat()
    const statusContent = partsContent(this.#status?.parts ?? [])
    if (this.#state === TaskState.TASK_STATE_COMPLETED)
      return { content: parts.length > 0 ? partsContent(parts) : statusContent, isError: false }
    const state = this.#state === undefined ? undefined : interruptedStates[this.#state]
    if (state === undefined) throw new Error('the agent sent no response')
    return { content: withState(state, statusContent), isError: this.#state !== TaskState.TASK_STATE_INPUT_REQUIRED }
  }

  #takeStatus({ status, taskId, contextId }: TaskStatusUpdateEvent): void {
    this.#taskId = taskId || this.#taskId
    this.#contextId = contextId || this.#contextId
    this.#state = status?.state ?? this.#state
    this.#status = status?.message ?? this.#status
    this.#isSnapshot = false
    this.#count(status?.message?.parts ?? [])
  }

  #takeArtifact({ artifactId, parts }: Artifact, append: boolean): void {
    const existing = append ? this.#artifacts.get(artifactId) : undefined
    if (existing === undefined) this.#artifacts.set(artifactId, [...parts])
    else for (const part of parts) existing.push(part)
    this.#count(parts)
  }

  #count(parts: readonly Part[]): void {
    for (const { content } of parts) {
      if (content === undefined) throw new Error('the agent sent an unknown part type')
      this.#size += content.$case === 'data' ? PART_SIZE : PART_SIZE + content.value.length
    }
    if (this.#size > runtimeLimits.remoteCharacters)
      throw new Error(`the response is larger than ${runtimeLimits.remoteCharacters} characters`)
  }
}

const working = new Set([TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING])
const waiting = new Set([TaskState.TASK_STATE_INPUT_REQUIRED, TaskState.TASK_STATE_AUTH_REQUIRED])

/** Descriptions of all end states except completed. All but `input-required` are errors. */
const interruptedStates: { readonly [state in TaskState]?: string } = {
  [TaskState.TASK_STATE_INPUT_REQUIRED]: 'the agent needs more input to continue',
  [TaskState.TASK_STATE_AUTH_REQUIRED]: 'the agent needs authorization to continue',
  [TaskState.TASK_STATE_FAILED]: 'the agent failed',
  [TaskState.TASK_STATE_REJECTED]: 'the agent rejected the task',
  [TaskState.TASK_STATE_CANCELED]: 'the task was cancelled',
}

function withState(state: string, said: Value): Value {
  if (typeof said === 'string') return said === '' ? state : `${state}: ${said}`
  return isRecord(said) ? { state, ...said } : { state, said }
}

function partsContent(parts: readonly Part[]): Value {
  const data: Value[] = []
  const lines: string[] = []
  for (const part of parts) {
    if (part.content?.$case !== 'data') {
      lines.push(partText(part))
      continue
    }
    const value = toValue(part.content.value)
    data.push(value.ok ? value.value : `(${value.error})`)
  }
  const text = lines.join('\n')
  if (data.length === 0) return text
  if (text === '' && data.length === 1) return data[0] ?? null
  return { ...(text === '' ? {} : { text }), data }
}

function partText({ content, filename, mediaType }: Part): string {
  if (content?.$case === 'text') return content.value
  const named = [filename, mediaType].filter((part) => part !== '' && part !== undefined).join(', ')
  const about = named === '' ? '' : ` ${named}`
  if (content?.$case === 'url') return `[file${about} at ${content.value}]`
  // Parts without content were rejected on arrival.
  return `[file${about}, ${content?.value.length ?? 0} bytes]`
}
