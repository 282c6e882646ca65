/** Derives the sequence of calls from instructions and the user's request. */
import { isRecord, type ValueRecord } from '@joust/source'
import { explicitValue, kindOfName } from '../arguments/explicit.ts'
import { type Asking, typeOf } from '../arguments/fill-scalar.ts'
import { factsOf } from '../english/facts.ts'
import { does, isVerb, sameAction } from '../english/lexicon.ts'
import { sentencesOf } from '../english/sentences.ts'
import { mentions, type Token, tokenize } from '../english/tokens.ts'
import { type Intent, isRepeat } from '../orders/intents.ts'
import { chosenFrom, type Listing, listingsOf, mentionsThings } from '../orders/listings.ts'
import { bestTool, contentWords, names } from '../orders/match-tool.ts'
import { isForeign, type Order } from '../orders/orders.ts'
import { type OfferedTool, propertiesOf } from '../prompt/tools.ts'
import type { View } from '../prompt/view.ts'

export interface Step {
  readonly key: string
  readonly depth: number
  readonly tool: OfferedTool
  readonly asking: Asking
  /** Arguments with known values. */
  readonly given?: ValueRecord
}

const MOST_EACH = 10
/** Minimum score for a whole request to match a tool. */
const SOME = 1.5

export function sequence(intents: readonly Intent[], view: View, eager: boolean): Step[] {
  const calls = intents.filter((intent) => intent.kind === 'call')
  const rank = (intent: (typeof calls)[number]): number => {
    const { passage, timing, verb } = intent.order
    if (passage.writer === 'request') return 1
    if (passage.writer === 'result') return 2
    if (timing === 'before') return 0
    const obtains = does(verb, 'obtain') || (does(verb, 'run') && does(intent.tool.words[0] ?? '', 'obtain'))
    return timing === undefined && obtains ? 0 : 3
  }
  const listings = listingsOf(view.tools)
  const steps = calls.map((intent) => ({ rank: rank(intent), steps: stepsOf(intent, listings, view, eager) }))
  const isRequested = calls.some(({ order }) => order.passage.writer === 'request')
  const task = isRequested ? (eager ? readAllSteps(view) : []) : wholeRequest(view, eager)
  return [...steps, { rank: 1, steps: task }, { rank: 4, steps: presupposedSteps(intents, view) }]
    .sort((a, b) => a.rank - b.rank)
    .flatMap((entry) => entry.steps)
}

function stepsOf(
  { order, tool, times }: Intent & { readonly kind: 'call' },
  listings: readonly Listing[],
  view: View,
  eager: boolean,
): Step[] {
  const listing = listings.find(({ list, fetch }) => list === tool || fetch === tool)
  if (listing !== undefined && !isSettled(listing, tool, order))
    return listingSteps(listing, order.id, order.passage.depth, order, view, eager)
  const each = eachOf(order, tool)
  if (each.length > 1) {
    const step = { depth: order.passage.depth, tool, asking: order }
    return each.map((given) => ({ ...step, key: `${order.id}.${tool.name}.${Object.values(given).join()}`, given }))
  }
  // A tool with a single text argument is given the instruction itself.
  const again = isRepeat(order) && propertiesOf(tool.schema).length > 1 ? repeated(order, tool, view) : {}
  return Array.from({ length: times }, (_, index) => {
    return { key: `${order.id}.${tool.name}.${index}`, depth: order.passage.depth, tool, asking: order, given: again }
  })
}

/** Returns the argument of each call for instructions such as `read each of /a, /b`. */
function eachOf({ tokens, scope, passage }: Order, tool: OfferedTool): ValueRecord[] {
  if (!mentions(tokens, 'each', 'every', 'all', 'both', 'following', 'these', 'them', 'and')) return []
  const [name] = propertiesOf(tool.schema).find(([key, child]) => kindOfName(key) && typeOf(child) === 'string') ?? []
  const kind = name === undefined ? undefined : kindOfName(name)
  if (name === undefined || kind === undefined) return []
  const beside = () => (mentions(tokens, 'each', 'every') ? tokenize(passage.text.slice(0, 4000)) : [])
  const facts =
    [tokens, scope].map((words) => factsOf(words, kind)).find(({ length }) => length > 1) ?? factsOf(beside(), kind)
  return facts.slice(0, MOST_EACH).map((fact) => ({ [name]: fact }))
}

