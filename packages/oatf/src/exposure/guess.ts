/** The guess where a document does not name its bait: whatever holds the very words that an indicator looks for. */
import { isList, isRecord, own, ownText, type Value, type ValueRecord } from '@joust/source'
import { oatfLimits } from '../model/limits.ts'
import { operatorNames } from '../model/operators.ts'
import type { Walk } from '../rules/walk.ts'
import { leavesOf } from './marks.ts'
import { orderIn } from './orders.ts'
import { idleIn, isFetched, type Planted } from './planted.ts'

/** Shorter words occur everywhere. */
const LEAST = 4

/** What is most likely the bait, never empty where anything is planted; and what is needed too: of each list, one. */
type Guess = { readonly baits: readonly Planted[]; readonly needed: readonly (readonly Planted[])[] }

/** Guesses what the bait is. */
export function guessBait(walk: Walk, planted: readonly Planted[]): Guess {
  const asking = questionsSought(walk, planted)
  if (asking.length > 0) return { baits: asking, needed: [] }
  const owners = new Set(planted.flatMap(({ owner }) => owner ?? []))
  const words = literalsOf(walk).filter((literal) => literal.length >= LEAST && !owners.has(literal))
  const isServed = planted.some(({ role }) => role === 'server')
  const holding = (items: readonly Planted[]) =>
    items.filter(({ value, role, owner }) => {
      // With a server to attack from, what clients say counts as the user's.
      if (isServed && role !== 'server') return false
      return leavesOf(value).texts.some((text) => text !== owner && words.some((word) => text.includes(word)))
    })
  const found = holding(planted)
  // Everybody gets a listing or a message; that does not suffice while something has to be fetched.
  const fetched = found.filter(isFetched)
  const orders = ordersInListings(walk, fetched, found)
  const holders = [orders, fetched, found].find(({ length }) => length > 0) ?? []
  if (holders.length > 0) return { baits: holders, needed: neededBeside(walk, planted, holders) }
  const idle = holding(idleIn(walk))
  if (idle.length > 0) return { baits: idle, needed: [] }
  const baits = lastResort(walk, planted)
  // The servers of tools are used together, but of several agents one is asked.
  const isChoice = baits.some(({ kind, owner }) => kind === 'answer' && owner === undefined)
  return { baits, needed: isChoice ? [] : neededBeside(walk, planted, baits) }
}

/** An answer of every server: the words of an indicator may be an honest secret, and the order with another server. */
function neededBeside(walk: Walk, planted: readonly Planted[], baits: readonly Planted[]): Planted[][] {
  const servers = planted.filter(({ role }) => role === 'server')
  if (new Set(servers.map(({ actor }) => actor)).size < 2 || !baits.some(({ role }) => role === 'server')) return []
  const isOrdered = namedIn(servers)
  const isWanted = namedIn(planted.filter(({ role }) => role !== 'server'))
  // What comes only after the fall is not needed, unless the user asks for it.
  const isFree = (item: Planted) => isWanted(item) || !(isOrdered(item) || isWatched(item, walk, servers))
  const free = lastAnswers(planted).filter(isFree)
  return [...new Set(free.map(({ actor }) => actor))].flatMap((actor) => {
    const held = baits.filter((item) => item.actor === actor)
    // A listing that is the bait comes before whatever is fetched from the same server.
    if (held.some((item) => !isFetched(item))) return []
    const all = free.filter((item) => item.actor === actor)
    return [[all.filter((item) => held.includes(item)), held, all].find(({ length }) => length > 0) ?? []]
  })
}

