/** Whether an agent says, in a message as JSON, that its turn has failed. */
import { resolveWildcardPath } from '@joust/oatf'
import { cut, isRecord, own, type Value, writeJson } from '@joust/source'

/** Where it stands in what people serve: plain APIs, the streams of the AI SDK and of ADK. */
const keys = ['error', 'errorText', 'errorMessage', 'error_message', 'errorCode', 'error_code'] as const

/** Messages that are nothing but an error. */
const types: ReadonlySet<Value> = new Set(['error', 'RUN_ERROR', 'response.failed'])

/** Marks beside a text that is one, as Claude Code sets them. */
const marks = ['is_error', 'isError'] as const

/** What it says; undefined where it says nothing of the kind. */
export function errorIn(value: Value): string | undefined {
  if (!isRecord(value)) return undefined
  const named = keys.map((key) => own(value, key)).find(isError)
  if (named !== undefined) return inWords(named)
  if (marks.some((mark) => own(value, mark) === true)) return inWords(own(value, 'result') ?? value)
  return types.has(own(value, 'type') ?? null) ? inWords(own(value, 'message') ?? value) : undefined
}

/** The same; where there is an answer at a path, also beside each step on the way: some put it next to the text that they broke off. */
export function errorAlong(value: Value, path = ''): string | undefined {
  const hasAnswer = path !== '' && resolveWildcardPath(path, value).some((found) => typeof found === 'string')
  const steps = hasAnswer ? path.split(/(?=[.[])/) : []
  const ways = steps.map((_, index) => steps.slice(0, index).join('')).slice(1)
  const passed = [value, ...ways.flatMap((way) => resolveWildcardPath(way, value))]
  return passed.map(errorIn).find((error) => error !== undefined)
}

/** Many have the field in every message, and fill it when they need it. */
function isError(value: Value | undefined): value is Value {
  return value !== undefined && value !== null && value !== false && value !== '' && value !== 0
}

function inWords(value: Value): string {
  return `answered with an error: ${cut(typeof value === 'string' ? value : writeJson(value), 400)}`
}
