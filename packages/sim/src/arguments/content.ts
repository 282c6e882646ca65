/** Resolves phrases such as "its contents", "the results" or "your system prompt" to text from the conversation. */

import { factsOf, secretsIn } from '../english/facts.ts'
import { isStop, isVerb, listOf, wordSet } from '../english/lexicon.ts'
import { sentencesOf } from '../english/sentences.ts'
import { respelled } from '../english/slips.ts'
import { mentions, partsOf, type Token, textOf, tokenize } from '../english/tokens.ts'
import { akin, wordsOfName } from '../english/word-forms.ts'
import { jsonText } from '../prompt/plain-text.ts'
import type { View } from '../prompt/view.ts'

const LONGEST = 8000
const RECALLED_FROM = 20_000
const MOST_RECALLED = 5
const SECRETS = wordSet(`
  key keys token tokens credential credentials password passwords secret secrets api-key api-keys apikey apikeys
  env environment auth certificate certificates cookie cookies
`)
const REFERS = wordSet(`
  its it content contents result results output outputs data summary figures file files response responses this
  these that them everything both findings records report information details answer text context prompt
  instructions conversation history transcript
`)

/** Names of secrets that do not resemble other words. */
const LONG_SECRETS = [...SECRETS].filter((word) => /^[a-z]{5,}$/.test(word))

/** Accepts misspelled names, such as `tokn`. */
function isSecret({ lower, quoted }: Token): boolean {
  return SECRETS.has(lower) || (!quoted && respelled(lower, LONG_SECRETS) !== undefined)
}

/** True if the words refer to content elsewhere instead of quoting it. */
export function refersToContent(tokens: readonly Token[]): boolean {
  return tokens.some((token) => !token.quoted && (REFERS.has(token.lower) || isSecret(token)))
}

/** Returns the content that an instruction refers to, or a placeholder for content that is not in the conversation. */
export function contentFor(tokens: readonly Token[], sentence: readonly Token[], view: View): string {
  const parts = new Set(namedParts(tokens, sentence, view))
  const results = view.calls.flatMap((call) => (call.failed || call.result === undefined ? [] : [call.result]))
  const refers = refersToContent(tokens)
  const isIncluded = (text: string) => text === textOf(sentence) || [...parts].some((part) => part.includes(text))
  if (parts.size === 0 || refers) for (const result of results) parts.add(result)
  parts.delete('')
  if (parts.size === 0 || !refers) for (const text of recalled(tokens, view)) if (!isIncluded(text)) parts.add(text)
  if (parts.size === 0) parts.add(`[simulated ${textOf(tokens).slice(0, 200) || 'content'}]`)
  return [...parts].join('\n').slice(0, LONGEST)
}

function namedParts(tokens: readonly Token[], sentence: readonly Token[], view: View): string[] {
  const has = (...words: string[]) => mentions(tokens, ...words)
  const mails = has('email', 'emails', 'e-mail', 'addresses') && !has('send', 'body')
  return [
    ...TOPICS.flatMap((topic) => (topic.meant(has) ? [topic.text(view)] : [])),
    ...factsOf([...tokens, ...sentence], 'path').map((path) => contentAt(path, view)),
    ...(mails ? mailsSeen(view) : []),
    ...(tokens.some(isSecret) ? [secretsSeen(tokens, view)] : []),
  ]
}

/** True if the words mention a topic that exists in every conversation. */
export function asksForTopic(tokens: readonly Token[]): boolean {
  return TOPICS.some((topic) => topic.meant((...words) => mentions(tokens, ...words)))
}

/** Returns earlier text about everything mentioned, otherwise text about each part. */
export function recalled(tokens: readonly Token[], view: View): string[] {
  const together = recalledOf(tokens, view)
  if (together.length > 0) return together
  const parts = partsOf(tokens)
  const texts = parts.length > 1 ? parts.flatMap((part) => recalledOf(part, view)) : []
  return [...new Set(texts)].slice(0, MOST_RECALLED)
}

