/** Guesses an undeclared bait: the items that contain literals of an indicator. */
import { isList, isRecord, own, ownText, type Value, type ValueRecord } from '@joust/source'
import { oatfLimits } from '../model/limits.ts'
import { operatorNames } from '../model/operators.ts'
import type { Walk } from '../walk/walk.ts'
import { instructionIn } from './instructions.ts'
import { leavesOf } from './marks.ts'
import { idleIn, isFetched, type Planted } from './planted.ts'

/** Minimum word length; shorter words are too common. */
const LEAST = 4

/**
 * The likely baits, never empty if anything is planted, and groups of items. At least one item from each group must
 * also be sent.
 */
type Guess = { readonly baits: readonly Planted[]; readonly needed: readonly (readonly Planted[])[] }

export function guessBait(walk: Walk, planted: readonly Planted[]): Guess {
  const asking = examinedQuestions(walk, planted)
  if (asking.length > 0) return { baits: asking, needed: [] }
  const owners = new Set(planted.flatMap(({ owner }) => owner ?? []))
  const words = literalsOf(walk).filter((literal) => literal.length >= LEAST && !owners.has(literal))
  const isServerAttack = planted.some(({ role }) => role === 'server')
  const holding = (items: readonly Planted[]) =>
    items.filter(({ value, role, owner }) => {
      // If an attack has a server, client messages are treated as the user's.
      if (isServerAttack && role !== 'server') return false
      return leavesOf(value).texts.some((text) => text !== owner && words.some((word) => text.includes(word)))
    })
  const matches = holding(planted)
  // Listings and messages reach every agent, so they are not enough if something has to be fetched.
  const fetched = matches.filter(isFetched)
  const instructions = instructionsInListings(walk, fetched, matches)
  const holders = [instructions, fetched, matches].find(({ length }) => length > 0) ?? []
  if (holders.length > 0) return { baits: holders, needed: neededFromOthers(walk, planted, holders) }
  const idle = holding(idleIn(walk))
  if (idle.length > 0) return { baits: idle, needed: [] }
  const baits = lastResort(walk, planted)
  // All tool servers are used together, but only one of several agents.
  const isChoice = baits.some(({ kind, owner }) => kind === 'answer' && owner === undefined)
  return { baits, needed: isChoice ? [] : neededFromOthers(walk, planted, baits) }
}

/**
 * Returns the baits of the other servers. One server may have a legitimate secret that an indicator contains, and a
 * different server the instruction.
 */
function neededFromOthers(walk: Walk, planted: readonly Planted[], baits: readonly Planted[]): Planted[][] {
  const servers = planted.filter(({ role }) => role === 'server')
  if (new Set(servers.map(({ actor }) => actor)).size < 2 || !baits.some(({ role }) => role === 'server')) return []
  const isOrderedByServer = namedIn(servers)
  const isRequestedByUser = namedIn(planted.filter(({ role }) => role !== 'server'))
  // Items that are sent only after the attack succeeded are not needed, unless the user requests them.
  const isFree = (item: Planted) =>
    isRequestedByUser(item) || !(isOrderedByServer(item) || isWatched(item, walk, servers))
  const free = lastAnswers(planted).filter(isFree)
  return [...new Set(free.map(({ actor }) => actor))].flatMap((actor) => {
    const held = baits.filter((item) => item.actor === actor)
    // A listing that is the bait precedes any item fetched from the same server.
    if (held.some((item) => !isFetched(item))) return []
    const all = free.filter((item) => item.actor === actor)
    return [[all.filter((item) => held.includes(item)), held, all].find(({ length }) => length > 0) ?? []]
  })
}

