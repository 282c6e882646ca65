/** Named values in a text: `key: value`, `key=value`, `with key "value"`, `X as the key parameter`. */
import type { Value } from '@joust/source'
import { type FactKind, factOf } from '../english/facts.ts'
import { isStop, isVerb, wordSet } from '../english/lexicon.ts'
import { type Token, textOf } from '../english/tokens.ts'
import { wordsOfName } from '../english/word-forms.ts'

type Explicit = { readonly text: string } | { readonly words: readonly Token[] }

const FILLERS = wordSet(
  'is of to as the a an set value equal equals with parameter argument field named called be has have must should',
)

/** Returns undefined if the words assign no value to the name. */
export function explicitValue(name: string, tokens: readonly Token[]): Explicit | undefined {
  return assigned(name, tokens) ?? after(name, tokens) ?? passedAs(name, tokens)
}

/** Matches `key=value` in one word. */
function assigned(name: string, tokens: readonly Token[]): Explicit | undefined {
  const start = `${name.toLowerCase()}=`
  const word = tokens.find(({ lower, quoted }) => !quoted && lower.startsWith(start) && lower.length > start.length)
  return word && { text: word.text.slice(start.length) }
}

/** Matches `key: value`, `key "value"`, `key of 5`, `to bob@example.com`. */
function after(name: string, tokens: readonly Token[]): Explicit | undefined {
  for (const [at, token] of tokens.entries()) {
    if (!isName(token, name)) continue
    const text = valueAfter(token, at, tokens) ?? pairedWith(at, tokens)
    if (text !== undefined) return { text }
    if (tokens[at + 1]?.lower === 'set' && tokens[at + 2]?.lower === 'to') return { words: lineFrom(tokens, at + 3) }
  }
  return undefined
}

/** Matches `with door front, locked false`: a name and a single word, in a sequence of such pairs. */
function pairedWith(at: number, tokens: readonly Token[]): string | undefined {
  const before = tokens[at - 1]
  const value = tokens[at + 1]
  const name = tokens[at]
  if (before === undefined || value === undefined || name === undefined || name.lower.length < 3) return undefined
  const opens =
    /^(?:with|and|parameter|argument|field)$/.test(before.lower) ||
    /[,(:]/.test(before.after) ||
    before.text.includes('_')
  const ends = value.after !== '' || tokens[at + 2] === undefined || /^(?:and|with)$/.test(tokens[at + 2]?.lower ?? '')
  return opens && ends && name.after === '' && !isStop(value.lower) && !isVerb(value.lower) ? value.text : undefined
}

function valueAfter(name: Token, at: number, tokens: readonly Token[]): string | undefined {
  const separated = /[:=]/.test(name.after)
  const isFiller = ({ lower, quoted }: Token) => !quoted && FILLERS.has(lower)
  const fillers = separated ? 0 : tokens.slice(at + 1, at + 4).findIndex((token) => !isFiller(token))
  const next = at + 1 + (fillers < 0 ? 3 : fillers)
  const value = tokens[next]
  if (value === undefined) return undefined
  if (separated && startsLine(tokens, at) && !value.quoted) return textOf(lineFrom(tokens, next))
  // In `"a" and "b"`, a quoted name is followed by its value only after a colon or filler words.
  if (value.quoted) return name.quoted && !separated && next === at + 1 ? undefined : value.text
  return factOf(value) !== undefined || (separated && !isStop(value.lower)) ? value.text : undefined
}

/** Offsets restart with each line. */
function startsLine(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]
  const before = tokens[at - 1]
  return token !== undefined && (before === undefined || before.start >= token.start)
}

/** Returns `key: several words` up to the end of the line or sentence. */
function lineFrom(tokens: readonly Token[], start: number): readonly Token[] {
  let end = start + 1
  while (end < tokens.length && !startsLine(tokens, end) && !/[.!?;]/.test(tokens[end - 1]?.after ?? '')) end++
  return tokens.slice(start, end)
}