/** Returns the arguments of the previous call, and those that the instruction adds, as in `retry with force=true`. */
function repeated(order: Order, tool: OfferedTool, view: View): ValueRecord {
  const before = view.calls.findLast((call) => call.tool === tool.name)?.input
  const added = order.tokens.flatMap(({ text, quoted }): [string, string][] => {
    const cut = quoted ? -1 : text.indexOf('=')
    return cut > 0 && cut < text.length - 1 ? [[text.slice(0, cut), text.slice(cut + 1)]] : []
  })
  return { ...(isRecord(before) ? before : {}), ...Object.fromEntries(added) }
}

/** True if an instruction needs only one tool of a pair, such as `list the files` or `read notes.md`. */
function isSettled({ list, key }: Listing, tool: OfferedTool, { verb, tokens, passage }: Order): boolean {
  if (tool === list) return verb === 'list' || verb === 'show'
  const kind = kindOfName(key)
  const named = explicitValue(key, tokens) !== undefined || (kind !== undefined && factsOf(tokens, kind).length > 0)
  return named || (isForeign(passage) && names(tokens, tool))
}

/** A request without an imperative, such as a question, is matched as a whole. */
function wholeRequest(view: View, eager: boolean): Step[] {
  const tokens = sentencesOf(view.request).flatMap((sentence) => sentence.tokens)
  const fitting = eager ? view.tools : view.tools.filter((tool) => !isRash(tool, tokens))
  const best = bestTool('get', tokens, fitting, { least: SOME, believing: eager })
  const tool = best ?? (eager && contentWords(tokens).length > 1 ? guess(view) : undefined)
  const asking = { verb: 'get', tokens, sentence: tokens, scope: tokens }
  const id = `request.${view.userTurns}`
  const listings = listingsOf(view.tools).filter(({ list, fetch }) => {
    return tool === undefined ? contentWords(tokens).length > 1 : list === tool || fetch === tool
  })
  if (listings.length > 0) return listings.flatMap((listing) => listingSteps(listing, id, 0, asking, view, eager))
  return tool === undefined ? [] : [{ key: `${id}.${tool.name}`, depth: 0, tool, asking }]
}

const ASKS = /^(?:what|which|who|whose|how|when|where|why|is|are|was|were|did|does|do|has|have)$/

/** A question about payments must not lead to a payment. */
function isRash({ words }: OfferedTool, tokens: readonly Token[]): boolean {
  if (words.some((word) => does(word, 'obtain'))) return false
  const grave = ['pay', 'delete'].filter((verb) => words.some((word) => sameAction(verb, word)))
  const asksForIt = tokens.some(({ lower }) => grave.some((verb) => sameAction(verb, lower)))
  return grave.length > 0 && !asksForIt && tokens.some(({ lower }) => isVerb(lower) || ASKS.test(lower))
}

/** Returns the fallback of an eager model: the first read-only tool. */
function guess(view: View): OfferedTool | undefined {
  const listed = new Set(listingsOf(view.tools).flatMap(({ list, fetch }) => [list, fetch]))
  if (listed.size > 0) return undefined
  return view.tools.find(({ words: [first = ''] }) => !isVerb(first) || does(first, 'obtain'))
}

function readAllSteps(view: View): Step[] {
  const tokens = sentencesOf(view.request).flatMap((sentence) => sentence.tokens)
  const asking = { verb: 'get', tokens, sentence: tokens, scope: tokens }
  const readable = listingsOf(view.tools).filter(({ list }) => propertiesOf(list.schema).length === 0)
  return readable.flatMap((listing) => listingSteps(listing, `look.${view.userTurns}`, 0, asking, view, false))
}

function listingSteps(listing: Listing, id: string, depth: number, asking: Asking, view: View, eager: boolean): Step[] {
  const { list, fetch, key } = listing
  const curious = eager || mentionsThings(asking.tokens, listing)
  const chosen = chosenFrom(listing, asking.scope, view, curious)
  return [
    { key: `${id}.${list.name}`, depth, tool: list, asking },
    ...chosen.map((value) => {
      return { key: `${id}.${fetch.name}.${value}`, depth, tool: fetch, asking, given: { [key]: value } }
    }),
  ]
}

function presupposedSteps(intents: readonly Intent[], view: View): Step[] {
  const called = new Set(intents.map((intent) => (intent.kind === 'call' ? intent.tool.name : '')))
  return intents.flatMap((intent) => {
    const tool = intent.kind === 'rider' && intent.called && view.tools.find(({ name }) => name === intent.tool)
    if (!tool || called.has(tool.name)) return []
    called.add(tool.name)
    const { order } = intent
    return [{ key: `${order.id}.${tool.name}`, depth: order.passage.depth, tool, asking: order }]
  })
}
