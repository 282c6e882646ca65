/** HTTP+JSON, the binding of A2A without JSON-RPC: a method is a path, a result the body, an error a status. Messages are those of 1.0. */
import { isRecord, own, type Value, type ValueRecord, writeJson } from '@joust/source'
import { changed, changedAll } from '../../drivers/a2a/change.ts'
import { jsonRpcCodes } from '../../drivers/json-rpc.ts'

interface Way {
  readonly method: 'GET' | 'POST'
  /** The path of 1.0; `{id}` is the task. */
  readonly path: string
}

const ways: Readonly<Record<string, Way>> = {
  SendMessage: { method: 'POST', path: '/message:send' },
  SendStreamingMessage: { method: 'POST', path: '/message:stream' },
  GetTask: { method: 'GET', path: '/tasks/{id}' },
  ListTasks: { method: 'GET', path: '/tasks' },
  CancelTask: { method: 'POST', path: '/tasks/{id}:cancel' },
  SubscribeToTask: { method: 'POST', path: '/tasks/{id}:subscribe' },
  GetExtendedAgentCard: { method: 'GET', path: '/extendedAgentCard' },
}

/** A request of 1.0 as a call of HTTP; undefined for a method that the binding does not have. */
export function restCall(
  base: string,
  isOld: boolean,
  request: Value,
): { readonly method: string; readonly url: string; readonly body?: string } | undefined {
  const named = isRecord(request) ? request : {}
  const way = ways[String(own(named, 'method'))]
  if (way === undefined) return undefined
  const given = own(named, 'params')
  const { id, ...params } = isRecord(given) ? given : {}
  const path = isOld && way === ways.GetExtendedAgentCard ? '/card' : way.path
  const url = new URL(
    `${base.replace(/\/+$/, '')}${isOld ? '/v1' : ''}${path.replace('{id}', () => encodeURIComponent(String(id)))}`,
  )
  if (way.method === 'POST')
    return { method: 'POST', url: url.href, body: writeJson(isOld ? changedAtMessage(params, protoMessage) : params) }
  for (const [key, value] of Object.entries(params))
    url.searchParams.set(key, typeof value === 'string' ? value : writeJson(value))
  return { method: 'GET', url: url.href }
}

/** What came back, as the JSON-RPC of 1.0. */
export function restResponse(id: Value, isOld: boolean, status: number, body: Value): Value {
  const isDone = status >= 200 && status < 300
  if (isDone) return { jsonrpc: '2.0', id, result: isOld ? fromProto(body) : body }
  return { jsonrpc: '2.0', id, error: restError(status, body) }
}

/** An error, by its status: what the caller has asked for wrongly is told from a server that has failed. */
export function restError(status: number, body: Value): ValueRecord {
  const error = isRecord(body) && isRecord(own(body, 'error')) ? own(body, 'error') : body
  const said = isRecord(error) ? own(error, 'message') : undefined
  const message = typeof said === 'string' ? said : `HTTP ${status}`
  if (status === 404) return { code: TASK_NOT_FOUND, message }
  return { code: status >= 500 ? jsonRpcCodes.internalError : jsonRpcCodes.invalidParams, message }
}

const TASK_NOT_FOUND = -32001

/** 0.3 spells a few things over HTTP+JSON as its protobuf does, and not as its JSON-RPC. */
function protoMessage({ parts, ...message }: ValueRecord): Value {
  return {
    ...message,
    ...(parts !== undefined && { content: changedAll({ parts }, 'parts', protoPart).parts ?? parts }),
  }
}

function protoPart({ url, raw, data, mediaType, filename: _, ...part }: ValueRecord): Value {
  const file = url === undefined ? { fileWithBytes: raw ?? '' } : { fileWithUri: url }
  return {
    ...part,
    ...(data !== undefined && { data: { data } }),
    ...((url ?? raw) !== undefined && { file: { ...file, ...(mediaType !== undefined && { mimeType: mediaType }) } }),
  }
}

function fromProto(result: Value): Value {
  if (!isRecord(result)) return result
  return {
    ...(own(result, 'status') === undefined ? result : plainTask(result)),
    ...changed(result, 'task', plainTask),
    ...changed(result, 'message', plainMessage),
    ...changed(result, 'statusUpdate', plainTask),
    ...changed(result, 'artifactUpdate', (update) => ({ ...update, ...changed(update, 'artifact', plainArtifact) })),
  }
}

function plainTask(task: ValueRecord): ValueRecord {
  const status = ({ update, ...rest }: ValueRecord) =>
    isRecord(update) ? { ...rest, message: plainMessage(update) } : rest
  return {
    ...task,
    ...changed(task, 'status', status),
    ...changedAll(task, 'artifacts', plainArtifact),
    ...changedAll(task, 'history', plainMessage),
  }
}

function plainArtifact(artifact: ValueRecord): Value {
  return { ...artifact, ...changedAll(artifact, 'parts', plainPart) }
}

function plainMessage({ content, ...message }: ValueRecord): Value {
  return {
    ...message,
    ...(content !== undefined && { parts: changedAll({ content }, 'content', plainPart).content ?? content }),
  }
}

function plainPart({ file, data, ...part }: ValueRecord): Value {
  if (isRecord(file)) {
    const { fileWithUri, fileWithBytes, mimeType, ...rest } = file
    const type = mimeType === undefined ? {} : { mediaType: mimeType }
    return {
      ...part,
      ...rest,
      ...type,
      ...(fileWithUri === undefined ? { raw: fileWithBytes ?? '' } : { url: fileWithUri }),
    }
  }
  const inner = isRecord(data) ? own(data, 'data') : undefined
  return { ...part, ...((inner ?? data) !== undefined && { data: inner ?? data ?? null }) }
}

function changedAtMessage(params: ValueRecord, change: (message: ValueRecord) => Value): ValueRecord {
  return { ...params, ...changed(params, 'message', change), ...changed(params, 'configuration', protoConfiguration) }
}

function protoConfiguration({ returnImmediately, ...rest }: ValueRecord): Value {
  return returnImmediately === undefined ? rest : { ...rest, blocking: returnImmediately !== true }
}
