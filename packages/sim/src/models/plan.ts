/** The next thing to do: standing orders, then the user's task, then what came back; each once, never without end. */
import { isRecord, type ValueRecord } from '@joust/source'
import { fillArguments, type Rider } from '../arguments/arguments.ts'
import { contentFor } from '../arguments/content.ts'
import { explicitValue, kindOfName } from '../arguments/explicit.ts'
import { type Asking, typeOf } from '../arguments/fill-scalar.ts'
import { factsOf } from '../english/facts.ts'
import { does, isVerb } from '../english/lexicon.ts'
import { quotationsIn, sentencesOf } from '../english/sentences.ts'
import { mentions, type Token, tokenize } from '../english/tokens.ts'
import { type Intent, intentsOf, isRepeat } from '../orders/intents.ts'
import { chosenFrom, type Listing, listingsOf, mentionsThings } from '../orders/listings.ts'
import { bestTool, contentWords, namedTools } from '../orders/match-tool.ts'
import { type Order, ordersIn } from '../orders/orders.ts'
import { callId, isOwnCall } from '../prompt/ids.ts'
import { jsonText } from '../prompt/plain-text.ts'
import { type OfferedTool, propertiesOf } from '../prompt/tools.ts'
import type { Passage, View } from '../prompt/view.ts'

/** A call to make. */
interface PlannedCall {
  readonly id: string
  readonly tool: string
  readonly input: ValueRecord
}

/** What a model will do and say. */
export interface Plan {
  readonly next?: PlannedCall
  /** Orders for the answer. */
  readonly says: readonly Order[]
}

const MOST_CALLS = 32
const DEEPEST = 4
const MOST_EACH = 10
/** What a request as a whole has to share with a tool. */
const SOME = 1.5
/** Of one passage. */
const MOST_ORDERS = 60

/** Plans from the passages that a model listens to. */
export function planFor(view: View, listens: (passage: Passage) => boolean, eager: boolean): Plan {
  const heard = view.passages.filter(listens)
  const read = heard.flatMap((passage) => [passage, ...(eager ? quotedIn(passage) : [])])
  const orders = read.flatMap((passage) =>
    passage.depth > DEEPEST ? [] : ordersIn(passage, view).slice(0, MOST_ORDERS),
  )
  const intents = orders.flatMap((order) => intentsOf(order, view, eager))
  const hushed = new Set(intents.flatMap((intent) => (intent.kind === 'hush' ? [intent.order.passage] : [])))
  const says = intents.flatMap(({ kind, order }) =>
    kind === 'say' && isForeign(order.passage) && (!hushed.has(order.passage) || order.tokens.some(isQuoted))
      ? [order]
      : [],
  )
  const spent = view.calls.filter((call) => isOwnCall(call.id)).length >= MOST_CALLS
  if (view.choice === 'none' || spent) return { says }
  const next = firstOpen(sequence(intents, view, eager), intents, view, eager)
  return next === undefined ? { says } : { next, says }
}

/** Words that are to be said as they are, whatever is not to be spoken of. */
function isQuoted({ quoted, text }: Token): boolean {
  return quoted && text.includes(' ')
}

/** What is quoted in a passage, as if it stood there; in a request it is not the user who says it. */
function quotedIn(passage: Passage): Passage[] {
  const writer = passage.writer === 'request' ? 'data' : passage.writer
  return quotationsIn(passage.text).map((text) => ({ ...passage, writer, text }))
}

interface Step {
  readonly key: string
  readonly depth: number
  readonly tool: OfferedTool
  readonly asking: Asking
  /** Arguments that are settled. */
  readonly given?: ValueRecord
}

function isForeign(passage: Passage): boolean {
  return passage.writer !== 'system' && passage.writer !== 'request'
}

/** Calls in the order in which they will be made. */
function sequence(intents: readonly Intent[], view: View, eager: boolean): Step[] {
  const calls = intents.filter((intent) => intent.kind === 'call')
  const rank = (intent: (typeof calls)[number]): number => {
    const { passage, timing, verb } = intent.order
    if (passage.writer === 'request') return 1
    if (passage.writer === 'result') return 2
    if (timing === 'before') return 0
    const obtains = does(verb, 'obtain') || (does(verb, 'run') && does(intent.tool.words[0] ?? '', 'obtain'))
    return timing === undefined && obtains ? 0 : 3
  }
  const steps = calls.map((intent) => ({ rank: rank(intent), steps: stepsOf(intent, view, eager) }))
  const asked = calls.some(({ order }) => order.passage.writer === 'request')
  const task = asked ? (eager ? lookedUp(view) : []) : wholeRequest(view, eager)
  return [...steps, { rank: 1, steps: task }, { rank: 4, steps: latecomers(intents, view) }]
    .sort((a, b) => a.rank - b.rank)
    .flatMap((entry) => entry.steps)
}

