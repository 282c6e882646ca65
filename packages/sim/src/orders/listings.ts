/** Pairs of tools that list and fetch the same items, such as prompts and resources. */
import { isList, own } from '@joust/source'
import { kindOfName } from '../arguments/explicit.ts'
import { factsOf } from '../english/facts.ts'
import { isVerb } from '../english/lexicon.ts'
import { type Token, tokenize } from '../english/tokens.ts'
import { akin, wordsOfName } from '../english/word-forms.ts'
import { type OfferedTool, propertiesOf } from '../prompt/tools.ts'
import type { View } from '../prompt/view.ts'
import { contentWords } from './match-tool.ts'

/** A listing tool, and the tool that fetches an item by the argument `key`. */
export interface Listing {
  readonly list: OfferedTool
  readonly fetch: OfferedTool
  readonly key: string
}

const MOST_ENTRIES = 200
const MOST_FETCHED = 8
const FETCHES = /^(?:get|read|fetch|open|show|load|use|view|download)$/

export function listingsOf(tools: readonly OfferedTool[]): Listing[] {
  return tools.flatMap((list) => {
    if (list.words[0] !== 'list' || list.words.length < 2) return []
    const things = list.words.slice(1).join(' ')
    const fetch = tools.find((tool) => {
      const [verb = '', ...thing] = tool.words
      return FETCHES.test(verb) && akin(thing.join(' '), things) && serverOf(tool) === serverOf(list)
    })
    const key = fetch && keyOf(fetch)
    return fetch === undefined || key === undefined ? [] : [{ list, fetch, key }]
  })
}

function serverOf({ name }: OfferedTool): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('__')))
}

/** Returns undefined unless the tool requires exactly one argument. */
function keyOf({ schema }: OfferedTool): string | undefined {
  const required = own(schema, 'required')
  const names = isList(required) ? required.filter((name) => typeof name === 'string') : []
  const only = names.length > 0 ? names : propertiesOf(schema).map(([name]) => name)
  return only.length === 1 ? only[0] : undefined
}

/** If no listed item matches the words of the request and `curious` is set, selects the first item. */
export function chosenFrom(listing: Listing, tokens: readonly Token[], view: View, curious: boolean): string[] {
  const call = view.calls.find(({ tool, result }) => tool === listing.list.name && result !== undefined)
  const entries = entriesOf(call?.result ?? '', listing.key)
  const keys = entries.map((entry) => entry.key)
  const all = tokens.some(({ lower }) => lower === 'all' || lower === 'every' || lower === 'each')
  if (all && mentionsThings(tokens, listing)) return keys.slice(0, MOST_FETCHED)
  const requestWords = new Set(tokens.map(({ text }) => text))
  const named = keys.filter((key) => requestWords.has(key))
  if (named.length > 0) return named.slice(0, MOST_FETCHED)
  const words = contentWords(tokens)
  const scores = entries.map(({ text }) => {
    const theirs = wordsOfText(text)
    return words.filter((word) => !isVerb(word) && theirs.some((other) => akin(other, word))).length
  })
  const most = Math.max(0, ...scores)
  if (most === 0) return curious || keys.length === 1 ? keys.slice(0, 1) : []
  return keys.slice(scores.indexOf(most), scores.indexOf(most) + 1)
}

/** True if the words mention the kind of listed items: `the prompt`, `every resource`. */
export function mentionsThings(tokens: readonly Token[], { list }: Listing): boolean {
  return tokens.some(({ lower, quoted }) => !quoted && list.words.slice(1).some((word) => akin(word, lower)))
}

/** Reads entries from `name: value` lines; a repeated name starts the next entry. */
function entriesOf(result: string, key: string): { key: string; text: string }[] {
  const records: Map<string, string>[] = [new Map()]
  for (const line of result.split('\n', MOST_ENTRIES * 8)) {
    const cut = line.indexOf(': ')
    if (cut < 1) continue
    const name = line.slice(0, cut)
    if (records.at(-1)?.has(name)) records.push(new Map())
    records.at(-1)?.set(name, line.slice(cut + 2))
  }
  const named = records.slice(0, MOST_ENTRIES).flatMap((record) => {
    const value = record.get(key)
    return value === undefined ? [] : [{ key: value, text: [...record.values()].join(' ') }]
  })
  return named.length > 0 ? named : plainEntries(result, key)
}

/** Reads entries from lines that contain a value for the argument, such as `- notes.md 2k`. */
function plainEntries(result: string, key: string): { key: string; text: string }[] {
  const kind = kindOfName(key)
  if (kind === undefined) return []
  return result.split('\n', MOST_ENTRIES).flatMap((text) => {
    const first = factsOf(tokenize(text.slice(0, 1000)), kind)[0]
    return first === undefined ? [] : [{ key: first, text }]
  })
}

function wordsOfText(text: string): string[] {
  return tokenize(text.slice(0, 1000)).flatMap((token) => wordsOfName(token.text))
}
