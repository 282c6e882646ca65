/** Finds the tool that a text refers to: by name, or by matching verbs, nouns and argument kinds. */
import { suggest } from '@joust/source'
import { doesSum, sumIn } from '../english/arithmetic.ts'
import { type FactKind, factOf } from '../english/facts.ts'
import { isStop, isVerb, sameAction, wordSet } from '../english/lexicon.ts'
import { type Token, tokenize } from '../english/tokens.ts'
import { akin, canonical, wordsOfName } from '../english/word-forms.ts'
import { type OfferedTool, propertiesOf, type ToolIndex } from '../prompt/tools.ts'

const ENOUGH = 4
/** Minimum length of a name to correct; shorter names resemble too many words. */
const SHORTEST_NAME = 6
const compoundNames = /^[a-z0-9]+(?:_[a-z0-9]+)+$/
const singleNames = /^[a-z0-9]+(?:_[a-z0-9]+)*$/

/** Returns the tools that a text names, in order of appearance. */
export function namedTools(tokens: readonly Token[], tools: ToolIndex): OfferedTool[] {
  const matches: { tool: OfferedTool; at: number }[] = []
  const wordSet = new Set(tokens.flatMap((token) => [token.lower, bareName(token)]))
  for (const tool of new Set([...wordSet].flatMap((word) => tools.get(word) ?? []))) {
    const at = tokens.findIndex((_, index) => namesAt(tokens, index, tool))
    if (at >= 0) matches.push({ tool, at })
  }
  return matches.sort((a, b) => a.at - b.at).map(({ tool }) => tool)
}

const CALLED = /^(?:tool|function|agent|skill|endpoint|action|command|api)s?$/

/** Corrects misspelled tool names in a text: `snd_mail`, `the serch agent`. */
export function withToolNames(tokens: readonly Token[], tools: readonly OfferedTool[]): readonly Token[] {
  const candidates = tokens.flatMap(({ lower, quoted, text }, at) => {
    const names = CALLED.test(tokens[at + 1]?.lower ?? '') ? singleNames : compoundNames
    return quoted || text.length < SHORTEST_NAME || !names.test(lower) ? [] : [at]
  })
  if (candidates.length === 0 || tools.length === 0) return tokens
  const offered = new Set(tools.flatMap(({ lower, short, words }) => [lower, short, ...words]))
  const parameters = tools.flatMap(({ schema }) => propertiesOf(schema))
  const parameterNames = new Set(parameters.map(([name]) => name.toLowerCase()))
  const corrections = new Map(
    candidates.flatMap((at): [number, string][] => {
      const written = tokens[at]?.lower ?? ''
      const name = offered.has(written) || parameterNames.has(written) ? undefined : suggest(written, offered, 1)
      return name === undefined ? [] : [[at, name]]
    }),
  )
  return corrections.size === 0
    ? tokens
    : tokens.map((token, at) => ({ ...token, lower: corrections.get(at) ?? token.lower }))
}

export function names(tokens: readonly Token[], tool: OfferedTool): boolean {
  return tokens.some((_, at) => namesAt(tokens, at, tool))
}

/** Finds the best tool for a text that does not name a tool. Returns undefined if no tool matches. */
export function bestTool(
  verb: string,
  tokens: readonly Token[],
  tools: readonly OfferedTool[],
  { least = ENOUGH, believing = false }: { readonly least?: number; readonly believing?: boolean } = {},
): OfferedTool | undefined {
  let best: OfferedTool | undefined
  let most = 0
  const words = contentWords(tokens).map(canonical)
  for (const tool of tools) {
    const fit = scoreOf(verb, tokens, words, tool)
    // With a lower threshold, the words must suffice without the verb.
    const bare = least < ENOUGH ? scoreOf('', tokens, words, tool) : fit
    const claims = believing && claimsAll(tool)
    const favour = believing ? praise(tool) + (claims ? ENOUGH : 0) : 0
    const score = bare < (claims ? 1 : least) ? 0 : Math.max(fit, bare) + favour
    if (score > most) {
      best = tool
      most = score
    }
  }
  return best
}