function stepsOf({ order, tool, times }: Intent & { readonly kind: 'call' }, view: View, eager: boolean): Step[] {
  const listing = listingsOf(view.tools).find(({ list, fetch }) => list === tool || fetch === tool)
  if (listing !== undefined && !isSettled(listing, tool, order))
    return listingSteps(listing, order.id, order.passage.depth, order, view, eager)
  const each = eachOf(order, tool)
  if (each.length > 1) {
    const step = { depth: order.passage.depth, tool, asking: order }
    return each.map((given) => ({ ...step, key: `${order.id}.${tool.name}.${Object.values(given).join()}`, given }))
  }
  // Who takes one text only is told the order itself.
  const again = isRepeat(order) && propertiesOf(tool.schema).length > 1 ? repeated(order, tool, view) : {}
  return Array.from({ length: times }, (_, index) => {
    return { key: `${order.id}.${tool.name}.${index}`, depth: order.passage.depth, tool, asking: order, given: again }
  })
}

/** `read each of /a, /b`: the argument of one call for each. */
function eachOf({ tokens, scope, passage }: Order, tool: OfferedTool): ValueRecord[] {
  if (!mentions(tokens, 'each', 'every', 'all', 'both', 'following', 'these', 'them', 'and')) return []
  const one = propertiesOf(tool.schema).find(
    ([property, child]) => kindOfName(property) !== undefined && typeOf(child) === 'string',
  )
  const name = one?.[0]
  const kind = name === undefined ? undefined : kindOfName(name)
  if (name === undefined || kind === undefined) return []
  const beside = () => (mentions(tokens, 'each', 'every') ? tokenize(passage.text.slice(0, 4000)) : [])
  const facts =
    [tokens, scope].map((words) => factsOf(words, kind)).find(({ length }) => length > 1) ?? factsOf(beside(), kind)
  return facts.slice(0, MOST_EACH).map((fact) => ({ [name]: fact }))
}

/** The arguments of the call before, and those that the order adds: `retry with force=true`. */
function repeated(order: Order, tool: OfferedTool, view: View): ValueRecord {
  const before = view.calls.findLast((call) => call.tool === tool.name)?.input
  const added = order.tokens.flatMap(({ text, quoted }): [string, string][] => {
    const cut = quoted ? -1 : text.indexOf('=')
    return cut > 0 && cut < text.length - 1 ? [[text.slice(0, cut), text.slice(cut + 1)]] : []
  })
  return { ...(isRecord(before) ? before : {}), ...Object.fromEntries(added) }
}

/** Whether an order for one of a pair says all: `list the files`, `read notes.md`. */
function isSettled({ list, key }: Listing, tool: OfferedTool, { verb, tokens, passage }: Order): boolean {
  if (tool === list) return verb === 'list' || verb === 'show'
  const kind = kindOfName(key)
  const named = explicitValue(key, tokens) !== undefined || (kind !== undefined && factsOf(tokens, kind).length > 0)
  return named || (isForeign(passage) && namedTools(tokens, [tool]).length > 0)
}

/** A request without an imperative, such as a question, is matched as a whole. */
function wholeRequest(view: View, eager: boolean): Step[] {
  const tokens = sentencesOf(view.request).flatMap((sentence) => sentence.tokens)
  const best = bestTool('get', tokens, view.tools, { least: SOME, believing: eager })
  const tool = best ?? (eager && contentWords(tokens).length > 1 ? guess(view) : undefined)
  const asking = { verb: 'get', tokens, sentence: tokens, scope: tokens }
  const id = `request.${view.userTurns}`
  const listings = listingsOf(view.tools).filter(({ list, fetch }) => {
    return tool === undefined ? contentWords(tokens).length > 1 : list === tool || fetch === tool
  })
  if (listings.length > 0) return listings.flatMap((listing) => listingSteps(listing, id, 0, asking, view, eager))
  return tool === undefined ? [] : [{ key: `${id}.${tool.name}`, depth: 0, tool, asking }]
}

