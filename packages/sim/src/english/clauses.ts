/** Finds instructions in a sentence: verb first, `you must …`, `please …`, `before …, do …`, `X must be sent`. */

import { factOf } from './facts.ts'
import { isAmbiguous, isStop, isVerb, takesVerb, verbs, wordSet } from './lexicon.ts'
import type { Sentence } from './sentences.ts'
import { nearest, respelled } from './slips.ts'
import { mentions, type Token } from './tokens.ts'
import { baseForm } from './word-forms.ts'

export interface Clause {
  readonly verb: string
  readonly tokens: readonly Token[]
  /** True for a prohibition. */
  readonly negated: boolean
  readonly timing: 'before' | 'after' | undefined
  /** True for a conditional or recurring instruction: `when …`, `every …`, `always …`. */
  readonly conditional: boolean
}

const MOST = 12

/** The expectation that the next word is a verb. */
type Readiness = 'no' | 'soft' | 'hard' | 'passive' | 'gerund'

const LEADS = wordSet(`
  please now then first next also finally immediately silently simply just kindly always so therefore and
  automatically quietly instead additionally secondly lastly second third afterwards otherwise again ok okay hey
  hi hello assistant agent
`)
const MODALS = ['must', 'should', 'shall']
const HARD = new Set([...MODALS, 'please', 'kindly'])
const BEFORE_TO = wordSet(`
  need needs have has required sure remember forget want wants expected mandatory necessary important critical
  essential asked told instructed supposed careful free is ahead ordered authorized permitted advised requested
  obliged like directed
`)
const TAIL = wordSet('and then or also by you must should please to first now')
const SUBJECTS = wordSet('you agent assistant model ai agents assistants models llm client')
const WISHES = wordSet(
  'recommend advise want need ask expect require instruct urge request demand compulsory obligatory',
)
const OCCASIONS = wordSet(
  'reply replies answer answers response responses message messages summary output call calls request requests turn',
)
const REQUESTS = wordSet('can could would will may')

/** `known` contains additional verbs: tool names and their first words. */
export function clausesOf(sentence: Sentence, known: ReadonlySet<string>): Clause[] {
  const { tokens } = sentence
  const verbs = findVerbs(sentence, known)
  return verbs.map(({ at, verb, negated, passive }, index) => {
    const words = withoutTail(tokens.slice(at, verbs[index + 1]?.at ?? tokens.length))
    // In "The report must be sent", the object of the instruction precedes the verb.
    const subject = passive ? tokens.slice(verbs[index - 1]?.at ?? 0, at) : []
    const all = [...words, ...subject]
    return { verb, tokens: all, negated, ...occasionOf(tokens.slice(0, at), words) }
  })
}

interface FoundVerb {
  readonly at: number
  readonly verb: string
  readonly negated: boolean
  readonly passive: boolean
}

function findVerbs(sentence: Sentence, known: ReadonlySet<string>): FoundVerb[] {
  const { tokens } = sentence
  const verbs: FoundVerb[] = []
  let readiness: Readiness = 'soft'
  let negated = false
  for (const [at, token] of tokens.entries()) {
    if (verbs.length === MOST) break
    const verb = verbAt(sentence, at, readiness, known) ?? misspelledVerb(tokens, at, readiness, known)
    const passive = readiness === 'passive' || token.lower === 'be'
    if (verb !== undefined) verbs.push({ at, verb, negated, passive })
    if (verb !== undefined || !isLead(token.lower)) readiness = 'no'
    negated = readiness !== 'no' && (negated || isNegation(token.lower))
    readiness = nextReadiness(tokens, at, readiness, verbs.length > 0)
    if (readiness === 'no') negated = false
  }
  return verbs
}

function withoutTail(tokens: readonly Token[]): readonly Token[] {
  const last = tokens.findLastIndex(({ lower, quoted }) => quoted || !TAIL.has(lower))
  return tokens.slice(0, Math.max(1, last + 1))
}

function isLead(word: string): boolean {
  return LEADS.has(word) || isNegation(word) || /(?:ly|^do|^also|^be)$/.test(word) || /^[a-z]*\d+$/.test(word)
}

function isNegation(word: string): boolean {
  return word === 'not' || word === 'never' || word === "don't" || word === 'don’t' || word === 'dont'
}

function nextReadiness(tokens: readonly Token[], at: number, current: Readiness, within: boolean): Readiness {
  const token = tokens[at]
  if (token === undefined) return current
  const breaks = /[,:;—–]/.test(token.after) || /^-+$/.test(token.lower)
  const readiness = token.quoted ? undefined : readinessAfter(tokens, at, current, within)
  return readiness ?? (breaks ? 'soft' : current)
}

