/** Clients that speak A2A 1.0: their requests in terms of 0.3, and how their answers are written. */
import { isRecord, own, type Value, writeJson } from '@joust/source'
import type { HttpRequest } from '../../model/http.ts'
import { a2aCodes, restPaths } from '../a2a/places.ts'
import { modernResult, olderRequest } from '../a2a/versions.ts'
import { requestText } from '../http-body.ts'
import { type Answered, jsonRpcCodes, readValue } from '../json-rpc.ts'
import type { Form } from './write-answer.ts'

/** Whether whoever asks says that it speaks 1.0. */
export function asksModern({ headers }: HttpRequest): boolean {
  return headers['a2a-version']?.startsWith('1.') === true
}

/** A request over HTTP+JSON. */
export interface RestRequest {
  /** By its name in 0.3. */
  readonly method: string
  readonly params: Value
  /** Why its body cannot be read. */
  readonly fault?: string
}

const routes = restPaths.map((row) => ({ ...row, pattern: new RegExp(`${row.path.replace('{id}', '([^/:]+)')}$`) }))

/** What a request over HTTP+JSON asks; undefined for any other request. */
export function readRest(request: HttpRequest, maxBytes: number): RestRequest | undefined {
  const [pathname = '', query = ''] = request.target.split('?')
  const route = routes.find(({ verb, pattern }) => verb === request.method && pattern.test(pathname))
  if (route === undefined) return undefined
  const { text, fault } = requestText(request)
  const body = text.trim() === '' ? undefined : readValue(text, maxBytes, fault)
  const given = body?.ok === true && isRecord(body.value) ? body.value : {}
  const asked = Object.fromEntries([...new URLSearchParams(query)].map(([key, value]) => [key, plain(value)]))
  const [, id] = route.pattern.exec(pathname) ?? []
  const older = olderRequest(route.name, { ...asked, ...given, ...(id !== undefined && { id: decoded(id) }) })
  if (older === undefined) return undefined
  return { ...older, ...(body?.ok === false && { fault: body.error.reason }) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** In a query, numbers and booleans are texts. */
function plain(text: string): Value {
  return text === 'true' || text === 'false' ? text === 'true' : /^\d{1,9}$/.test(text) ? Number(text) : text
}

/** Answers over HTTP+JSON: a result is the body, an error has a status. */
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
