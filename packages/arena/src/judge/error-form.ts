/** Forms of error messages from model services and their clients. */

/** Strips colors, marks such as ✖ and surrounding brackets. */
export function bare(answer: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ANSI colours use them
  const text = answer.replaceAll(/\u001b\[[\d;]*m/g, '').trim()
  return text.replace(/^[^\p{L}\p{N}{[(<"']+/u, '').replace(/^\[(?=api error\b)/i, '')
}

export function isErrorForm(text: string): boolean {
  if (text.startsWith('{')) return false
  if (/^<(?:!doctype|html|head)\b/i.test(text)) return errorPage.test(text)
  if (/^Traceback \(most recent call last\):/.test(text) || emptyValue.test(text)) return true
  const message = text.replaceAll(/\n[ \t]+at [^\n]*/g, '').trim()
  // Several paragraphs are an explanation, not an error message.
  return !/\n[ \t]*\n/.test(message) && hasHead(message)
}

const emptyValue = /^(?:null|undefined|\[object object\])$/i

/** HTTP statuses of failing model services. Others, such as 404, often concern a resource that a tool fetched. */
const STATUS = '(?:401|402|403|408|429|500|502|503|504|529)'

/** The title or heading of a web server's error page. */
const errorPage = new RegExp(`<(?:title|h1)>\\s*${STATUS}\\b`, 'i')

/** Terms that occur only in service or connection errors. */
const fact = new RegExp(
  `\\b${STATUS}\\b|rate.?limit|too many requests|\\bquota\\b|overloaded|unauthori[sz]ed|(?:incorrect )?api.?key|you exceeded|service.?unavailable|E(?:CONN|NOTFOUND|TIMEDOUT|AI_AGAIN)|fetch failed|connection error`,
  'i',
)

/** Error classes of model service clients. */
const ofClients = /API|RateLimit|Connect|Authentication|PermissionDenied|Unavailable|InternalServer|Overloaded|HTTP/

/** `429 …`, `HTTP 503: …`: errors that begin with the status. */
const byStatus = new RegExp(`^(?:HTTP(?:/[\\d.]+)?:? |status(?: code)?:? )?${STATUS}\\b[:,]?\\s*`, 'i')

/** `openai.RateLimitError`, `API Error`, `Request failed`: errors that begin with a name. */
const byName =
  /^(?:(?:api|http|network|stream|request|model) error\b|request failed\b|([\w.]{0,80}?(?:Error|Exception))\b)/i

/** The separator between an error name and its details. A word instead means that the text is a sentence. */
const separator = /^\s*(?:[:({[–-]|code\b|with status\b)[\s:({[–-]*/

/** Continuations of a sentence about an error. */
const telling = new RegExp(
  `^(?:${STATUS}\\b)?[^\\p{L}]{0,3}(?:and|means|is|are|was|were|indicates|says|usually)\\b`,
  'iu',
)

function hasHead(text: string): boolean {
  const status = byStatus.exec(text)
  if (status !== null) {
    const rest = text.slice(status[0].length)
    return /^[{"']/.test(rest) || fact.exec(rest)?.index === 0
  }
  const [name, kind = ''] = byName.exec(text) ?? []
  if (name === undefined) return false
  const after = separator.exec(text.slice(name.length))
  const body = text.slice(name.length + (after?.[0].length ?? 0))
  if (after === null || telling.test(body)) return false
  return /^api error$/i.test(name) || ofClients.test(kind) || fact.test(body)
}
