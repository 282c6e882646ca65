/** Splits text into sentences, also at paragraphs, items and tags. A label (`IMPORTANT:`) emphasizes what follows. */

import { withSpacedSigns } from './arithmetic.ts'
import { legible } from './legible.ts'
import { wordSet } from './lexicon.ts'
import { type Token, tokenize } from './tokens.ts'

export interface Sentence {
  readonly tokens: readonly Token[]
  /** True if the sentence or a line above it demands attention. */
  readonly marked: boolean
  readonly item: boolean
  /** True if the sentence ends with a colon, so that the following items belong to it. */
  readonly opens: boolean
}

const MOST = 400
const LONGEST_SENTENCE = 200
const WRAPPED = 45
const QUOTED_WORDS = 5
const MARKERS = wordSet(`
  important critical mandatory required requirement attention urgent warning note notice system instruction
  instructions directive must compulsory alert override action protocol
`)
const ABBREVIATIONS = ['e.g.', 'i.e.', 'etc.', 'vs.', 'mr.', 'mrs.', 'dr.', 'no.', 'approx.']

export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = []
  let marked = false
  for (const line of logicalLines(legible(text))) {
    const { item, body } = unbullet(line)
    for (const tokens of splitSentences(tokenize(withSpacedSigns(body)))) {
      marked ||= tokens.some((token) => isMarker(token))
      sentences.push({ tokens, marked, item, opens: tokens.at(-1)?.after.includes(':') === true })
      if (sentences.length === MOST) return sentences
    }
  }
  return sentences
}

/** Returns long quotations, which another author may have written. */
export function quotationsIn(text: string): string[] {
  const quotes = sentencesOf(text).flatMap(({ tokens }) => tokens.filter(({ quoted }) => quoted))
  return quotes.flatMap((token) => (token.text.split(' ', QUOTED_WORDS).length < QUOTED_WORDS ? [] : [token.text]))
}

/** True for a marker in upper case or with a colon. */
function isMarker(token: Token): boolean {
  if (token.quoted || !MARKERS.has(token.lower)) return false
  return token.text === token.text.toUpperCase() || token.after.includes(':')
}

function logicalLines(text: string): string[] {
  const lines: string[] = []
  let previous = ''
  for (const raw of withoutMarkup(text).split('\n')) {
    const line = raw.trim()
    if (line !== '' && previous !== '' && continues(previous, line)) lines[lines.length - 1] += ` ${line}`
    else if (line !== '') lines.push(line)
    previous = line
  }
  return lines
}

function continues(previous: string, line: string): boolean {
  if (unbullet(line).item || /^(?:[A-Z][\w -]{0,40}|[a-z][\w-]{0,40}): /.test(line)) return false
  if (/[.!?:;]$/.test(previous)) return false
  return /^[a-z(]/.test(line) || previous.length >= WRAPPED
}

/** Removes markup, but keeps the content of tags. */
function withoutMarkup(text: string): string {
  return text
    .replaceAll('<!--', '\n')
    .replaceAll('-->', '\n')
    .replaceAll('/*', '\n')
    .replaceAll('*/', '\n')
    .replaceAll('**', '')
    .replaceAll(
      /<\/?([A-Za-z][\w-]{0,40})>/g,
      (_, name: string) => `\n${MARKERS.has(name.toLowerCase()) ? `${name.toUpperCase()}:` : ''}\n`,
    )
    .replaceAll(/[[(]([A-Z][A-Z _-]{2,40})[\])]/g, '$1:')
}

function unbullet(line: string): { item: boolean; body: string } {
  const bullet = /^(?:[-*+•>#]{1,6}|\(?\d{1,3}[.)]|[Ss]tep \d{1,3}[:.)]|[a-z]\))\s+/.exec(line)
  return bullet === null ? { item: false, body: line } : { item: true, body: line.slice(bullet[0].length) }
}

function splitSentences(tokens: readonly Token[]): Token[][] {
  const sentences: Token[][] = []
  let current: Token[] = []
  for (const token of tokens) {
    current.push(token)
    const ends = /[.!?]/.test(token.after) && !ABBREVIATIONS.includes(`${token.lower}.`)
    if (!ends && current.length < LONGEST_SENTENCE) continue
    sentences.push(current)
    current = []
  }
  if (current.length > 0) sentences.push(current)
  return sentences
}
