/** Translates requests of A2A 1.0 clients to 0.3, and the responses back. */
import { isRecord, own, type Value, writeJson } from '@joust/source'
import type { HttpRequest } from '../../model/http.ts'
import { a2aCodes, restPaths } from '../a2a/endpoints.ts'
import { modernResult, olderRequest } from '../a2a/versions.ts'
import { requestText } from '../http-body.ts'
import { type Answered, jsonRpcCodes, readValue } from '../json-rpc.ts'
import type { Form } from './write-answer.ts'

export function asksModern({ headers }: HttpRequest): boolean {
  return headers['a2a-version']?.startsWith('1.') === true
}

export interface RestRequest {
  /** The A2A 0.3 method name. */
  readonly method: string
  readonly params: Value
  /** The reason if the body is malformed. */
  readonly fault?: string
}

const routes = restPaths.map((row) => ({
  ...row,
  pattern: new RegExp(`${row.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/:]+)')}$`),
}))

/** Returns undefined if the request is not HTTP+JSON. */
export function readRest(request: HttpRequest, maxBytes: number): RestRequest | undefined {
  const { text, fault } = requestText(request)
  const body = text.trim() === '' ? undefined : readValue(text, maxBytes, fault)
  const older = restRequest(request, body?.ok === true ? body.value : {})
  return older && { ...older, ...(body?.ok === false && { fault: body.error.reason }) }
}

/** Reads the path and body of an HTTP+JSON request. Returns undefined for any other path. */
export function restRequest(
  { method, target }: Pick<HttpRequest, 'method' | 'target'>,
  body: Value,
): RestRequest | undefined {
  const [pathname = '', query = ''] = target.split('?')
  const route = routes.find(({ verb, pattern }) => verb === method && pattern.test(pathname))
  if (route === undefined) return undefined
  const fields = isRecord(body) ? body : {}
  const queryFields = Object.fromEntries([...new URLSearchParams(query)].map(([key, value]) => [key, plain(value)]))
  const inPath = Object.entries(route.pattern.exec(pathname)?.groups ?? {}).map(([key, value]) => [key, decoded(value)])
  return olderRequest(route.name, { ...queryFields, ...fields, ...Object.fromEntries(inPath) })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Converts numbers and booleans in a query. */
function plain(text: string): Value {
  return text === 'true' || text === 'false' ? text === 'true' : /^\d{1,9}$/.test(text) ? Number(text) : text
}

/** Returns the HTTP+JSON form of responses: a result is the whole body, and an error also sets the status. */
export function rest(method: string): Form {
  const status = (answer: Answered) => ('error' in answer ? (statuses.get(own(answer.error, 'code')) ?? 500) : 200)
  return {
    status,
    write: (answer) => {
      if ('result' in answer) return writeJson(modernResult(method, answer.result))
      return writeJson({ error: { code: status(answer), message: own(answer.error, 'message') ?? '' } })
    },
  }
}

const statuses: ReadonlyMap<Value | undefined, number> = new Map([
  [a2aCodes.taskNotFound, 404],
  [a2aCodes.taskNotCancelable, 409],
  [a2aCodes.pushNotSupported, 400],
  [jsonRpcCodes.invalidParams, 400],
  [jsonRpcCodes.methodNotFound, 404],
])
