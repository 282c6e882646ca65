/** Translation between A2A 0.3, in which documents are written, and 1.0. */

import { defined, isList, isRecord, own, ownText, type Value, type ValueRecord } from '@joust/source'
import {
  isPush,
  modernConfig,
  modernPushParams,
  modernPushResult,
  olderConfig,
  olderPushParams,
  olderPushResult,
  pushMethods,
} from './push-versions.ts'

const modernMethods: ReadonlyMap<string, string> = new Map([
  ['message/send', 'SendMessage'],
  ['message/stream', 'SendStreamingMessage'],
  ['tasks/get', 'GetTask'],
  ['tasks/list', 'ListTasks'],
  ['tasks/cancel', 'CancelTask'],
  ['tasks/resubscribe', 'SubscribeToTask'],
  ['agent/getAuthenticatedExtendedCard', 'GetExtendedAgentCard'],
  ...pushMethods,
])
const olderMethods: ReadonlyMap<string, string> = new Map([...modernMethods].map(([older, newer]) => [newer, older]))

interface Translations {
  message(message: ValueRecord): ValueRecord
  part(part: ValueRecord): Value
  status(status: ValueRecord): ValueRecord
}

/** Creates functions that translate messages and tasks, including their parts. */
export function translator({ message, part, status }: Translations) {
  const withParts = (holder: ValueRecord): ValueRecord => ({ ...holder, ...changedAll(holder, 'parts', part) })
  const ofMessage = (original: ValueRecord): ValueRecord => withParts(message(original))
  const ofStatus = (original: ValueRecord): ValueRecord => {
    const translated = status(original)
    return { ...translated, ...changed(translated, 'message', ofMessage) }
  }
  return {
    message: ofMessage,
    task: (task: ValueRecord): ValueRecord => ({
      ...task,
      ...changed(task, 'status', ofStatus),
      ...changed(task, 'artifact', withParts),
      ...changedAll(task, 'artifacts', withParts),
      ...changedAll(task, 'history', ofMessage),
    }),
  }
}

/** Changes the field `key` if its value is an object. */
export function changed(holder: ValueRecord, key: string, change: (value: ValueRecord) => Value): ValueRecord {
  const value = own(holder, key)
  return isRecord(value) ? { [key]: change(value) } : {}
}

/** Changes every object in the list `key`. */
export function changedAll(holder: ValueRecord, key: string, change: (value: ValueRecord) => Value): ValueRecord {
  const values = own(holder, key)
  return isList(values) ? { [key]: values.map((value) => (isRecord(value) ? change(value) : value)) } : {}
}

function respelled(holder: ValueRecord, key: string, spell: (text: string) => string): ValueRecord {
  const text = ownText(holder, key)
  return text === undefined ? {} : { [key]: spell(text) }
}

const newer = translator({
  message: ({ kind: _, ...message }) => ({
    ...message,
    ...respelled(message, 'role', (role) => `ROLE_${role.toUpperCase()}`),
  }),
  part: modernPart,
  status: (status) => ({ ...status, ...respelled(status, 'state', modernState) }),
})

export function modernState(state: string): string {
  return `TASK_STATE_${state.toUpperCase().replaceAll('-', '_')}`
}

/** A2A 1.0 has no `kind`, and stores a file in `url` or `raw`. A part of an unknown kind is left unchanged. */
function modernPart(written: ValueRecord): Value {
  const { kind, file, ...part } = written
  if (kind !== undefined && kind !== 'text' && kind !== 'file' && kind !== 'data') return written
  if (!isRecord(file)) return part
  const { uri, bytes, name, mimeType, ...rest } = file
  return { ...part, ...rest, ...defined({ url: uri, raw: bytes, filename: name, mediaType: mimeType }) }
}

/** Converts a 0.3 request to A2A 1.0. Returns undefined if 1.0 does not have the method. */
export function modernRequest(request: ValueRecord): ValueRecord | undefined {
  const older = String(own(request, 'method'))
  const method = modernMethods.get(older)
  if (method === undefined) return undefined
  if (isPush(older))
    return { ...request, method, ...changed(request, 'params', (params) => modernPushParams(older, params)) }
  const change = (params: ValueRecord) => ({
    ...params,
    ...changed(params, 'message', newer.message),
    ...changed(params, 'configuration', modernConfiguration),
  })
  return { ...request, method, ...changed(request, 'params', change) }
}

function modernConfiguration({ blocking, pushNotificationConfig: push, ...rest }: ValueRecord): Value {
  return {
    ...rest,
    ...(blocking !== undefined && { returnImmediately: blocking === false }),
    ...(push !== undefined && { taskPushNotificationConfig: isRecord(push) ? modernConfig(push) : push }),
  }
}

