/** HTTP+JSON, the A2A 1.0 binding without JSON-RPC: methods are paths, errors are status codes. */

import {
  a2aCodes,
  changed,
  changedAll,
  isSuccess,
  jsonRpcCodes,
  olderConfiguration,
  restPaths,
  translator,
} from '@joust/arena/wire'
import { isRecord, own, ownText, type Value, type ValueRecord, writeJson } from '@joust/source'

/** Translates a 1.0 request into an HTTP call; undefined for methods that the binding lacks. */
export function restCall(
  base: string,
  isOld: boolean,
  request: Value,
): { readonly method: string; readonly url: string; readonly body?: string } | undefined {
  const row = restPaths.find(({ name }) => name === own(request, 'method'))
  if (row === undefined) return undefined
  const requestParams = own(request, 'params')
  const params = new Map(isRecord(requestParams) ? Object.entries(requestParams) : [])
  const path = (isOld && row.name === 'GetExtendedAgentCard' ? '/card' : row.path).replace(/\{(\w+)\}/g, (_, name) => {
    const value = params.get(name)
    params.delete(name)
    return encodeURIComponent(String(value))
  })
  const url = new URL(`${base.replace(/\/+$/, '')}${isOld ? '/v1' : ''}${path}`)
  const body = Object.fromEntries(params)
  if (row.verb === 'POST') return { method: 'POST', url: url.href, body: writeJson(isOld ? protoParams(body) : body) }
  for (const [key, value] of params) url.searchParams.set(key, typeof value === 'string' ? value : writeJson(value))
  return { method: row.verb, url: url.href }
}

/** Translates a response into A2A 1.0 over JSON-RPC. */
export function restResponse(id: Value, isOld: boolean, status: number, body: Value): Value {
  if (isSuccess(status)) return { jsonrpc: '2.0', id, result: isOld ? fromProto(body) : body }
  return { jsonrpc: '2.0', id, error: restError(status, body) }
}

/** Translates an error response: 404 to an unknown task, other 4xx to invalid parameters, 5xx to an internal error. */
export function restError(status: number, body: Value): ValueRecord {
  const message = ownText(own(body, 'error'), 'message') ?? ownText(body, 'message') ?? `HTTP ${status}`
  if (status === 404) return { code: a2aCodes.taskNotFound, message }
  return { code: status >= 500 ? jsonRpcCodes.internalError : jsonRpcCodes.invalidParams, message }
}

/** Renames parameters to match the protobuf schema, some of whose names A2A 0.3 over HTTP+JSON uses. */
function protoParams(params: ValueRecord): ValueRecord {
  return {
    ...params,
    ...changed(params, 'message', protoMessage),
    ...changed(params, 'configuration', olderConfiguration),
  }
}

function protoMessage(source: ValueRecord): Value {
  const { parts, ...message } = { ...source, ...changedAll(source, 'parts', protoPart) }
  return parts === undefined ? message : { ...message, content: parts }
}

function protoPart({ url, raw, data, mediaType, filename: _, ...part }: ValueRecord): Value {
  const file = url === undefined ? { fileWithBytes: raw ?? '' } : { fileWithUri: url }
  return {
    ...part,
    ...(data !== undefined && { data: { data } }),
    ...((url ?? raw) !== undefined && { file: { ...file, ...(mediaType !== undefined && { mimeType: mediaType }) } }),
  }
}

const plain = translator({
  message: ({ content, ...message }) => (content === undefined ? message : { ...message, parts: content }),
  part: plainPart,
  status: ({ update, ...status }) => (isRecord(update) ? { ...status, message: update } : status),
})

function fromProto(result: Value): Value {
  if (!isRecord(result)) return result
  return {
    ...(own(result, 'status') === undefined ? result : plain.task(result)),
    ...changed(result, 'task', plain.task),
    ...changed(result, 'message', plain.message),
    ...changed(result, 'statusUpdate', plain.task),
    ...changed(result, 'artifactUpdate', plain.task),
  }
}

function plainPart({ file, data, ...part }: ValueRecord): Value {
  if (isRecord(file)) {
    const { fileWithUri, fileWithBytes, mimeType, ...rest } = file
    const type = mimeType === undefined ? {} : { mediaType: mimeType }
    const content = fileWithUri === undefined ? { raw: fileWithBytes ?? '' } : { url: fileWithUri }
    return { ...part, ...rest, ...type, ...content }
  }
  const content = own(data, 'data') ?? data
  return content === undefined ? part : { ...part, data: content }
}