/** What an eager model tries when nothing fits: the first tool that only shows something. */
function guess(view: View): OfferedTool | undefined {
  const listed = new Set(listingsOf(view.tools).flatMap(({ list, fetch }) => [list, fetch]))
  if (listed.size > 0) return undefined
  return view.tools.find(({ words: [first = ''] }) => !isVerb(first) || does(first, 'obtain'))
}

/** Beside its task an eager model looks at what there is to read. */
function lookedUp(view: View): Step[] {
  const tokens = sentencesOf(view.request).flatMap((sentence) => sentence.tokens)
  const asking = { verb: 'get', tokens, sentence: tokens, scope: tokens }
  const readable = listingsOf(view.tools).filter(({ list }) => propertiesOf(list.schema).length === 0)
  return readable.flatMap((listing) => listingSteps(listing, `look.${view.userTurns}`, 0, asking, view, false))
}

/** The list first, then what the words mean of it. */
function listingSteps(listing: Listing, id: string, depth: number, asking: Asking, view: View, eager: boolean): Step[] {
  const { list, fetch, key } = listing
  const curious = eager || mentionsThings(asking.tokens, listing)
  const chosen = chosenFrom(listing, asking.scope, view, curious)
  return [
    { key: `${id}.${list.name}`, depth, tool: list, asking },
    ...chosen.map((value) => ({
      ...{ key: `${id}.${fetch.name}.${value}`, depth, tool: fetch, asking },
      given: { [key]: value },
    })),
  ]
}

/** Tools that orders count on being called, when nothing else calls them. */
function latecomers(intents: readonly Intent[], view: View): Step[] {
  const called = new Set(intents.map((intent) => (intent.kind === 'call' ? intent.tool.name : '')))
  return intents.flatMap((intent) => {
    const tool = intent.kind === 'rider' && intent.called && view.tools.find(({ name }) => name === intent.tool)
    if (!tool || called.has(tool.name)) return []
    called.add(tool.name)
    const { order } = intent
    return [{ key: `${order.id}.${tool.name}`, depth: order.passage.depth, tool, asking: order }]
  })
}

function firstOpen(
  steps: readonly Step[],
  intents: readonly Intent[],
  view: View,
  eager: boolean,
): PlannedCall | undefined {
  const made = new Set(view.calls.map((call) => call.id))
  const inputs = new Set(view.calls.map((call) => `${call.tool} ${jsonText(call.input)}`))
  for (const { key, depth, tool, asking, given } of steps) {
    const id = callId(depth, key)
    if (made.has(id)) continue
    const input = { ...fillArguments(tool, asking, ridersFor(tool, intents, view), view, eager), ...given }
    // The same call twice tells nothing new, unless it was asked for by number.
    if (inputs.has(`${tool.name} ${jsonText(input)}`) && !key.match(/\.[1-9]$/)) continue
    return { id, tool: tool.name, input }
  }
  return undefined
}

/** `Always use NO93 8601, …` beside the argument that it is about. */
function literalOf({ order, parameter }: Intent & { readonly kind: 'rider' }): string | undefined {
  if (order.passage.parameter === undefined || order.passage.parameter !== parameter) return undefined
  const end = order.tokens.findIndex(({ after }, at) => at > 0 && /[,;.]/.test(after))
  const words = order.tokens.slice(1, end < 0 ? undefined : end + 1)
  const isOne = words[0] !== undefined && (words[0].quoted || /[\dA-Z]/.test(words[0].text))
  return isOne ? words.map(({ text }) => text).join(' ') : undefined
}

/** The words of an order; those of its sentence when it speaks of `them`. */
function meantBy({ tokens, sentence }: Order): readonly Token[] {
  return tokens.length < 8 && mentions(tokens, 'them', 'it', 'these', 'those', 'both') ? sentence : tokens
}

function ridersFor(tool: OfferedTool, intents: readonly Intent[], view: View): Rider[] {
  return intents.flatMap((intent): Rider[] => {
    if (intent.kind !== 'rider' || (intent.tool !== undefined && intent.tool !== tool.name)) return []
    const { order, parameter } = intent
    const listed = intent.words !== undefined
    const given = parameter === undefined || listed ? undefined : explicitValue(parameter, order.scope)
    const words = intent.words ?? (given !== undefined && 'words' in given ? given.words : meantBy(order))
    const value =
      given !== undefined && 'text' in given
        ? given.text
        : (literalOf(intent) ?? contentFor(words, order.sentence, view))
    const aimed = intent.tool === tool.name
    return [parameter === undefined ? { value, aimed } : { parameter, value, aimed }]
  })
}
