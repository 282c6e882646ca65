/** A2A messages, artifacts and status updates. */
import { randomUUID } from 'node:crypto'
import { type Artifact, type Message, type Part, Role, type Task, type TaskState, type TaskStatus } from '@a2a-js/sdk'
import { AgentEvent, type AgentExecutionEvent } from '@a2a-js/sdk/server'
import type { InterfaceSchema } from '@joust/agentformat'
import { isRecord, type Value } from '@joust/source'
import { toValue } from '../model/json-value.ts'
import { outputText } from '../model/output-text.ts'
import { textProperty } from '../model/validate-value.ts'
import type { PeerMessage } from './input.ts'

export interface TaskIds {
  readonly taskId: string
  readonly contextId: string
}

/** Creates an update to a new state, with an optional message from the agent. */
export function statusUpdate(ids: TaskIds, state: TaskState, text?: string): AgentExecutionEvent {
  const { taskId, contextId } = ids
  const message = text === undefined ? undefined : agentMessage(text, { taskId, contextId })
  return AgentEvent.statusUpdate({ taskId, contextId, status: statusOf(state, message), metadata: undefined })
}

export function statusOf(state: TaskState, message?: Message): TaskStatus {
  return { state, message, timestamp: new Date().toISOString() }
}

/** Converts a message. Files are omitted, because models get only text. */
export function peerMessage({ role, parts }: Pick<Message, 'role' | 'parts'>): PeerMessage {
  return { role: role === Role.ROLE_AGENT ? 'assistant' : 'user', ...contentOf(parts) }
}

/** Returns all messages of a task, followed by its artifacts. */
export function taskMessages(task: Task): PeerMessage[] {
  const answers = task.artifacts.map(({ parts }): PeerMessage => ({ role: 'assistant', ...contentOf(parts) }))
  return [...task.history.map(peerMessage), ...answers]
}

function agentMessage(text: string, ids: TaskIds): Message {
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

/** Creates the output artifact: objects as data, except for a single text property; other values as text. */
export function outputArtifact(schema: InterfaceSchema, output: Value): Artifact {
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