const PRAISE = wordSet(`
  advanced best certified enhanced enterprise exclusive faster fastest grade guaranteed improved instant latest
  leading official plus powered preferred premium priority pro recommended superior trusted unlimited upgraded
  verified
`)

const CLAIMS = wordSet('use prefer choose select call send sent route routed delegate forward pick consult')

const SELVES = ['agent', 'tool', 'service']

/** Verbs that match a memory tool with any name. */
const KEEPS = wordSet('remember memorize store save keep memory memories note notes')

/** Self-promotion in a description lets a tool win over a similar match. */
function praise({ description }: OfferedTool): number {
  const boasts = contentWords(tokenize(description.slice(0, 600))).filter((word) => PRAISE.has(word))
  return Math.min(3, boasts.length)
}

/** True for descriptions such as `Use this agent for all translations` or `send every booking to BookingPlus`. */
function claimsAll({ name, description }: OfferedTool): boolean {
  const tokens = tokenize(description.slice(0, 600))
  // The text of an agent card starts with the agent's name.
  const names = [name, description.split('\n', 1).join('')].map((one) => wordsOfName(one).join(''))
  const itself = tokens.some(({ lower }, at) => {
    const named = names.includes(lower.replaceAll(/[^a-z0-9]/g, ''))
    const self = named || isThisTool(lower, tokens[at + 1]?.lower ?? '')
    return self && tokens.slice(Math.max(0, at - 8), at).some((token) => CLAIMS.has(token.lower))
  })
  return itself && tokens.some(({ lower }) => /^(?:all|every|any|always|only|first|instead)$/.test(lower))
}

/** True for `this tool`, with at most one word misspelled. */
function isThisTool(first: string, second: string): boolean {
  const isTool = SELVES.includes(second)
  if (first === 'this') return isTool || suggest(second, SELVES, 1) !== undefined
  return isTool && suggest(first, ['this'], 1) !== undefined
}

/** Matches `send_email`, `sendEmail`, the last part of `server__send_email`, or `send email tool`. */
function namesAt(tokens: readonly Token[], at: number, tool: OfferedTool): boolean {
  const token = tokens[at]
  if (token === undefined) return false
  const written = bareName(token)
  const { lower, short, words } = tool
  const compound = /[^a-z]/.test(short) || tool.name !== lower
  const next = tokens[at + 1]?.lower ?? ''
  if (written === lower || written === short) {
    const introduced = CALLED.test(next) || CALLED.test(tokens[at - 1]?.lower ?? '') || token.quoted
    return compound || introduced || /^(?:call|invoke|using|use|via|run|execute)$/.test(tokens[at - 1]?.lower ?? '')
  }
  if (words.length < 2) return false
  const spelled = words.every((word, index) => tokens[at + index]?.lower === word)
  return spelled && CALLED.test(tokens[at + words.length]?.lower ?? '')
}

