/**
 * Detects answers that are nothing but an error of the agent's model, or of the connection to it. Many agents print
 * such errors in place of an answer and exit normally. Text that discusses an error is an answer; so is an error about
 * something else, such as a file. Plain text is recognized by patterns, JSON by its fields.
 */

import { resolveWildcardPath } from '@joust/oatf'
import {
  beginning,
  cut,
  defaultLimits,
  isList,
  isRecord,
  own,
  ownText,
  readJson,
  type Value,
  writeJson,
} from '@joust/source'
import { arenaLimits } from '../model/limits.ts'

/** The error message in an answer; undefined for a regular answer. */
export function errorAnswer(answer: string): string | undefined {
  if (answer.length > arenaLimits.errorText) return undefined
  const text = bare(answer)
  return isError(text) ? beginning(text, arenaLimits.peerText) : undefined
}

/** The text without colours, marks such as ✖ and surrounding brackets. */
function bare(answer: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ANSI colours use them
  const text = answer.replaceAll(/\u001b\[[\d;]*m/g, '').trim()
  return text.replace(/^[^\p{L}\p{N}{[(<"']+/u, '').replace(/^\[(?=api error\b)/i, '')
}

function isError(text: string): boolean {
  if (text.startsWith('{')) {
    const read = readJson(text, { ...defaultLimits, yamlBytes: arenaLimits.errorText * 4 })
    return read.ok && failureIn(read.value) !== undefined
  }
  if (/^Traceback \(most recent call last\):/.test(text)) return true
  // More than one paragraph is an explanation.
  const message = text
    .replaceAll(/\n[ \t]+at [^\n]*/g, '')
    .replace(lead, '')
    .trim()
  return !/\n[ \t]*\n/.test(message) && (sentence.test(message) || hasHead(message))
}

/** Prefixes that some frameworks add to a caught error. */
const lead = /^(?:sorry, )?(?:an?|the following) (?:unexpected |internal )?(?:error|exception) (?:has )?occurred:\s*/i

/** Error messages of well-known clients and frameworks, and stringified empty values. */
const reports = [
  'connection error|(?:(?:the|your) )?request (?:has )?timed out|fetch failed|network error|socket hang up|too many requests',
  '(?:the )?service (?:is )?(?:(?:currently|temporarily) )?unavailable|bad gateway|internal (?:server )?error|gateway time-?out',
  'rate limit (?:exceeded|reached)|credit balance is too low|invalid api key(?: · .{0,60})?|claude (?:ai )?usage limit reached\\b.{0,80}',
  'stream disconnected before completion\\b.{0,200}|agent stopped due to (?:max iterations|iteration limit or time limit)',
  'sorry, need more steps to process this request|null|undefined|\\[object object\\]',
]

const ATTEMPT =
  '(?: (?:while|when) (?:process|handl|generat|complet|answer)ing (?:your|the|this|my) (?:request|message|query|question|response|answer))?'

/** Generic apologies of programs. A text that names a file, a page or a tool is an answer. */
const excuses = [
  `something (?:has |just )?(?:went|gone) wrong(?: on (?:our|my) (?:end|side))?${ATTEMPT}`,
  `an? (?:unexpected |internal |unknown |technical )?(?:error|problem|issue) (?:has )?occurred${ATTEMPT}`,
  `(?:i|we) (?:have )?(?:encountered|ran into) an? (?:unexpected |internal )?(?:error|problem|issue)${ATTEMPT}`,
  '(?:i|we)(?:.m| am|.re| are) (?:currently )?(?:experiencing|having) (?:some )?technical (?:difficulties|issues|problems)',
  '(?:i|we)(?:.m| am|.re| are) having trouble (?:connecting to|reaching) (?:the|my|our) (?:ai|llm|(?:language )?model)(?: right now)?',
]

const SORRY = '(?:(?:oops|(?:(?:i|we)(?:.m| am|.re| are) )?(?:so |very )?sorry|apologies)[,.!]?(?: but)? )?'

/** Sentences that may follow an apology. */
const courtesies = [
  'please (?:try|contact) [^.!\\n]{1,80}|if (?:the|this) (?:problem|issue|error) persists[^.!\\n]{0,80}',
  '(?:(?:i|we) apologi[sz]e|(?:i.m |we.re )?sorry) (?:for|about) (?:the|any|that)[^.!\\n]{0,30}',
]

const sentence = new RegExp(
  `^(?:${reports.join('|')}|${SORRY}(?:${excuses.join('|')}))[.!]?(?:\\s+(?:${courtesies.join('|')})[.!]?){0,3}$`,
  'i',
)

/** HTTP statuses of failing model services. 404 and the like often concern a resource that a tool fetched. */
const STATUS = '(?:401|402|403|408|429|500|502|503|504|529)'

/** Terms that only occur in errors of a service or of the connection to it. */
const fact = new RegExp(
  [
    `\\b${STATUS}\\b`,
    'rate.?limit|too many requests|\\bquota\\b|resource.?exhausted|overloaded|credit balance|insufficient.?(?:quota|credits|funds)',
    'unauthori[sz]ed|(?:invalid|incorrect|missing|no|expired).{0,3}api.?key|authentication.?(?:error|failed|required)',
    'service.?unavailable|bad gateway|gateway time-?out|internal.?server.?error|model.{0,60}(?:not found|does not exist)',
    'connection (?:error|refused|reset|closed|failed|aborted|timed out)|(?:cannot|could not|failed to|unable to) connect|connection attempts failed',
    'ECONN[A-Z]+|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|fetch failed|socket hang up|network error',
    'request timed out|stream (?:error|disconnected)|retry limit|failed after \\d+ attempts|max(?:imum)? retries',
  ].join('|'),
  'i',
)

/** Error classes of clients of such services. */
const ofClients =
  /API|RateLimit|Connect|Authentication|PermissionDenied|Unavailable|InternalServer|Overloaded|Quota|HTTP/

/** `429 …`, `HTTP 503: …`: errors that begin with the status. */
const byStatus = new RegExp(`^(?:HTTP(?:/[\\d.]+)?:? |status(?: code)?:? )?${STATUS}\\b[:,]?\\s*`, 'i')

/** `openai.RateLimitError`, `API Error`, `Error calling the model`, `Request failed`: errors that begin with a name. */
const byName =
  /^(?:error (?:calling|from|while|during|communicating with|connecting to) [^:\n]{1,60}|(?:api|http|network|stream|fatal|request|model|llm|provider) error\b|request failed\b|([\w.]{0,80}?(?:Error|Exception))\b)/i

/** The separator between the name of an error and its details. A word instead means that the text is a sentence. */
const separator = /^\s*(?:[:({[–-]|code\b|with status\b)[\s:({[–-]*/

/** Continuations of a sentence that explains an error. */
const telling = new RegExp(
  `^(?:${STATUS}\\b)?[^\\p{L}]{0,3}(?:errors? )?(?:means|is|are|was|were|indicates|stands|refers|occurs|happens|says|usually)\\b`,
  'iu',
)

function hasHead(text: string): boolean {
  const status = byStatus.exec(text)
  if (status !== null) {
    const rest = text.slice(status[0].length)
    return /^[{"']|^you (?:have )?exceeded/i.test(rest) || fact.exec(rest)?.index === 0
  }
  const [name, kind = ''] = byName.exec(text) ?? []
  if (name === undefined) return false
  const after = separator.exec(text.slice(name.length))
  const body = text.slice(name.length + (after?.[0].length ?? 0))
  if (after === null || telling.test(body)) return false
  return /^api error$/i.test(name) || ofClients.test(kind) || fact.test(body)
}

/** Keys that hold an error in JSON: plain APIs, GraphQL, the streams of the AI SDK and of ADK. */
const keys = ['error', 'errors', 'errorText', 'errorMessage', 'error_message', 'errorCode', 'error_code'] as const

/** Types of messages that only report an error. */
const types: ReadonlySet<Value> = new Set(['error', 'RUN_ERROR', 'response.failed'])

/** The error in a JSON message; undefined when it has none. */
function errorIn(value: Value): string | undefined {
  if (!isRecord(value)) return undefined
  const named = keys.find((key) => isFilled(own(value, key), key))
  if (named !== undefined) return inWords(own(value, named) ?? value)
  // Claude Code sets a flag beside the text of the error.
  if (['is_error', 'isError'].some((mark) => own(value, mark) === true)) return inWords(own(value, 'result') ?? value)
  return types.has(own(value, 'type') ?? null) ? inWords(own(value, 'message') ?? value) : undefined
}

/** Statuses of interrupted answers, and of answers that failed or were cancelled, which may include an explanation. */
const broken: ReadonlySet<Value> = new Set(['error', 'timeout', 'incomplete'])
const failed: ReadonlySet<Value> = new Set(['failed', 'failure', 'cancelled', 'canceled'])

/** Keys of an answer, and keys of explanations, which may come from a program as well as an agent. */
const answers = ['answer', 'text', 'output', 'response', 'reply', 'result', 'content']
const notes = ['message', 'reason', 'detail', 'details', 'description']

/** Phrases of an agent or of a content policy, as opposed to a program. */
const voices = [
  /\bI(?:['’](?:m|ve|d|ll))?\s/,
  /\b(?:can(?:['’]t|not)|won['’]t|will not|unable to) (?:help|assist|comply|do th)|\bguardrail|\bprompt injection/i,
  /\b(?:content|usage|safety) (?:polic|guideline|filter|reason)|\bviolat\w+ (?:our|the) [\w ]{0,30}(?:polic|guideline|terms)/i,
]

const placeholder = /^(?:[^\p{L}\p{N}]*|n\/a|none|error|fail(?:ed|ure))[.!]?$/iu

/** The error in the message that holds the answer, which may be marked as failed. */
function failureIn(value: Value, texts = textsIn(value, answers)): string | undefined {
  const error = errorIn(value)
  if (error !== undefined || !isRecord(value)) return error
  const { status = null, success, ok } = value
  const isBroken = broken.has(status)
  if (!isBroken && !failed.has(status) && success !== false && ok !== false) return undefined
  const explained = textsIn(value, notes)
  const hasAnswer = [...texts, ...explained].some((text) => {
    if (placeholder.test(text.trim()) || errorAnswer(text) !== undefined) return false
    return voices.some((voice) => voice.test(text)) || !(isBroken || explained.includes(text))
  })
  return hasAnswer ? undefined : inWords(own(value, 'message') ?? value)
}

function textsIn(value: Value, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => ownText(value, name) ?? [])
}

/** The error in a message, also next to each step of the path to the answer, where some agents put it. */
export function errorAlong(value: Value, path?: string): string | undefined {
  const texts = textsAt(value, path)
  const error = texts.some((text) => text.trim() !== '') ? failureIn(value, texts) : errorIn(value)
  if (error !== undefined || path === undefined || texts.length === 0) return error
  const steps = path.split(/(?=[.[])/)
  const ways = steps.map((_, index) => steps.slice(0, index).join('')).slice(1)
  return ways.flatMap((way) => resolveWildcardPath(way, value).flatMap((passed) => errorIn(passed) ?? []))[0]
}

/** The answer at a path, in its parts. */
export function textsAt(value: Value, path: string | undefined): readonly string[] {
  return path === undefined ? [] : resolveWildcardPath(path, value).filter((text) => typeof text === 'string')
}

/** Many agents send these fields in every message, empty unless there is an error. An empty `error` object counts. */
function isFilled(value: Value | undefined, key: string): boolean {
  if (isList(value) || (isRecord(value) && key === 'errors')) return Object.keys(value).length > 0
  return value !== undefined && value !== null && value !== false && value !== '' && value !== 0
}

function inWords(value: Value): string {
  return `answered with an error: ${cut(typeof value === 'string' ? value : writeJson(value), 400)}`
}