/** Matches `pass the contents as the key parameter`. */
function passedAs(name: string, tokens: readonly Token[]): Explicit | undefined {
  for (const [at, token] of tokens.entries()) {
    if (!isName(token, name)) continue
    const as = tokens.slice(0, at).findLastIndex(({ lower }) => /^(?:as|in|into|under|to|via|through)$/.test(lower))
    if (as < 1 || at - as > 4) continue
    const between = tokens.slice(as + 1, at).every(({ lower }) => isStop(lower) || lower === 'field')
    const parameter = /^(?:parameter|argument|field|value|property|input|key)s?$/.test(tokens[at + 1]?.lower ?? '')
    if (!between || !(parameter || token.quoted || tokens[as]?.lower === 'as')) continue
    const value = tokens[as - 1]
    if (value !== undefined && (value.quoted || factOf(value) !== undefined)) return { text: value.text }
    return { words: tokens.slice(0, as) }
  }
  return undefined
}

function isName(token: Token, name: string): boolean {
  const written = token.lower.replace(/['’]s$/, '')
  return (
    written === name.toLowerCase() ||
    (name.length > 3 && wordsOfName(token.text).join('_') === wordsOfName(name).join('_'))
  )
}

/** Returns a word next to one of the name's words: `project alpha-7`, `the staging environment`, `user-service`. */
export function besideName(name: string, tokens: readonly Token[]): string | undefined {
  const words = wordsOfName(name)
  const nouns = words.filter((word) => word.length > 2 && !EMPTY.test(word))
  const direction = words.find((word) => word === 'from' || word === 'to')
  const places = tokens.flatMap((token, at) => {
    const noun = token.quoted
      ? undefined
      : nouns.find((word) => wordsOfName(token.text).some((part) => part === word || part === `${word}s`))
    return noun === undefined ? [] : [{ at, whole: token.lower === noun || token.lower === `${noun}s` }]
  })
  const directed = places.filter(({ at }) =>
    tokens.slice(Math.max(0, at - 3), at).some(({ lower }) => lower === direction),
  )
  for (const { at, whole } of directed.length > 0 ? directed : places) {
    const value = whole ? neighbourOf(tokens, at) : compoundAt(tokens, at)
    if (value !== undefined) return value
  }
  return undefined
}

const EMPTY = /^(?:id|name|number|the|from|to|key|code|type|of)$/

function compoundAt(tokens: readonly Token[], at: number): string | undefined {
  const text = tokens[at]?.text ?? ''
  return /[a-z0-9][-_][a-z0-9]/i.test(text) ? text : undefined
}

function neighbourOf(tokens: readonly Token[], at: number): string | undefined {
  let next = at + 1
  while (next < at + 3 && /^(?:id|number|named|called|no|#)$/.test(tokens[next]?.lower ?? '')) next++
  const after = tokens[at]?.after ?? ''
  const right = after === '' || after === ':' ? tokens[next] : undefined
  if (right !== undefined && (isLabelLike(right) || isPlainName(tokens, at, next))) return right.text
  const left = tokens[at - 1]
  return left !== undefined && left.after === '' && !isStop(left.lower) && at > 1 ? left.text : undefined
}

/** True for the name in `for project phoenix`: a word at the end of a phrase, after a preposition and a noun. */
function isPlainName(tokens: readonly Token[], noun: number, at: number): boolean {
  const word = tokens[at]
  const follower = tokens[at + 1]
  const led = /^(?:for|of|on|in|to|from|the|named|called)$/.test(tokens[noun - 1]?.lower ?? '')
  const ends = word?.after !== '' || follower === undefined || isStop(follower.lower)
  return led && ends && word !== undefined && !isStop(word.lower) && !isVerb(word.lower)
}

/** True for a name or number, false for prose. */
function isLabelLike(token: Token): boolean {
  return token.quoted || /\d|[-_]/.test(token.text) || (/^[A-Z]/.test(token.text) && !isStop(token.lower))
}

/** Returns the kind of value that an argument with this name takes; undefined if unknown. */
export function kindOfName(name: string, format?: Value): FactKind | undefined {
  const words = wordsOfName(name)
  const has = (pattern: RegExp) => words.some((word) => pattern.test(word))
  if (format === 'email' || has(/^(?:emails?|mail|recipients?)$/) || words.join('') === 'to') return 'email'
  if (format === 'uri' || format === 'url' || has(/^(?:ur[il]s?|link|endpoint|webhook|href|website|callback)$/))
    return 'url'
  return has(/^(?:paths?|files?|filename|filepath|directory|folder|dir)$/) ? 'path' : undefined
}
