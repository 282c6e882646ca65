/** A2A 0.3, which documents are written in, and 1.0 over JSON-RPC: the same messages in other words. */
import { isList, isRecord, own, type Value, type ValueRecord } from '@joust/source'

/** The methods of 0.3 by what 1.0 calls them. */
const methods: ReadonlyMap<string, string> = new Map([
  ['message/send', 'SendMessage'],
  ['message/stream', 'SendStreamingMessage'],
  ['tasks/get', 'GetTask'],
  ['tasks/list', 'ListTasks'],
  ['tasks/cancel', 'CancelTask'],
  ['tasks/resubscribe', 'SubscribeToTask'],
  ['agent/getAuthenticatedExtendedCard', 'GetExtendedAgentCard'],
])

/** A request of 0.3 in 1.0; undefined where 1.0 has no such method. */
export function newerRequest(request: ValueRecord): Value | undefined {
  const method = methods.get(String(own(request, 'method')))
  if (method === undefined) return undefined
  const params = own(request, 'params')
  return {
    ...request,
    method,
    ...(params !== undefined && { params: isRecord(params) ? newerParams(params) : params }),
  }
}

function newerParams(params: ValueRecord): Value {
  return {
    ...params,
    ...changed(params, 'message', newerMessage),
    ...changed(params, 'configuration', newerConfiguration),
  }
}

function newerConfiguration({ blocking, ...rest }: ValueRecord): Value {
  return blocking === undefined ? rest : { ...rest, returnImmediately: blocking === false }
}

function newerMessage({ kind: _, ...message }: ValueRecord): Value {
  const role = own(message, 'role')
  return {
    ...message,
    ...(typeof role === 'string' && { role: `ROLE_${role.toUpperCase()}` }),
    ...changedAll(message, 'parts', newerPart),
  }
}

/** A part is known by what it holds, and a file is one of two of its fields. */
function newerPart({ kind: _, file, ...part }: ValueRecord): Value {
  if (!isRecord(file)) return part
  const { uri, bytes, name, mimeType, ...rest } = file
  return {
    ...part,
    ...rest,
    ...(uri !== undefined && { url: uri }),
    ...(bytes !== undefined && { raw: bytes }),
    ...(name !== undefined && { filename: name }),
    ...(mimeType !== undefined && { mediaType: mimeType }),
  }
}

/** An answer of 1.0, or one message of a stream, in 0.3. */
export function olderResponse(response: Value): Value {
  return isRecord(response) ? { ...response, ...changed(response, 'result', olderResult) } : response
}

/** What 1.0 wraps into its name has the name as `kind` in 0.3. */
function olderResult(result: ValueRecord): Value {
  const [task, message, status, artifact] = ['task', 'message', 'statusUpdate', 'artifactUpdate'].map((name) =>
    own(result, name),
  )
  if (isRecord(task)) return olderTask(task)
  if (isRecord(message)) return olderMessage(message)
  if (isRecord(status)) return { kind: 'status-update', final: isFinal(status), ...status, ...olderStatus(status) }
  if (isRecord(artifact))
    return { kind: 'artifact-update', ...artifact, ...changed(artifact, 'artifact', olderArtifact) }
  if (isList(own(result, 'tasks'))) return { ...result, ...changedAll(result, 'tasks', olderTask) }
  return isRecord(own(result, 'status')) ? olderTask(result) : result
}

function olderTask(task: ValueRecord): Value {
  return {
    kind: 'task',
    ...task,
    ...olderStatus(task),
    ...changedAll(task, 'artifacts', olderArtifact),
    ...changedAll(task, 'history', olderMessage),
  }
}

function olderStatus(holder: ValueRecord): ValueRecord {
  return changed(holder, 'status', (status) => {
    const state = own(status, 'state')
    return {
      ...status,
      ...(typeof state === 'string' && { state: olderState(state) }),
      ...changed(status, 'message', olderMessage),
    }
  })
}

function olderState(state: string): string {
  return state
    .replace(/^TASK_STATE_/, '')
    .toLowerCase()
    .replaceAll('_', '-')
}

const ends: ReadonlySet<string> = new Set(['completed', 'failed', 'canceled', 'rejected'])

function isFinal(update: ValueRecord): boolean {
  const status = own(update, 'status')
  return isRecord(status) && ends.has(olderState(String(own(status, 'state'))))
}

function olderArtifact(artifact: ValueRecord): Value {
  return { ...artifact, ...changedAll(artifact, 'parts', olderPart) }
}

function olderMessage(message: ValueRecord): Value {
  const role = own(message, 'role')
  return {
    kind: 'message',
    ...message,
    ...(typeof role === 'string' && { role: role.replace(/^ROLE_/, '').toLowerCase() }),
    ...changedAll(message, 'parts', olderPart),
  }
}

function olderPart(part: ValueRecord): Value {
  const { url, raw, filename, mediaType, ...rest } = part
  if (own(rest, 'text') !== undefined) return { kind: 'text', ...rest }
  if (url === undefined && raw === undefined) return { kind: 'data', ...rest }
  const file = {
    ...(url !== undefined && { uri: url }),
    ...(raw !== undefined && { bytes: raw }),
    ...(filename !== undefined && { name: filename }),
    ...(mediaType !== undefined && { mimeType: mediaType }),
  }
  return { kind: 'file', ...rest, file }
}

function changed(holder: ValueRecord, key: string, change: (value: ValueRecord) => Value): ValueRecord {
  const value = own(holder, key)
  return isRecord(value) ? { [key]: change(value) } : {}
}

function changedAll(holder: ValueRecord, key: string, change: (value: ValueRecord) => Value): ValueRecord {
  const values = own(holder, key)
  return isList(values) ? { [key]: values.map((value) => (isRecord(value) ? change(value) : value)) } : {}
}
