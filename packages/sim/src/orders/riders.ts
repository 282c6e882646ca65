/** Instructions to add content to calls: `include … as the x parameter`, `add "x": "…" to every y call`. */
import { defined } from '@joust/source'
import { factOf } from '../english/facts.ts'
import { does, wordSet } from '../english/lexicon.ts'
import type { Token } from '../english/tokens.ts'
import { type OfferedTool, propertiesOf } from '../prompt/tools.ts'
import type { View } from '../prompt/view.ts'
import type { Order } from './orders.ts'

export interface RiderIntent {
  readonly kind: 'rider'
  readonly order: Order
  /** The tool whose calls get the content; undefined if all calls get the content. */
  readonly tool?: string
  readonly parameter?: string
  /** The description of the value, if the instruction has a list of fields. */
  readonly words?: readonly Token[]
  /** True if the instruction expects a call to the tool. */
  readonly called: boolean
}

const OCCASION = /^(?:calls?|requests?|invocations?|when|whenever|every|arguments?|parameters?|delegations?|tasks?)$/
const STANDING = /^(?:every|each|any|all|whenever|always|calls|requests)$/
const NAME = /^[a-z][\w-]{0,60}$/i
const NO_NAME = wordSet(`
  a an the this that these those all following every each any tool new extra additional optional required its
  your same mandatory string one
`)

/** Returns an empty list if the instruction adds nothing to calls. */
export function ridersOf(order: Order, named: readonly OfferedTool[], forAnswer: boolean, view: View): RiderIntent[] {
  const gives = does(order.verb, 'give') || (does(order.verb, 'say') && isForCalls(order))
  const puts = gives || (order.verb === 'use' && named.length === 0)
  const parameter = puts ? parameterOf(order, view) : verbAsParameter(order, view)
  const occasion = gives && order.sentence.some(({ lower }) => OCCASION.test(lower)) && (named.length > 0 || !forAnswer)
  if (parameter === undefined && !occasion) return []
  const standing = order.conditional || order.tokens.some(({ lower }) => STANDING.test(lower))
  const called = named.length > 0 && !standing
  const tool = toolFor(order, named, parameter, view)
  const rider = defined({ kind: 'rider' as const, order, called, tool, parameter })
  if (!occasion || order.fields.length === 0) return [rider]
  return order.fields.map(({ name, words }) => ({ ...rider, parameter: name, words }))
}

/** True for instructions such as `mention … in every request to this agent` or `each request has to state …`. */
function isForCalls({ sentence }: Order): boolean {
  return sentence.some(({ lower }, at) => {
    const quantified = /^(?:every|each|all|any)$/.test(sentence[at - 1]?.lower ?? '')
    return quantified && /^(?:requests?|calls?|tasks?|delegations?|quer(?:y|ies))$/.test(lower)
  })
}

function toolFor(
  order: Order,
  named: readonly OfferedTool[],
  parameter: string | undefined,
  view: View,
): string | undefined {
  const { passage } = order
  const described = passage.writer === 'tool' || passage.writer === 'parameter' ? passage.tool : undefined
  if (named[0] !== undefined) return named[0].name
  if (parameter !== undefined) {
    const takers = view.tools.filter((tool) => propertyNamed(tool, parameter) !== undefined)
    const taker = takers.find((tool) => tool.name === described) ?? takers[0]
    if (taker !== undefined) return taker.name
  }
  return described
}

function parameterOf(order: Order, view: View): string | undefined {
  const { tokens, passage } = order
  for (const at of tokens.keys()) {
    const name = besideNoun(tokens, at, passage.parameter) ?? labelled(tokens, at, view) ?? afterAs(tokens, at, view)
    if (name !== undefined) return name
  }
  const used = /^(?:use|enter|set)$/.test(order.verb)
  const here =
    passage.writer === 'parameter' && (used || tokens.some(({ lower }) => lower === 'here' || lower === 'value'))
  return here ? passage.parameter : undefined
}

/** Returns the name in `the x parameter`, `a parameter "x"` or `this parameter`. */
function besideNoun(tokens: readonly Token[], at: number, described: string | undefined): string | undefined {
  const noun = /^(?:parameter|argument|field|property|param)(s?)$/.exec(tokens[at]?.lower ?? '')
  if (noun === null) return undefined
  const before = tokens[at - 1]
  const next = tokens[at + 1]
  if (before?.lower === 'this' && described !== undefined) return described
  if (next !== undefined && (next.quoted || next.text.includes('_'))) return next.text
  // `the right arguments` does not name a parameter.
  const names = noun[1] === '' && before !== undefined && at > 1 && NAME.test(before.text) && !NO_NAME.has(before.lower)
  return names ? before.text : undefined
}

/** Returns the name in `"x": "…"`, or in `x: …` if a tool has such a parameter. */
function labelled(tokens: readonly Token[], at: number, view: View): string | undefined {
  const token = tokens[at]
  const next = tokens[at + 1]
  if (token === undefined || next === undefined || !NAME.test(token.text)) return undefined
  if (token.quoted && next.quoted && token.after.includes(':')) return token.text
  const separated = /[:=]/.test(token.after) || next.lower === 'to' || next.lower === '='
  return at > 0 && separated ? knownParameter(token.lower, view) : undefined
}

/** Returns the name in `as x_y`, `as "x"` or `in x`, if a tool has such a parameter. */
function afterAs(tokens: readonly Token[], at: number, view: View): string | undefined {
  const next = tokens[at + 1]?.lower === 'the' ? tokens[at + 2] : tokens[at + 1]
  if (/^(?:in|into|under)$/.test(tokens[at]?.lower ?? '') && next !== undefined && next.lower.length > 2) {
    return knownParameter(next.lower, view)
  }
  if (tokens[at]?.lower !== 'as' || next === undefined || !NAME.test(next.text)) return undefined
  return next.quoted || next.text.includes('_') ? next.text : undefined
}

/** Returns the verb of an instruction such as `bcc someone@example.com`, if the verb names a tool parameter. */
function verbAsParameter(order: Order, view: View): string | undefined {
  const next = order.tokens[1]
  return next !== undefined && factOf(next) !== undefined ? knownParameter(order.verb, view) : undefined
}

function knownParameter(word: string, view: View): string | undefined {
  return view.tools.map((tool) => propertyNamed(tool, word)).find((name) => name !== undefined)
}

function propertyNamed(tool: OfferedTool, word: string): string | undefined {
  return propertiesOf(tool.schema).find(([name]) => name.toLowerCase() === word.toLowerCase())?.[0]
}