/** Wrappers in 1.0 by the `kind` in 0.3; only responses to messages have several kinds. */
const wrapped: ReadonlyMap<Value | undefined, readonly [name: string, change: (result: ValueRecord) => Value]> =
  new Map([
    ['task', ['task', modernTask]],
    ['message', ['message', newer.message]],
    ['status-update', ['statusUpdate', modernUpdate]],
    ['artifact-update', ['artifactUpdate', modernUpdate]],
  ] as const)

/** `method` is the 0.3 name. Unknown results are left unchanged. */
export function modernResult(method: string, result: Value): Value {
  if (isPush(method)) return modernPushResult(method, result)
  if (!isRecord(result)) return result
  if (method === 'tasks/list') return { ...result, ...changedAll(result, 'tasks', modernTask) }
  if (method === 'tasks/get' || method === 'tasks/cancel') return modernTask(result)
  const [name, change] = wrapped.get(own(result, 'kind')) ?? []
  return name === undefined || change === undefined ? result : { [name]: change(result) }
}

function modernTask({ kind: _, ...task }: ValueRecord): Value {
  return newer.task(task)
}

/** In A2A 1.0, the end of the stream replaces `final`. */
function modernUpdate({ final: _, ...update }: ValueRecord): Value {
  return modernTask(update)
}

const older = translator({
  message: (message) => ({
    kind: 'message',
    ...message,
    ...respelled(message, 'role', (role) => role.replace(/^ROLE_/, '').toLowerCase()),
  }),
  part: olderPart,
  status: (status) => ({ ...status, ...respelled(status, 'state', olderState) }),
})

function olderState(state: string): string {
  return state
    .replace(/^TASK_STATE_/, '')
    .toLowerCase()
    .replaceAll('_', '-')
}

function olderPart(part: ValueRecord): Value {
  const { url, raw, filename, mediaType, ...rest } = part
  if (own(rest, 'text') !== undefined) return { kind: 'text', ...rest }
  if (url === undefined && raw === undefined) return { kind: 'data', ...rest }
  return { kind: 'file', ...rest, file: defined({ uri: url, bytes: raw, name: filename, mimeType: mediaType }) }
}

/** Converts a 1.0 request to A2A 0.3. Returns undefined for an unknown method. */
export function olderRequest(
  method: string,
  params: Value,
): { readonly method: string; readonly params: Value } | undefined {
  const olderMethod = olderMethods.get(method)
  if (olderMethod === undefined) return undefined
  if (!isRecord(params)) return { method: olderMethod, params }
  if (isPush(olderMethod)) return { method: olderMethod, params: olderPushParams(olderMethod, params) }
  const changes = {
    ...changed(params, 'message', older.message),
    ...changed(params, 'configuration', olderConfiguration),
  }
  return { method: olderMethod, params: { ...params, ...changes } }
}

/** Converts a request configuration to A2A 0.3. */
export function olderConfiguration({
  returnImmediately,
  taskPushNotificationConfig: push,
  ...rest
}: ValueRecord): Value {
  return {
    ...rest,
    ...(returnImmediately !== undefined && { blocking: returnImmediately !== true }),
    ...(push !== undefined && { pushNotificationConfig: isRecord(push) ? olderConfig(push) : push }),
  }
}

/** Converts a 1.0 response, or one message in a stream, to A2A 0.3. */
export function olderResponse(response: Value): Value {
  return isRecord(response) ? { ...response, ...changed(response, 'result', olderResult) } : response
}

/** The wrapper name becomes `kind`. */
function olderResult(result: ValueRecord): Value {
  const { task, message, statusUpdate, artifactUpdate } = result
  if (isRecord(task)) return olderTask(task)
  if (isRecord(message)) return older.message(message)
  if (isRecord(statusUpdate))
    return { kind: 'status-update', final: isFinal(statusUpdate), ...older.task(statusUpdate) }
  if (isRecord(artifactUpdate)) return { kind: 'artifact-update', ...older.task(artifactUpdate) }
  const push = olderPushResult(result)
  if (push !== undefined) return push
  if (isList(own(result, 'tasks'))) return { ...result, ...changedAll(result, 'tasks', olderTask) }
  return isRecord(own(result, 'status')) ? olderTask(result) : result
}

function olderTask(task: ValueRecord): Value {
  return { kind: 'task', ...older.task(task) }
}

const ends: ReadonlySet<string> = new Set(['completed', 'failed', 'canceled', 'rejected'])

function isFinal(update: ValueRecord): boolean {
  return ends.has(olderState(String(own(own(update, 'status'), 'state'))))
}