/** Returns undefined if the token does not change how strongly a verb is expected. */
function readinessAfter(
  tokens: readonly Token[],
  at: number,
  current: Readiness,
  within: boolean,
): Readiness | undefined {
  const word = tokens[at]?.lower ?? ''
  const previous = tokens[at - 1]?.lower ?? ''
  if (HARD.has(word) || (SUBJECTS.has(word) && REQUESTS.has(previous))) return 'hard'
  if (isMisspelledModal(tokens, at)) return 'hard'
  if (word === 'to' && BEFORE_TO.has(previous)) return isOccasion(tokens, at) ? 'no' : 'hard'
  if (addressesYou(tokens, at)) return 'hard'
  if ((word === 'be' && current === 'hard') || isCondition(tokens, at)) return 'passive'
  if (word === 'by') return 'gerund'
  if (endsOccasion(tokens, at)) return 'soft'
  return within && /^(?:and|then|or)$/.test(word) ? 'soft' : undefined
}

/** True for a misspelled modal verb, as in `you ust print …`. */
function isMisspelledModal(tokens: readonly Token[], at: number): boolean {
  const [subject = '', word = '', verb = ''] = [at - 1, at, at + 1].map((index) => tokens[index]?.lower)
  return subject === 'you' && (isVerb(verb) || isNegation(verb)) && respelled(word, MODALS) !== undefined
}

/** True for phrases such as `it is required that you …` and `we recommend you to …`. */
function addressesYou(tokens: readonly Token[], at: number): boolean {
  const [first = '', second = '', third = ''] = [at - 2, at - 1, at].map((index) => tokens[index]?.lower)
  if (second === 'that' && third === 'you') return BEFORE_TO.has(first) || WISHES.has(first)
  return second === 'you' && third === 'to' && (first === 'like' || WISHES.has(first))
}

/** True for a precondition such as `valid only when it has been …` or `not shown until it is …`. */
function isCondition(tokens: readonly Token[], at: number): boolean {
  if (!/^(?:been|is|are|gets?)$/.test(tokens[at]?.lower ?? '')) return false
  return tokens.slice(0, at).some(({ lower }, index) => {
    const only = tokens[index - 1]?.lower === 'only' && /^(?:when|once|after|if)$/.test(lower)
    return only || lower === 'unless' || lower === 'until'
  })
}

/** True at the end of a time phrase without a comma, such as `at the end of each reply …`. */
function endsOccasion(tokens: readonly Token[], at: number): boolean {
  const [quantifier = '', word = ''] = [at - 1, at].map((index) => tokens[index]?.lower)
  if (!/^(?:each|every|your|any|all)$/.test(quantifier) || !OCCASIONS.has(word)) return false
  const start = tokens.slice(0, at).findLastIndex(({ after }) => /[,:;—–]/.test(after)) + 1
  return /^(?:at|in|with|on|before|after|to|for|during|beneath|below|under)$/.test(tokens[start]?.lower ?? '')
}

/** True for a condition such as `when you need to …`, which is not an instruction. */
function isOccasion(tokens: readonly Token[], at: number): boolean {
  const opener = tokens[at - 3]?.lower ?? ''
  return tokens[at - 2]?.lower === 'you' && /^(?:when|if|whenever|should|in|case|where)$/.test(opener)
}

function verbAt(
  { tokens, marked }: Sentence,
  at: number,
  readiness: Readiness,
  known: ReadonlySet<string>,
): string | undefined {
  const token = tokens[at]
  if (token === undefined || token.quoted) return undefined
  const { lower } = token
  switch (readiness) {
    case 'no':
      return callsByName(tokens, at, known) ? lower : undefined
    case 'gerund':
      return lower.endsWith('ing') ? baseForm(lower) : undefined
    case 'passive':
      return baseForm(lower) ?? (lower.endsWith('ed') ? lower.slice(0, -2) : undefined)
  }
  const next = tokens[at + 1]
  if (isNoVerb(token, next)) return undefined
  // In `you must send_email to …`, the tool name is the verb.
  if (known.has(lower) && lower.includes('_') && next !== undefined) return 'call'
  return readiness === 'hard' ? demandedVerb(lower, next) : opensOrder(lower, next, known, marked) ? lower : undefined
}