function namedIn(planted: readonly Planted[]): (item: Planted) => boolean {
  const texts = planted.map(({ owner, value }) => {
    const words = leavesOf(value).texts.flatMap((text) => [...text.split(/[^\w-]+/), ...text.split(/[\s"'`<>()]+/)])
    return { owner, words: new Set(words) }
  })
  return ({ owner = '' }) => owner !== '' && texts.some((one) => one.owner !== owner && one.words.has(owner))
}

/** True if an indicator matches the request for a response. */
function isWatched({ owner, actor }: Planted, { indicators }: Walk, servers: readonly Planted[]): boolean {
  const schemas = servers.flatMap((other) => (other.owner === owner ? [own(other.value, 'inputSchema')] : []))
  return indicators.some(({ value, protocol }) => {
    if (owner === undefined) return protocol === 'a2a' && (ownText(value, 'actor') ?? actor) === actor
    const target = ownText(value, 'target') ?? ownText(own(value, 'pattern'), 'target') ?? ''
    const argument = /^arguments\.(\w+)/.exec(target)?.[1]
    const isArgument = argument !== undefined && schemas.some((schema) => own(own(schema, 'properties'), argument))
    return isArgument || searchedTexts(value).some((text) => text.includes(owner))
  })
}

/** Returns the unsolicited server messages, if the indicators examine only the replies to such messages. */
function examinedQuestions({ indicators }: Walk, planted: readonly Planted[]): Planted[] {
  const surfaces = indicators.map(({ value }) => ownText(value, 'surface') ?? '')
  const isExamined = ({ role, methods = [] }: Planted) =>
    role === 'server' && methods.some((method) => surfaces.includes(method))
  const asking = planted.filter(isExamined)
  return surfaces.every((surface) => asking.some(({ methods }) => methods?.includes(surface))) ? asking : []
}

function lastAnswers(planted: readonly Planted[]): Planted[] {
  const servers = planted.filter(({ role }) => role === 'server')
  // One item per phase is enough to order the phases.
  const starts = [...new Map(servers.map((item) => [JSON.stringify([item.actor, item.phases[0]]), item])).values()]
  const last = servers.filter((item) => !starts.some((other) => other.actor === item.actor && isLater(other, item)))
  return last.filter(({ kind }) => kind === 'answer')
}

/**
 * Returns the listings with an instruction if no response has one, or else the responses, because agents have to fetch
 * these. If there are no responses, returns other items.
 */
function lastResort(walk: Walk, planted: readonly Planted[]): Planted[] {
  const answers = lastAnswers(planted)
  const servers = planted.filter(({ role }) => role === 'server')
  const listings = servers.filter(({ kind }) => kind === 'listing')
  const instructions = instructionsInListings(walk, answers, servers)
  if (instructions.length > 0) return instructions
  if (answers.length > 0) return answers
  if (listings.length > 0) return listings
  const clientItems = planted.filter(({ role }) => role !== 'server')
  return clientItems.length > 0 ? clientItems : servers
}

function instructionsInListings(walk: Walk, answers: readonly Planted[], planted: readonly Planted[]): Planted[] {
  const hasInstruction = instructionIn(walk)
  return answers.some(hasInstruction) ? [] : planted.filter((item) => item.kind === 'listing' && hasInstruction(item))
}

function isLater(other: Planted, item: Planted): boolean {
  return !item.phases.includes(other.phases[0] ?? '') && comesAfter(other, item)
}

/** Compares phases by path, because phases are listed in order. */
function comesAfter({ at }: Planted, { at: before }: Planted): boolean {
  for (const [index, step] of at.entries()) {
    const other = before[index]
    if (step !== other) return typeof step === 'number' && typeof other === 'number' && step > other
  }
  return false
}

export function literalsOf({ indicators }: Pick<Walk, 'indicators'>): string[] {
  return indicators.flatMap(({ value }) => textsIn(value, regexLiterals))
}

/** Returns the texts in an indicator, with regular expressions as written. */
export function searchedTexts(indicator: ValueRecord): string[] {
  return textsIn(indicator, (regex) => [regex])
}

type InRegex = (regex: string) => string[]

function textsIn(indicator: ValueRecord, inRegex: InRegex): string[] {
  const pattern = own(indicator, 'pattern')
  const cel = ownText(own(indicator, 'expression'), 'cel')
  return [
    ...(isRecord(pattern) ? patternLiterals(pattern, inRegex) : []),
    ...(cel === undefined ? [] : celLiterals(cel, inRegex)),
  ]
}

function patternLiterals(pattern: Value, inRegex: InRegex): string[] {
  if (typeof pattern === 'string') return [pattern]
  if (isList(pattern)) return pattern.flatMap((one) => patternLiterals(one, inRegex))
  if (!isRecord(pattern)) return []
  return Object.entries(pattern).flatMap(([key, value]) => {
    if (key === 'regex') return typeof value === 'string' ? inRegex(value) : []
    if (key === 'condition' || operatorNames.some((name) => name === key)) return patternLiterals(value, inRegex)
    return []
  })
}

/** Returns the literal texts in a regular expression. Skips the rest of a very long expression. */
function regexLiterals(regex: string): string[] {
  const escaped = /\\{1,2}(?:[pP](?:\{[^}]*\}|[A-Z])|x\{[^}]*\}|[a-zA-Z0-9])/g
  const classes = /(?<!\\)(?:\[[^\]]*\]|\(\?(?:P?<\w+>|[<=!]+|[a-zA-Z-]*:?))|\{\d*,?\d*\}|\w[?*]/g
  return regex
    .slice(0, oatfLimits.guessedRegex)
    .replaceAll(escaped, '|')
    .replaceAll(classes, '|')
    .split(/(?<!\\)[.*+?()|^$]/)
    .map((part) => part.replaceAll(/\\{1,2}(.)/g, '$1'))
    .filter((part) => part.length >= LEAST)
}

/** Returns the texts in a CEL expression. Treats a text with a backslash or a bar as a regular expression. */
function celLiterals(cel: string, inRegex: InRegex): string[] {
  const quoted = cel.matchAll(/"((?:[^"\\]|\\.)*)(?:"|\\?$)|'((?:[^'\\]|\\.)*)(?:'|\\?$)/gs)
  const texts = [...quoted].map((match) => match[1] ?? match[2] ?? '')
  return texts.flatMap((text) => (/[\\|]/.test(text) ? inRegex(text) : [text]))
}
