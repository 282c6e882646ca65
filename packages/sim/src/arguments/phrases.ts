/** Values in phrases: `at the Blue Heron`, `from Celsius to Fahrenheit`, `for the harbour`. */
import { factOf } from '../english/facts.ts'
import { isVerb, wordSet } from '../english/lexicon.ts'
import type { Token } from '../english/tokens.ts'
import { wordsOfName } from '../english/word-forms.ts'

const PREPOSITIONS = wordSet('for of in at to from into on near about with by named called')
const ENDS = wordSet('and then or but please so using via that which who is are was as when if now')
const ARTICLES = wordSet('the a an my our your this that its their his her some any all')
const TOWARDS = wordSet('to target destination dest into language recipient')
const FROM = wordSet('from source origin departure')
const TIME = wordSet('date day when time start end deadline month week')

interface Phrase {
  readonly after: string
  readonly tokens: readonly Token[]
}

/** Returns undefined if no phrase fits the argument. */
export function phraseFor(name: string, tokens: readonly Token[]): string | undefined {
  const words = wordsOfName(name)
  const named = (set: ReadonlySet<string>) => words.some((word) => set.has(word))
  const phrases = phrasesOf(tokens)
  const after = (...prepositions: string[]) => phrases.find((phrase) => prepositions.includes(phrase.after))
  if (named(FROM)) return textOfPhrase(after('from')) ?? beforeTo(tokens)
  if (named(TOWARDS)) return textOfPhrase(after('to', 'into') ?? after('in') ?? receiver(tokens))
  if (named(TIME)) return textOfPhrase(after('on', 'at', 'for'))
  const things = phrases.filter((phrase) => !['to', 'from', 'into', 'with', 'by'].includes(phrase.after))
  const proper = things.find((phrase) => isProper(phrase.tokens[0])) ?? properRun(tokens)
  return textOfPhrase(proper ?? things[0])
}

export function properName(tokens: readonly Token[]): string | undefined {
  return textOfPhrase(properRun(tokens))
}

/** Returns the recipient in `Send Priya the notes` or `a mail to Bob`. */
export function receiverIn(tokens: readonly Token[]): string | undefined {
  const to = phrasesOf(tokens).find((phrase) => phrase.after === 'to' && isProper(phrase.tokens[0]))
  return textOfPhrase(to ?? receiver(tokens))
}

/** Returns the recipient in `Send Priya the notes`. */
function receiver(tokens: readonly Token[]): Phrase | undefined {
  const [, name, next] = tokens
  const hasArticle = next !== undefined && ARTICLES.has(next.lower)
  return name !== undefined && hasArticle && isProper(name) ? { after: '', tokens: [name] } : undefined
}

/** A phrase ends at the next preposition, conjunction or comma. Phrases with only numbers are omitted. */
function phrasesOf(tokens: readonly Token[]): Phrase[] {
  return tokens.flatMap((token, at): Phrase[] => {
    if (token.quoted || !PREPOSITIONS.has(token.lower)) return []
    const rest = tokens.slice(at + 1)
    const end = rest.findIndex((word, index) => {
      const before = rest[index - 1]
      const broken = before !== undefined && /[,;:.!?]/.test(before.after)
      return broken || (!word.quoted && (PREPOSITIONS.has(word.lower) || ENDS.has(word.lower)))
    })
    const words = withoutArticles(end < 0 ? rest : rest.slice(0, end))
    const empty = words.length === 0 || words.every((word) => factOf(word) === 'number')
    return empty ? [] : [{ after: token.lower, tokens: words }]
  })
}

function withoutArticles(tokens: readonly Token[]): readonly Token[] {
  const first = tokens.findIndex(({ lower, quoted }) => quoted || !ARTICLES.has(lower))
  return first < 0 ? [] : tokens.slice(first)
}

/** Returns the unit in `30 degrees Celsius to …`. */
function beforeTo(tokens: readonly Token[]): string | undefined {
  const at = tokens.findIndex(({ lower, quoted }) => !quoted && (lower === 'to' || lower === 'into'))
  const word = tokens[at - 1]
  return word === undefined || at < 2 ? undefined : word.text
}

function isProper(token: Token | undefined): boolean {
  return token !== undefined && (token.quoted || /^\p{Lu}/u.test(token.text))
}

/** Skips the first word, which is always capitalized. */
function properRun(tokens: readonly Token[]): Phrase | undefined {
  const start = tokens.findIndex((token, at) => at > 0 && isProper(token) && !isVerb(token.lower))
  if (start < 0) return undefined
  const rest = tokens.slice(start)
  const end = rest.findIndex((token) => !isProper(token))
  return { after: '', tokens: end < 0 ? rest : rest.slice(0, end) }
}

function textOfPhrase(phrase: Phrase | undefined): string | undefined {
  const text = phrase?.tokens.map((token) => token.text).join(' ')
  return text === '' ? undefined : text
}
