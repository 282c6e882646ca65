/** Reads an exchange as a model call. Never throws. */
import { defined, isRecord, parseJson, type Value } from '@joust/source'
import type { Exchange, HeaderList, ModelAnswer, ModelCall, ModelRequest, Wire } from '../model/call.ts'
import { diagnose, type ModelDiagnostic, type ModelDiagnosticCode } from '../model/diagnostics.ts'
import { noAnswer, readAnswer, readRefusal } from './read-answer.ts'
import { createStoredResponses, type ResponseParts, type StoredResponses } from './stored-responses.ts'
import { formatOf, isUnknownPath, wireOf } from './table.ts'

const noRequest: ModelRequest = { messages: [], tools: [], choice: 'auto', streamed: false }

/** Errors reported by Joust rather than a provider. */
const ownRefusals: ReadonlySet<ModelDiagnosticCode> = new Set([
  ...(['access-refused', 'run-unknown', 'model-failed', 'replay-unknown'] as const),
])

/**
 * Reads an exchange. `stored` contains the earlier responses of the run; the response of this exchange is added.
 *
 * @example
 * const { model, messages } = readCall(exchange)
 */
export function readCall(exchange: Exchange, stored: StoredResponses = createStoredResponses()): ModelCall {
  const { sequence, path, started, first, duration } = exchange
  const wire = wireOfExchange(exchange)
  const diagnostics = [...exchange.diagnostics]
  const sent = readBody(exchange, diagnostics)
  const read = answerIn(exchange, diagnostics)
  const { text, calls, finish, usage, error } = read.answer
  const { body, unknown } = sent === undefined || wire !== 'openai-responses' ? { body: sent } : stored.resolve(sent)
  // A provider that does not know the response rejects the request itself.
  if (unknown !== undefined && (exchange.answer?.status ?? 0) < 400)
    diagnostics.push(diagnose('reference-unknown', `the ${unknown.kind} ${unknown.id} was not recorded in this run`))
  if (sent !== undefined && read.response !== undefined) stored.add(sent, read.response)
  const request = body === undefined ? noRequest : (formatOf(wire)?.readRequest(body, path) ?? noRequest)
  return {
    ...request,
    ...{ wire, sequence, path, answer: { text, calls }, finish, started, duration, diagnostics },
    ...defined({ body, usage, error, first, status: exchange.answer?.status }),
  }
}

/**
 * Returns the wire format of an exchange. Only POST requests are model calls; other methods open a WebSocket or list
 * earlier calls.
 */
function wireOfExchange({ method, path }: Exchange): Wire {
  return method === 'POST' ? wireOf(path) : 'other'
}

function readBody({ method, path, request }: Exchange, diagnostics: ModelDiagnostic[]): Value | undefined {
  if (isUnknownPath(method, path)) diagnostics.push(diagnose('path-unknown', `unknown path ${path}`))
  if (request.body === undefined || (request.body === '' && method !== 'POST')) return undefined
  const value = parseJson(request.body)
  if (isRecord(value)) return value
  if (method === 'POST' && wireOf(path) !== 'other')
    diagnostics.push(diagnose('request-unreadable', `expected a JSON object as the request body of ${path}`))
  return undefined
}

type AnswerIn = { readonly answer: ModelAnswer; readonly response?: ResponseParts }

function answerIn(exchange: Exchange, diagnostics: ModelDiagnostic[]): AnswerIn {
  const { answer, end } = exchange
  if (answer === undefined) return { answer: noAnswer }
  const { status, headers, body } = answer
  if (status >= 400) {
    const { error, kind } = body === undefined ? noBody(status) : readRefusal(body)
    if (!diagnostics.some(({ code }) => ownRefusals.has(code)))
      diagnostics.push(
        diagnose('provider-refused', `the provider responded with status ${status}${waitIn(headers)}: ${error}`),
      )
    return { answer: { ...noAnswer, finish: { kind, word: String(status) }, error } }
  }
  if (status >= 300) {
    diagnostics.push(diagnose('redirected', `the provider responded with a redirect (${status})`))
    return { answer: noAnswer }
  }
  const format = formatOf(wireOfExchange(exchange))
  if (format === undefined || body === undefined) return { answer: noAnswer }
  const read = readAnswer(format, body)
  // The server may keep the connection open after the end marker, but agents do not wait.
  if (end === 'whole' || (end === 'left' && read.isEnded)) {
    diagnostics.push(...read.diagnostics)
    return read
  }
  // The finish reason may have arrived before the connection broke, but the agent saw a failure.
  const { finish } = read.answer
  return { ...read, answer: { ...read.answer, finish: finish.kind === 'error' ? finish : { ...finish, kind: 'cut' } } }
}

const noBody = (status: number) => ({ error: `status ${status}`, kind: 'error' }) as const

function waitIn(headers: HeaderList): string {
  const wait = headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1]
  return wait === undefined ? '' : `, retry after ${wait}`
}
