/**
 * Detects texts that are nothing but an error of the agent's model, or of the connection to it, where the model cannot
 * be observed. Many agents print such errors in place of an answer and exit normally. Text that discusses an error is an
 * answer; so is an error about something else, such as a file.
 */

import { arenaLimits } from '../model/limits.ts'

/** True for a plain text that is only an error. */
export function isErrorText(answer: string): boolean {
  return answer.length <= arenaLimits.errorText && isError(bare(answer))
}

/** The text without colours, marks such as ✖ and surrounding brackets. */
export function bare(answer: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ANSI colours use them
  const text = answer.replaceAll(/\u001b\[[\d;]*m/g, '').trim()
  return text.replace(/^[^\p{L}\p{N}{[(<"']+/u, '').replace(/^\[(?=api error\b)/i, '')
}

function isError(text: string): boolean {
  if (text.startsWith('{')) return false
  if (/^<(?:!doctype|html|head)\b/i.test(text)) return errorPage.test(text)
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

/** The title or heading of an error page of a web server. */
const errorPage = new RegExp(`<(?:title|h1)>\\s*${STATUS}\\b`, 'i')

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
