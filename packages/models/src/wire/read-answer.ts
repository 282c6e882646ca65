/** Reads a provider response, whole or streamed, as a model answer. */
import { cut, isList, isRecord, own, ownText, parseJson, type Value, writeJson } from '@joust/source'
import type { ModelAnswer } from '../model/call.ts'
import { diagnose, type ModelDiagnostic } from '../model/diagnostics.ts'
import { modelLimits } from '../model/limits.ts'
import { type AnswerDraft, answerOf, emptyDraft, finishOf } from './draft.ts'
import type { ResponseParts } from './stored-responses.ts'
import type { WireFormat } from './wire.ts'

interface ReadAnswer {
  readonly answer: ModelAnswer
  readonly diagnostics: readonly ModelDiagnostic[]
  /** True for a stream with an end marker. */
  readonly isEnded?: true
  /** The parts of the response that later requests can refer to. */
  readonly response?: ResponseParts
}

export const noAnswer: ModelAnswer = { text: '', calls: [], finish: { kind: 'unknown' } }

/** Reads the body of a 2xx response. */
export function readAnswer(format: WireFormat, body: string): ReadAnswer {
  const draft = emptyDraft()
  const read = readParts(format, body, draft)
  return draft.id === undefined ? read : { ...read, response: { id: draft.id, output: [...draft.items.values()] } }
}

function readParts(format: WireFormat, body: string, draft: AnswerDraft): ReadAnswer {
  if (body.trim() === '') return refused('answer-empty', 'the answer is empty')
  const whole = wholeParts(body)
  const { values, broken, isDone } = whole ?? readEvents(body)
  if (values.length === 0) return refused('answer-unreadable', `the answer is not JSON: ${shown(body)}`)
  for (const value of values) format.readPart(value, draft)
  const answer = answerOf(draft)
  const error = values.map(errorIn).find((one) => one !== undefined)
  if (error !== undefined)
    return { answer: { ...answer, finish: { kind: kindOf(error) }, error: textOf(error) }, diagnostics: [] }
  if (broken > 0) {
    const diagnostic = diagnose('answer-unreadable', `${broken} of ${values.length + broken} events are not JSON`)
    return { answer: { ...answer, finish: { ...answer.finish, kind: 'unknown' } }, diagnostics: [diagnostic] }
  }
  if (answer.finish.word !== undefined) {
    const isEnded = whole === undefined && (isDone || values.some((value) => format.isLast(value)))
    return { answer, diagnostics: [], ...(isEnded && { isEnded }) }
  }
  // A stream without a finish reason is incomplete, unless it has an end marker.
  if (whole === undefined && !isDone) return { answer: { ...answer, finish: { kind: 'cut' } }, diagnostics: [] }
  const message = `the answer has no finish reason: ${shown(body)}`
  return { answer, diagnostics: [diagnose('answer-unreadable', message)] }
}

/** Returns the provider's error; undefined if the part is not an error. */
function errorIn(part: Value): Value | undefined {
  const holder = isRecord(own(part, 'response')) ? own(part, 'response') : part
  const error = own(holder, 'error')
  if (error !== undefined && error !== null) return error
  return own(part, 'type') === 'error' ? part : undefined
}

/** Returns `filtered` for the errors with which some providers respond to filtered requests. */
function kindOf(error: Value): 'filtered' | 'error' {
  const codes = [ownText(error, 'code'), ownText(error, 'type')]
  return codes.some((code = '') => finishOf(code).kind === 'filtered') ? 'filtered' : 'error'
}

/** Returns the error message of a non-2xx response, and `filtered` if a filter rejected the request. */
export function readRefusal(body: string): { readonly error: string; readonly kind: 'filtered' | 'error' } {
  const value = parseJson(body)
  const [first = null] = isList(value) ? value : [value]
  const error = errorIn(first)
  return error === undefined ? { error: shown(body), kind: 'error' } : { error: textOf(error), kind: kindOf(error) }
}

function textOf(error: Value): string {
  return cut(
    ownText(error, 'message') ?? (typeof error === 'string' ? error : writeJson(error)),
    modelLimits.shownCharacters,
  )
}

/** Reads a JSON body. Gemini streams a list unless the request asks for server-sent events. */
function wholeParts(body: string): ReturnType<typeof readEvents> | undefined {
  if (!/^\s*[[{]/.test(body)) return undefined
  const value = parseJson(body)
  return { values: value === undefined ? [] : isList(value) ? value : [value], broken: 0, isDone: false }
}

function refused(code: 'answer-empty' | 'answer-unreadable', message: string): ReadAnswer {
  return { answer: noAnswer, diagnostics: [diagnose(code, message)] }
}

function shown(body: string): string {
  return JSON.stringify(cut(body, modelLimits.shownCharacters))
}

interface EventData {
  readonly values: readonly Value[]
  /** The number of events whose data is not JSON. */
  readonly broken: number
  readonly isDone: boolean
}

const DONE = '[DONE]'

/** Reads a complete stream. A last event without a trailing empty line counts only if it is JSON. */
function readEvents(text: string): EventData {
  const values: Value[] = []
  let broken = 0
  let isDone = false
  let data: string[] = []
  const finish = (isLast: boolean) => {
    const json = data.join('\n').trim()
    data = []
    if (json === '') return
    if (json === DONE) isDone = true
    else {
      const value = parseJson(json)
      if (value !== undefined) values.push(value)
      else if (!isLast) broken += 1
    }
  }
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line === '') finish(false)
    else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
  }
  finish(true)
  return { values, broken, isDone }
}