/** Whether a text of others names what an answer belongs to. */
function namedIn(planted: readonly Planted[]): (item: Planted) => boolean {
  const told = planted.map(({ owner, value }) => {
    const words = leavesOf(value).texts.flatMap((text) => [...text.split(/[^\w-]+/), ...text.split(/[\s"'`<>()]+/)])
    return { owner, words: new Set(words) }
  })
  return ({ owner = '' }) => owner !== '' && told.some((one) => one.owner !== owner && one.words.has(owner))
}

/** Whether an indicator looks for the very request that an answer is the answer to. */
function isWatched({ owner, actor }: Planted, { indicators }: Walk, servers: readonly Planted[]): boolean {
  const schemas = servers.flatMap((other) => (other.owner === owner ? [own(other.value, 'inputSchema')] : []))
  return indicators.some(({ value, protocol }) => {
    if (owner === undefined) return protocol === 'a2a' && (ownText(value, 'actor') ?? actor) === actor
    const target = ownText(value, 'target') ?? ownText(own(value, 'pattern'), 'target') ?? ''
    const argument = /^arguments\.(\w+)/.exec(target)?.[1]
    const isArgument = argument !== undefined && schemas.some((schema) => own(own(schema, 'properties'), argument))
    return isArgument || textsSought(value).some((text) => text.includes(owner))
  })
}

/** What servers send unasked, where indicators look at nothing but the answers: nobody falls for what nobody got. */
function questionsSought({ indicators }: Walk, planted: readonly Planted[]): Planted[] {
  const surfaces = indicators.map(({ value }) => ownText(value, 'surface') ?? '')
  const isSought = ({ role, methods = [] }: Planted) =>
    role === 'server' && methods.some((method) => surfaces.includes(method))
  const asking = planted.filter(isSought)
  return surfaces.every((surface) => asking.some(({ methods }) => methods?.includes(surface))) ? asking : []
}

/** The answers of the last phase of each server. */
function lastAnswers(planted: readonly Planted[]): Planted[] {
  const servers = planted.filter(({ role }) => role === 'server')
  // One of each phase will do to tell which phases are later.
  const starts = [...new Map(servers.map((item) => [JSON.stringify([item.actor, item.phases[0]]), item])).values()]
  const last = servers.filter((item) => !starts.some((other) => other.actor === item.actor && isLater(other, item)))
  return last.filter(({ kind }) => kind === 'answer')
}

/** Answers, as they have to be fetched, unless only a listing gives an order; else whatever there is. */
function lastResort(walk: Walk, planted: readonly Planted[]): Planted[] {
  const answers = lastAnswers(planted)
  const servers = planted.filter(({ role }) => role === 'server')
  const listings = servers.filter(({ kind }) => kind === 'listing')
  const orders = ordersInListings(walk, answers, servers)
  if (orders.length > 0) return orders
  if (answers.length > 0) return answers
  if (listings.length > 0) return listings
  const said = planted.filter(({ role }) => role !== 'server')
  return said.length > 0 ? said : servers
}

/** Listings with an order, where no answer has one: an agent that is told nothing else fell for the listing. */
function ordersInListings(walk: Walk, answers: readonly Planted[], planted: readonly Planted[]): Planted[] {
  const isOrder = orderIn(walk)
  return answers.some(isOrder) ? [] : planted.filter((item) => item.kind === 'listing' && isOrder(item))
}

function isLater(other: Planted, item: Planted): boolean {
  return !item.phases.includes(other.phases[0] ?? '') && comesAfter(other, item)
}

/** Phases stand in the document in order, so the order of their paths decides. */
function comesAfter({ at }: Planted, { at: before }: Planted): boolean {
  for (const [index, step] of at.entries()) {
    const other = before[index]
    if (step !== other) return typeof step === 'number' && typeof other === 'number' && step > other
  }
  return false
}

/** The fixed texts that the indicators look for. */
export function literalsOf({ indicators }: Pick<Walk, 'indicators'>): string[] {
  return indicators.flatMap(({ value }) => soughtBy(value, regexLiterals))
}

/** The texts that an indicator looks for; regular expressions as they are written. */
export function textsSought(indicator: ValueRecord): string[] {
  return soughtBy(indicator, (regex) => [regex])
}

type InRegex = (regex: string) => string[]

function soughtBy(indicator: ValueRecord, inRegex: InRegex): string[] {
  const pattern = own(indicator, 'pattern')
  const expression = own(indicator, 'expression')
  const cel = own(expression, 'cel')
  return [
    ...(isRecord(pattern) ? patternLiterals(pattern, inRegex) : []),
    ...(typeof cel === 'string' ? celLiterals(cel, inRegex) : []),
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

/** The stretches of a regular expression that stand for themselves; of a very long one, those at its beginning. */
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

/** The texts in quotes; one with a backslash or a bar is taken for a regular expression. */
function celLiterals(cel: string, inRegex: InRegex): string[] {
  const quoted = cel.matchAll(/"((?:[^"\\]|\\.)*)(?:"|\\?$)|'((?:[^'\\]|\\.)*)(?:'|\\?$)/gs)
  const texts = [...quoted].map((match) => match[1] ?? match[2] ?? '')
  return texts.flatMap((text) => (/[\\|]/.test(text) ? inRegex(text) : [text]))
}
