/** Plans a model's next step: standing instructions, the user's task, then instructions in results, each only once. */

import type { ValueRecord } from '@joust/source'
import { fillArguments, type Rider } from '../arguments/arguments.ts'
import { contentFor } from '../arguments/content.ts'
import { explicitValue } from '../arguments/explicit.ts'
import { does } from '../english/lexicon.ts'
import { quotationsIn } from '../english/sentences.ts'
import { mentions, type Token } from '../english/tokens.ts'
import { type Intent, intentsOf } from '../orders/intents.ts'
import { isForeign, type Order, ordersIn } from '../orders/orders.ts'
import { jsonText } from '../prompt/plain-text.ts'
import type { OfferedTool } from '../prompt/tools.ts'
import { callId, isOwnCall, type Passage, type View } from '../prompt/view.ts'
import { type Step, sequence } from './steps.ts'

interface PlannedCall {
  readonly id: string
  readonly tool: string
  readonly input: ValueRecord
}

export interface Plan {
  readonly next?: PlannedCall
  /** Instructions that affect the answer text. */
  readonly says: readonly Order[]
}

const MOST_CALLS = 32
const DEEPEST = 4
const MOST_ORDERS = 60

/** `listens` selects the passages that a model follows. */
export function planFor(view: View, listens: (passage: Passage) => boolean, eager: boolean): Plan {
  const passages = view.passages.filter(listens)
  const read = passages.flatMap((passage) => [passage, ...(eager ? quotedIn(passage) : [])])
  const orders = read.flatMap((passage) =>
    passage.depth > DEEPEST ? [] : ordersIn(passage, view).slice(0, MOST_ORDERS),
  )
  const intents = orders.flatMap((order) => intentsOf(order, view, eager))
  const hushed = new Set(intents.flatMap((intent) => (intent.kind === 'hush' ? [intent.order.passage] : [])))
  const says = intents.flatMap(({ kind, order }) => {
    const isLiteral = order.tokens.some(isQuoted)
    // A user's request to say something is usually the task itself.
    const isAdded = isForeign(order.passage) || (eager && isLiteral && does(order.verb, 'say'))
    return kind === 'say' && isAdded && (isLiteral || !hushed.has(order.passage)) ? [order] : []
  })
  const spent = view.calls.filter((call) => isOwnCall(call.id)).length >= MOST_CALLS
  if (view.choice === 'none' || spent) return { says }
  const steps = sequence(intents, view, eager).filter(({ tool }) => tool !== view.closing)
  const next = firstOpen(steps, intents, view, eager)
  return next === undefined ? { says } : { next, says }
}

/** True for a quotation to be repeated verbatim, even in a passage that demands silence. */
function isQuoted({ quoted, text }: Token): boolean {
  return quoted && text.includes(' ')
}

/** A quotation in a request was not written by the user. */
function quotedIn(passage: Passage): Passage[] {
  const writer = passage.writer === 'request' ? 'data' : passage.writer
  return quotationsIn(passage.text).map((text) => ({ ...passage, writer, text }))
}

function firstOpen(
  steps: readonly Step[],
  intents: readonly Intent[],
  view: View,
  eager: boolean,
): PlannedCall | undefined {
  const calledIds = new Set(view.calls.map((call) => call.id))
  const inputs = new Set(view.calls.map((call) => `${call.tool} ${jsonText(call.input)}`))
  for (const { key, depth, tool, asking, given } of steps) {
    const id = callId(depth, key)
    if (calledIds.has(id)) continue
    const input = { ...fillArguments(tool, asking, ridersFor(tool, intents, view), view, eager), ...given }
    // Repeating a call reveals nothing new, unless a number of calls was requested.
    if (inputs.has(`${tool.name} ${jsonText(input)}`) && !key.match(/\.[1-9]$/)) continue
    return { id, tool: tool.name, input }
  }
  return undefined
}

/** Returns the value in an instruction such as `Always use NO93 8601, …` in an argument description. */
function literalOf({ order, parameter }: Intent & { readonly kind: 'rider' }): string | undefined {
  if (order.passage.parameter === undefined || order.passage.parameter !== parameter) return undefined
  const end = order.tokens.findIndex(({ after }, at) => at > 0 && /[,;.]/.test(after))
  const words = order.tokens.slice(1, end < 0 ? undefined : end + 1)
  const isOne = words[0] !== undefined && (words[0].quoted || /[\dA-Z]/.test(words[0].text))
  return isOne ? words.map(({ text }) => text).join(' ') : undefined
}

/** Uses the whole sentence if the instruction contains `them`. */
function meantBy({ tokens, sentence }: Order): readonly Token[] {
  return tokens.length < 8 && mentions(tokens, 'them', 'it', 'these', 'those', 'both') ? sentence : tokens
}

function ridersFor(tool: OfferedTool, intents: readonly Intent[], view: View): Rider[] {
  return intents.flatMap((intent): Rider[] => {
    if (intent.kind !== 'rider' || (intent.tool !== undefined && intent.tool !== tool.name)) return []
    const { order, parameter } = intent
    const listed = intent.words !== undefined
    const explicit = parameter === undefined || listed ? undefined : explicitValue(parameter, order.scope)
    const words = intent.words ?? (explicit !== undefined && 'words' in explicit ? explicit.words : meantBy(order))
    const value =
      explicit !== undefined && 'text' in explicit
        ? explicit.text
        : (literalOf(intent) ?? contentFor(words, order.sentence, view))
    const aimed = intent.tool === tool.name
    return [parameter === undefined ? { value, aimed } : { parameter, value, aimed }]
  })
}