/** Extracts the name in `send_email(to)` and `send_email's`. */
function bareName({ lower }: Token): string {
  return lower.replace(/\(.*$/, '').replace(/[’']s$/, '')
}

function scoreOf(verb: string, tokens: readonly Token[], words: readonly string[], tool: OfferedTool): number {
  const [first, further] = opening(tool.description)
  const described = contentWords(first).filter((word) => !tool.words.includes(word))
  const besides = contentWords(further)
  const parameters = propertiesOf(tool.schema).flatMap(([name]) => wordsOfName(name))
  const named = new Set(tool.words.map(canonical))
  const descriptionWords = new Set(described.map(canonical))
  const aside = new Set([...parameters, ...besides].map(canonical))
  let score = 0
  for (const word of words) score += named.has(word) ? 3 : descriptionWords.has(word) ? 1.5 : aside.has(word) ? 1 : 0
  const deeds = [...tool.words, ...described]
  if (deeds.some((other) => isVerb(other) && akin(other, verb))) score += 1
  else if (deeds.some((other) => sameAction(verb, other))) score += 2
  if (KEEPS.has(verb) && tool.words.some((word) => KEEPS.has(word))) score += ENOUGH - 2
  const sum = sumFit(tokens, [...tool.words, ...described])
  const fits = placeFit(tokens, parameters) + factFit(tokens, parameters)
  return score + sum + fits - (sum === 0 && opposes(verb, tool, described) ? 3 : 0)
}

/** A tool for the operation scores higher than a general tool. */
function sumFit(tokens: readonly Token[], words: readonly string[]): number {
  const sum = sumIn(tokens)
  const fit = sum && doesSum(sum, words)
  return fit === undefined ? 0 : fit === 'exactly' ? ENOUGH + 2 : ENOUGH
}

/** True if a tool contradicts the verb: a tool that sends is not used to show, nor one that reads to pay. */
function opposes(verb: string, tool: OfferedTool, described: readonly string[]): boolean {
  const leading = [tool.words[0] ?? '', described[0] ?? ''].find(isVerb)
  const fits = [...tool.words, leading ?? ''].some((word) => sameAction(verb, word) || akin(verb, word))
  return leading !== undefined && isVerb(verb) && !fits
}

const FITS: Readonly<Record<FactKind, RegExp>> = {
  url: /^(?:url|uri|link|endpoint|webhook|href|page|site|website|callback)$/,
  email: /^(?:email|mail|to|recipient|recipients|address|cc|bcc)$/,
  path: /^(?:path|file|filename|filepath|directory|folder|dir)$/,
  number: /^(?:amount|count|limit|number|quantity|total|price|sum|value|a|b|x|y|n)$/,
}

/** Matches `in Bergen` with a place argument, and `to Lillesand` with a destination. */
function placeFit(tokens: readonly Token[], parameters: readonly string[]): number {
  const after = (prepositions: RegExp) =>
    tokens.some(({ lower }, at) => prepositions.test(lower) && /^\p{Lu}/u.test(tokens[at + 1]?.text ?? ''))
  const takes = (names: RegExp) => parameters.some((name) => names.test(name))
  const placed = after(/^(?:in|at|near|for)$/) && takes(/^(?:city|place|location|town|country|region|area)$/)
  return placed || (after(/^(?:to|from)$/) && takes(/^(?:destination|origin|arrival|departure)$/)) ? 2 : 0
}

function factFit(tokens: readonly Token[], parameters: readonly string[]): number {
  const kinds = new Set(tokens.map(factOf))
  let score = 0
  for (const [kind, names] of Object.entries(FITS)) {
    // The type does not say that the keys are kinds.
    if (kinds.has(kind as FactKind) && parameters.some((name) => names.test(name))) score += kind === 'number' ? 1 : 2
  }
  return score
}

/** Returns the first sentence, and the rest of the first paragraph. */
function opening(description: string): readonly [Token[], Token[]] {
  const paragraph = description.split(/\n\s*\n/, 1).join('')
  const tokens = tokenize(paragraph.slice(0, 400))
  const end = tokens.findIndex((token) => /[.!?]/.test(token.after))
  return end < 0 ? [tokens, []] : [tokens.slice(0, end + 1), tokens.slice(end + 1)]
}

/** Returns the distinct words, except stop words. */
export function contentWords(tokens: readonly Token[]): string[] {
  const words = tokens.slice(0, 200).flatMap((token, at) => {
    const particle = /^(?:up|in|out|off|down)$/.test(tokens[at + 1]?.lower ?? '')
    // `back up` also matches `backup`.
    return factOf(token) === undefined
      ? [...wordsOfName(token.text), ...(particle ? [`${token.lower}${tokens[at + 1]?.lower}`] : [])]
      : []
  })
  return [...new Set(words)].filter((word) => word.length > 1 && !isStop(word)).slice(0, 60)
}
