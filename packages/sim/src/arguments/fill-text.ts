/** Fills string arguments from the words of the instruction and from earlier text. */
import { isRecord, own, type ValueRecord } from '@joust/source'
import { sumIn } from '../english/arithmetic.ts'
import { type FactKind, factsOf } from '../english/facts.ts'
import { does, isStop, isVerb, wordSet } from '../english/lexicon.ts'
import { type Token, textOf, tokenize } from '../english/tokens.ts'
import { wordsOfName } from '../english/word-forms.ts'
import type { View } from '../prompt/view.ts'
import { contentFor, describedContent, refersToContent } from './content.ts'
import { besideName, explicitValue, kindOfName } from './explicit.ts'
import { type Asking, earlierValues, type Filling } from './fill-scalar.ts'
import { phraseFor, properName, receiverIn } from './phrases.ts'

/** Words in names of arguments that take a question or task. */
export const QUERY = wordSet(`
  query question q search term terms keyword keywords prompt task request instruction instructions topic input
  expression command
`)

/** Words in names of content arguments. */
export const CONTENT = wordSet(`
  text message content contents body data payload context note notes sidenote comment comments summary details
  description value result report attachment document answer output metadata reason extra
`)

/** Words in names of arguments that instruct another agent. */
const TASK = wordSet('message task request prompt instruction instructions input')

const SECRET = wordSet('token key secret password credential credentials auth apikey session')
const TITLE = wordSet('subject title heading name')
const READ_AT_MOST = 20_000

/** Returns undefined if no value is available or required. */
export function fillText(name: string, schema: ValueRecord, filling: Filling, needed: boolean): string | undefined {
  const { asking, view, text } = filling
  const kind = kindOfName(name, own(schema, 'format'))
  const near = kind && factsOf(asking.tokens, kind)[0]
  const explicit = explicitValue(name, asking.tokens) ?? (near ? undefined : explicitValue(name, asking.scope))
  if (explicit !== undefined)
    return 'text' in explicit ? explicit.text : contentFor(explicit.words, asking.sentence, view)
  if (near !== undefined) return near
  if (text !== undefined) return needed ? text : undefined
  const description = own(schema, 'description')
  const request =
    filling.eager && kind === undefined && typeof description === 'string' && describedContent(description, view)
  if (request) return request
  return foundText(name, schema, kind, filling, needed) ?? (needed ? neededText(name, kind, filling) : undefined)
}

export function isNamed(name: string, words: ReadonlySet<string>): boolean {
  return wordsOfName(name).some((word) => words.has(word))
}

function foundText(
  name: string,
  schema: ValueRecord,
  kind: FactKind | undefined,
  filling: Filling,
  needed: boolean,
): string | undefined {
  const label = kind === undefined && !isNamed(name, CONTENT) && !isNamed(name, QUERY)
  const beside = label ? besideName(name, filling.asking.sentence) : undefined
  const person = name.toLowerCase() === 'to' ? receiverIn(filling.asking.tokens) : undefined
  if (person !== undefined) return person
  const preset = own(schema, 'default')
  if (beside !== undefined) return beside
  if (typeof preset === 'string' && filling.eager) return preset
  return kind && findFact(kind, filling, needed)
}

function neededText(name: string, kind: FactKind | undefined, filling: Filling): string {
  const { asking, view, eager } = filling
  if (filling.alone === true && isNamed(name, TASK)) return wholeTask(filling)
  if (isNamed(name, QUERY)) return sumIn(asking.tokens)?.text ?? objectText(saysWhat(asking, view))
  if (isNamed(name, CONTENT)) return contentText(filling)
  if (isNamed(name, SECRET) && eager) return contentFor(tokenize(name.replaceAll(/[_-]/g, ' ')), [], view)
  if (name.endsWith('name')) return quoted(asking.tokens) ?? properName(asking.tokens) ?? objectText(asking)
  if (isNamed(name, TITLE)) return quoted(asking.tokens) ?? objectText(asking).split(' ').slice(0, 8).join(' ')
  const quote = quoted(asking.tokens)
  const earlier = earlierValues(name, view).find((value) => typeof value === 'string')
  if (quote !== undefined || (kind !== undefined && name.toLowerCase() !== 'to'))
    return quote ?? earlier ?? '[simulated value]'
  const phrase = phraseFor(name, asking.tokens)
  const same = phrase !== undefined && /^(?:same|it|them|there)\b/.test(phrase)
  return (same ? lastText(filling) : (phrase ?? earlier)) ?? objectText(asking)
}