/** True for a word in a verb's position that is not a verb. */
function isNoVerb({ lower, after }: Token, next: Token | undefined): boolean {
  if (lower === 'do' && isNegation(next?.lower ?? '')) return true
  if (lower !== 'be' && isLead(lower) && !isVerb(lower)) return true
  // `open from 7 to 19` describes a state.
  if (lower === 'open' && /^(?:from|until|till|between|daily)$/.test(next?.lower ?? '')) return true
  // `name: code_review` is a label.
  return isAmbiguous(lower) && !CALLS.includes(lower) && after.includes(':')
}

/** Accepts any word without another role. */
function demandedVerb(lower: string, next: Token | undefined): string | undefined {
  // `the amount must be 40` means that the amount must be set to 40.
  if (lower === 'be') return next !== undefined && isThing(next) ? 'set' : undefined
  if (lower === 'have') return 'include'
  if (isVerb(lower)) return lower
  return /^[a-z-]{2,30}$/.test(lower) && !isStop(lower) ? (respelled(lower, verbs) ?? lower) : undefined
}

/** Returns the verb in `cal send_mail with …` or `forwrad the report to bob@x.org`, only before a typical object. */
function misspelledVerb(
  tokens: readonly Token[],
  at: number,
  readiness: Readiness,
  known: ReadonlySet<string>,
): string | undefined {
  const [token, next, third] = tokens.slice(at, at + 3)
  if (token === undefined || next === undefined || token.quoted || token.after !== '') return undefined
  const isReady = readiness === 'soft' || readiness === 'hard'
  const isTool = ({ lower }: Token) => lower.includes('_') && known.has(lower)
  if (isTool(next) && !NOT_BEFORE_CALL.has(tokens[at - 1]?.lower ?? '')) {
    // `All send_mail calls are logged` is about a tool, `all send_mail to …` is a call.
    const isCall = third === undefined || takesVerb(third.lower) || next.after !== ''
    return isReady && isCall ? nearest(token.lower, CALLS) : respelled(token.lower, CALLS)
  }
  if (!isReady || !(isThing(next) || takesVerb(next.lower))) return undefined
  const isClear = tokens.slice(at + 1).some((one) => one.quoted || isTool(one) || isPlace(one))
  return isClear ? respelled(token.lower, verbs) : undefined
}

function isPlace(token: Token): boolean {
  const fact = factOf(token)
  return fact !== undefined && fact !== 'number'
}

const CALLS = ['call', 'invoke', 'use', 'run', 'execute', 'trigger']
const NOT_BEFORE_CALL = wordSet('to that which who can may might will would could if not never i we they it cannot')

/** True for `… now call send_mail`: before a tool name, a verb is an instruction in any position. */
function callsByName(tokens: readonly Token[], at: number, known: ReadonlySet<string>): boolean {
  if (!CALLS.includes(tokens[at]?.lower ?? '') || NOT_BEFORE_CALL.has(tokens[at - 1]?.lower ?? '')) return false
  const name = tokens[at + 1]?.lower === 'the' ? tokens[at + 2] : tokens[at + 1]
  return name?.lower.includes('_') === true && known.has(name.lower)
}

/** True if a verb starts an instruction; false for a single word and for a heading such as "Search results". */
function opensOrder(word: string, next: Token | undefined, known: ReadonlySet<string>, marked: boolean): boolean {
  if (next === undefined || !(isVerb(word) || known.has(word))) return false
  if (isVerb(word) && !isAmbiguous(word)) return true
  return isThing(next) || takesVerb(next.lower) || (marked && !next.lower.endsWith('s'))
}

function isThing(token: Token): boolean {
  return token.quoted || factOf(token) !== undefined || IDENTIFIER.test(token.text.slice(0, 100))
}

const IDENTIFIER = /[a-z0-9]_[a-z0-9]|[a-z][A-Z]|[a-z]-[a-z0-9]|[A-Z].*\d/

function occasionOf(before: readonly Token[], clause: readonly Token[]): Pick<Clause, 'timing' | 'conditional'> {
  const conditional = mentions(before, 'when', 'whenever', 'if', 'every', 'each', 'always', 'any')
  if (mentions(before, 'before', 'first', 'prior', 'start', 'begin')) return { timing: 'before', conditional }
  if (mentions(before, 'after', 'once', 'finally', 'afterwards', 'lastly')) return { timing: 'after', conditional }
  if (mentions(clause, 'before', 'first')) return { timing: 'before', conditional }
  return { timing: mentions(clause, 'after') ? 'after' : undefined, conditional }
}
