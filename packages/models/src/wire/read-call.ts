/** Reads an exchange as a model call. Never throws. */
import { defined, isRecord, parseJson, type Value } from '@joust/source'
import type { Exchange, HeaderList, ModelAnswer, ModelCall, ModelRequest } from '../model/call.ts'
import { diagnose, type ModelDiagnostic, type ModelDiagnosticCode } from '../model/diagnostics.ts'
import { noAnswer, readAnswer, refusalText } from './read-answer.ts'
import { formatOf, isUnknownPath, wireOf } from './table.ts'

const noRequest: ModelRequest = { messages: [], tools: [], choice: 'auto', streamed: false }

/** Errors that did not come from a provider. */
const ownRefusals: ReadonlySet<ModelDiagnosticCode> = new Set([
  ...(['access-refused', 'run-unknown', 'model-failed', 'replay-unknown'] as const),
])

/** Reads an exchange. */
export function readCall(exchange: Exchange): ModelCall {
  const { sequence, path, started, first, duration } = exchange
  const wire = wireOf(path)
  const diagnostics = [...exchange.diagnostics]
  const body = readBody(exchange, diagnostics)
  const request = body === undefined ? noRequest : (formatOf(wire)?.readRequest(body, path) ?? noRequest)
  const { text, calls, finish, usage, error } = answerIn(exchange, diagnostics)
  return {
    ...request,
    ...{ wire, sequence, path, answer: { text, calls }, finish, started, duration, diagnostics },
    ...defined({ body, usage, error, first, status: exchange.answer?.status }),
  }
}

function readBody({ method, path, request }: Exchange, diagnostics: ModelDiagnostic[]): Value | undefined {
  if (isUnknownPath(method, path)) diagnostics.push(diagnose('path-unknown', `unknown path ${path}`))
  if (request.body === undefined || (request.body === '' && method !== 'POST')) return undefined
  const value = parseJson(request.body)
  if (isRecord(value)) return value
  if (wireOf(path) !== 'other')
    diagnostics.push(diagnose('request-unreadable', `expected a JSON object as the request body of ${path}`))
  return undefined
}

function answerIn(exchange: Exchange, diagnostics: ModelDiagnostic[]): ModelAnswer {
  const { answer, path, end } = exchange
  if (answer === undefined) return noAnswer
  const { status, headers, body } = answer
  if (status >= 400) {
    const error = body === undefined ? `status ${status}` : refusalText(body)
    if (!diagnostics.some(({ code }) => ownRefusals.has(code)))
      diagnostics.push(diagnose('provider-refused', `the provider answered ${status}${waitIn(headers)}: ${error}`))
    return { ...noAnswer, finish: { kind: 'error', word: String(status) }, error }
  }
  if (status >= 300) {
    diagnostics.push(diagnose('redirected', `the provider answered with a redirect (${status})`))
    return noAnswer
  }
  const format = formatOf(wireOf(path))
  if (format === undefined || body === undefined) return noAnswer
  const read = readAnswer(format, body)
  if (end === 'whole') {
    diagnostics.push(...read.diagnostics)
    return read.answer
  }
  // A finish reason may have arrived before the connection broke; the agent saw a failure nevertheless.
  const { finish } = read.answer
  return { ...read.answer, finish: finish.kind === 'error' ? finish : { ...finish, kind: 'cut' } }
}

function waitIn(headers: HeaderList): string {
  const wait = headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1]
  return wait === undefined ? '' : `, retry after ${wait}`
}