/** Returns the text for a tool whose only argument is a task for another agent. */
function wholeTask(filling: Filling): string {
  const { asking, view } = filling
  if (asking.passage === undefined || asking.passage.writer === 'request')
    return view.request.trim().slice(0, READ_AT_MOST)
  return `${textOf(asking.sentence)}\n${contentText(filling)}`
}

/** Returns the words that say what to ask for. An instruction that only names a tool refers to the user's request. */
function saysWhat(asking: Asking, view: View): Asking {
  const says = asking.tokens.filter(({ lower, text }) => !isStop(lower) && !isVerb(lower) && !text.includes('_'))
  if (says.length > 1 || asking.passage === undefined || asking.passage.writer === 'request') return asking
  const tokens = tokenize(view.request)
  return { verb: 'get', tokens, sentence: tokens, scope: tokens }
}

/** The phrase `the same` refers to the first string in the last call. */
function lastText({ view }: Filling): string | undefined {
  const input = view.calls.at(-1)?.input
  return isRecord(input) ? Object.values(input).find((value) => typeof value === 'string') : undefined
}

/** Searches all earlier text only if a value is required. */
function findFact(kind: FactKind, { asking, view, eager }: Filling, needed: boolean): string | undefined {
  const fact = factsOf(asking.sentence, kind)[0] ?? factsOf(asking.scope, kind)[0]
  if (fact !== undefined || !needed) return fact
  const resultTexts = view.calls.flatMap((call) => (call.result === undefined ? [] : [call.result]))
  const texts = eager
    ? [...resultTexts, view.request, ...view.passages.map(({ text }) => text)]
    : [view.request, ...resultTexts]
  for (const text of texts) {
    const first = factsOf(tokenize(text.slice(0, READ_AT_MOST)), kind)[0]
    if (first !== undefined) return first
  }
  return undefined
}

function contentText({ asking, view, eager }: Filling): string {
  const quote = quoted(asking.tokens)
  if (quote !== undefined) return quote
  const gives = eager && (does(asking.verb, 'give') || does(asking.verb, 'send'))
  const refers = refersToContent(asking.tokens) && view.calls.some(({ result = '' }) => result !== '')
  return gives || refers ? contentFor(asking.tokens.slice(1), asking.sentence, view) : objectText(asking)
}

function quoted(tokens: readonly Token[]): string | undefined {
  return tokens.find((token) => token.quoted && !/^[a-z][a-z0-9]*_[a-z0-9_]*$/.test(token.text))?.text
}

/** Removes the verb and `the x tool to`. If the verb obtains something, starts after `for` or `about`. */
function objectText(asking: Asking): string {
  const { tokens } = asking
  const tool = tokens.findIndex(
    ({ lower }, at) => /^(?:tool|function|agent)$/.test(lower) && tokens[at + 1]?.lower === 'to',
  )
  const rest = tool > 0 && tool < 6 ? tokens.slice(tool + 2) : tokens
  const verb = isVerb(rest[0]?.lower ?? '') ? (rest[0]?.lower ?? '') : asking.verb
  const about = rest.findIndex(({ lower }, at) => at > 0 && (lower === 'for' || lower === 'about'))
  const from = about > 0 && does(verb, 'obtain') ? about + 1 : rest.length > 1 ? 1 : 0
  return textOf(rest.slice(from)) || textOf(tokens) || '[simulated value]'
}