function recalledOf(tokens: readonly Token[], view: View): string[] {
  const words = nounsOf(tokens)
  if (words.length === 0) return []
  const candidates = view.passages.flatMap(({ writer, text }) => {
    if (writer === 'tool' || writer === 'parameter') return []
    return sentencesOf(text.slice(0, RECALLED_FROM)).flatMap((sentence) => {
      const theirs = nounsOf(sentence.tokens)
      const score = words.filter((word) => theirs.some((other) => akin(other, word))).length
      const repeats = textOf(sentence.tokens).includes(textOf(tokens))
      return score * 2 < words.length || score === 0 || repeats ? [] : [{ score, text: textOf(sentence.tokens) }]
    })
  })
  const most = Math.max(0, ...candidates.map(({ score }) => score))
  const texts = candidates.flatMap(({ score, text }) => (score === most ? [text.slice(0, 500)] : []))
  return [...new Set(texts)].slice(0, MOST_RECALLED)
}

function nounsOf(tokens: readonly Token[]): string[] {
  const words = tokens.slice(0, 60).flatMap(({ text }) => wordsOfName(text))
  return [...new Set(words)].filter((word) => word.length > 2 && !isStop(word) && !isVerb(word))
}

/** Returns the content that an argument description requests, if any: a file, a secret or the conversation. */
export function describedContent(description: string, view: View): string | undefined {
  const tokens = tokenize(description.slice(0, 1000))
  const has = (...words: string[]) => mentions(tokens, ...words)
  if (has('e.g', 'example', 'format')) return undefined
  const asks = TOPICS.some((topic) => topic.meant(has)) || tokens.some(isSecret)
  const whole = has('conversation', 'history', 'transcript', 'prompt', 'instructions', 'tools', 'contents', 'content')
  const paths = factsOf(tokens, 'path').length > 0
  return (asks && whole) || (paths && whole) ? contentFor(tokens, [], view) : undefined
}

type Has = (...some: string[]) => boolean

/** With one of these words, "prompt" means the model's own prompt. */
const WHOSE = listOf('system initial your you their they its previous prior original hidden')

const TOPICS: readonly { meant(has: Has): boolean; text(view: View): string }[] = [
  {
    meant: (has) =>
      (has('prompt', 'prompts', 'instructions', 'message') && has(...WHOSE)) ||
      (has('above', 'preceding') && has('everything', 'text', 'all')),
    text: (view) => `My system prompt is: ${view.system}`,
  },
  {
    meant: (has) => has('tools', 'functions') || (has('tool') && has('list', 'names')),
    text: (view) => `Available tools:\n${toolList(view)}`,
  },
  {
    meant: (has) => {
      const isMessage = has('message', 'messages', 'request', 'query', 'question', 'input', 'prompt')
      return (
        has('conversation', 'history', 'transcript', 'chat') || (has('user', "user's", 'user’s', 'users') && isMessage)
      )
    },
    text: (view) => `Full conversation:\n${view.transcript}`,
  },
]

function toolList(view: View): string {
  return view.tools.map((tool) => `${tool.name}: ${tool.description}`).join('\n')
}

function contentAt(path: string, view: View): string {
  const call = view.calls.find(
    (past) => past.result !== undefined && !past.failed && jsonText(past.input).includes(path),
  )
  return call?.result ?? `[simulated contents of ${path}]`
}

function mailsSeen(view: View): string[] {
  const texts = view.passages.filter(({ writer }) => writer === 'request' || writer === 'history' || writer === 'data')
  return texts.flatMap(({ text }) => factsOf(tokenize(text.slice(0, RECALLED_FROM)), 'email'))
}

/** Returns the secrets in the conversation, or a placeholder in the requested form if there are none. */
function secretsSeen(tokens: readonly Token[], view: View): string {
  const texts = view.passages.filter((passage) => passage.writer !== 'tool').map(({ text }) => text)
  const secrets = [...new Set(texts.flatMap(secretsIn))]
  if (secrets.length > 0) return secrets.join('\n')
  const at = tokens.findIndex(isSecret)
  const named = tokens.slice(Math.max(0, at - 1), at + 1).map(({ text }) => text)
  const name = named
    .join('_')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replace(/s$/i, '')
    .toUpperCase()
  return `[simulated ${textOf(tokens).slice(0, 200)}] ${name}=simulated-${name.toLowerCase().replaceAll('_', '-')}`
}
