/** The effects of an instruction: a call, an addition to other calls, or text in the answer. */
import { asksForTopic, refersToContent } from '../arguments/content.ts'
import { does } from '../english/lexicon.ts'
import { mentions, partsOf, type Token, textOf } from '../english/tokens.ts'
import { type OfferedTool, propertiesOf } from '../prompt/tools.ts'
import type { View } from '../prompt/view.ts'
import { bestTool, namedTools } from './match-tool.ts'
import type { Order } from './orders.ts'
import { type RiderIntent, ridersOf } from './riders.ts'

/** The effect of an instruction. `hush` means that the instruction forbids mentioning something. */
export type Intent =
  | { readonly kind: 'call'; readonly order: Order; readonly tool: OfferedTool; readonly times: number }
  | RiderIntent
  | { readonly kind: 'say'; readonly order: Order }
  | { readonly kind: 'hush'; readonly order: Order }

const MOST_TIMES = 10
const SPEAKS = /^(?:mention|tell|inform|reveal|disclose|say|report|acknowledge|ask|alert|notify|warn|show|discuss)$/
const COUNTS = 'zero one two three four five six seven eight nine ten'.split(' ')
const ANSWER = /^(?:responses?|answers?|reply|replies|output|footer|summary|conversation|message|user)$/

/** Returns an empty list if the instruction cannot be followed. */
export function intentsOf(order: Order, view: View, believing: boolean): Intent[] {
  if (order.negated) return SPEAKS.test(order.verb) ? [{ kind: 'hush', order }] : []
  const named = toolsMeant(order, view)
  const forAnswer = isForAnswer(order)
  const riders = ridersOf(order, named, forAnswer, view)
  const giver = named.length === 0 && does(order.verb, 'give') ? toolNamedBy(order, view) : undefined
  if (giver !== undefined) return [{ kind: 'call', order, tool: giver, times: timesOf(order) }]
  if (riders.length > 0) return riders
  if (named.length > 0) return named.map((tool) => ({ kind: 'call', order, tool, times: timesOf(order) }))
  if (forAnswer || (does(order.verb, 'say') && asksForTopic(order.tokens))) return [{ kind: 'say', order }]
  // What `include` or `provide` gives is added elsewhere, not passed to a tool whose name resembles the verb.
  const only = does(order.verb, 'give') && !does(order.verb, 'send') && !does(order.verb, 'write')
  const explains = /^(?:tell|explain|describe)$/.test(order.verb) && mentions(order.tokens, 'how', 'why', 'whether')
  const calls = only || explains ? [] : matchedCalls(order, view, believing)
  if (calls.length > 0) return calls
  const favour = believing && !explains ? favourTool(order, view) : undefined
  if (favour !== undefined) return [{ kind: 'call', order, tool: favour, times: 1 }]
  if (does(order.verb, 'give')) return looseGift(order, view)
  const asker = isRepeat(order) ? askerOf(order, view) : undefined
  if (asker === undefined) return [{ kind: 'say', order }]
  const words = addedBy(order)
  const rider: Intent = { kind: 'rider', order, tool: asker.name, words, called: false }
  return [{ kind: 'call', order, tool: asker, times: 1 }, ...(words.length === 0 ? [] : [rider])]
}

/** Returns the addition in instructions such as `send it again with the number of the order`. */
function addedBy({ tokens }: Order): readonly Token[] {
  const at = tokens.findIndex(({ lower, quoted }) => !quoted && /^(?:with|including|stating|containing)$/.test(lower))
  const words = at < 0 ? [] : tokens.slice(at + 1)
  return words.some(({ text }) => text.includes('=')) ? [] : words
}

/** Finds one tool, or several for `the forecast and the tide table`. */
function matchedCalls(order: Order, view: View, believing: boolean): Intent[] {
  const match = (tokens: readonly Token[]) => bestTool(order.verb, tokens, view.tools, { believing })
  const parts = partsOf(order.tokens).flatMap((tokens) => {
    const tool = match(tokens)
    return tool === undefined ? [] : [{ tokens, tool }]
  })
  const several = new Set(parts.map(({ tool }) => tool)).size > 1
  const whole = several ? undefined : match(order.tokens)
  if (whole !== undefined) return [{ kind: 'call', order, tool: whole, times: timesOf(order) }]
  return several ? parts.map(({ tokens, tool }) => ({ kind: 'call', order: { ...order, tokens }, tool, times: 1 })) : []
}

/** Returns the tool whose name contains the verb and object of an instruction such as `share the password`. */
function toolNamedBy({ verb, tokens }: Order, { tools }: View): OfferedTool | undefined {
  const objects = new Set(tokens.map(({ lower }) => lower))
  const named = tools.filter(
    ({ words }) => words.includes(verb) && words.some((word) => word !== verb && objects.has(word)),
  )
  return named.length === 0 ? undefined : bestTool(verb, tokens, named)
}

const COMMANDS = /^(?:command|cmd|code|script|shell|instruction)$/

/** Returns a tool for a request in a result; falls back to a tool that takes commands. */
function favourTool({ verb, tokens, sentence, passage }: Order, view: View): OfferedTool | undefined {
  const asks = mentions(sentence, 'please') || /^(?:can|could|would) you\b|^let['’]?s\b/i.test(textOf(sentence))
  if (passage.writer !== 'result' || !asks) return undefined
  const others = view.tools.filter((tool) => tool.name !== passage.tool)
  const runs = (tool: OfferedTool) => propertiesOf(tool.schema).some(([name]) => COMMANDS.test(name))
  return bestTool(verb, tokens, others, { least: 1 }) ?? others.find(runs)
}

/** Returns the tools that an instruction means, including `this tool` in a description, and `all tools`. */
function toolsMeant(order: Order, view: View): readonly OfferedTool[] {
  const { tokens, passage, verb } = order
  const named = namedTools(tokens, view.named)
  if (named.length > 0) return named
  const subject = does(verb, 'give') ? namedTools(subjectOf(order), view.named) : []
  if (subject.length > 0) return subject
  if (saysThis(tokens) || (does(verb, 'give') && saysThis(order.sentence))) {
    return view.tools.filter((tool) => tool.name === passage.tool)
  }
  const all = tokens.findIndex(({ lower }) => lower === 'tools')
  const quantified = /^(?:your|available|all|every|these|the|any)$/
  const plural = all > 0 && tokens.slice(1, all).some(({ lower }) => quantified.test(lower))
  // An author's "use the tools" is not an instruction to use every tool.
  return plural && does(verb, 'run') && passage.writer !== 'system' ? view.tools : []
}

/** Returns the subject in instructions such as `All mails sent with send_mail must contain …`. */
function subjectOf({ tokens, sentence }: Order): readonly Token[] {
  const modal = tokens[0] === undefined ? 0 : sentence.indexOf(tokens[0]) - 1
  if (!/^(?:must|should|shall|to)$/.test(sentence[modal]?.lower ?? '')) return []
  const start = sentence.slice(0, modal).findLastIndex(({ after }) => /[,;:]/.test(after))
  return sentence.slice(start + 1, modal)
}

function saysThis(tokens: readonly Token[]): boolean {
  const at = tokens.findIndex(({ lower }) => /^(?:tool|function|agent|skill)$/.test(lower))
  return at > 0 && tokens[at - 1]?.lower === 'this'
}

function isForAnswer(order: Order): boolean {
  if (!does(order.verb, 'give') && !does(order.verb, 'say')) return false
  const below = new Set(order.fields.flatMap(({ words }) => words))
  // In `Every answer must contain …`, the destination precedes the verb.
  const tokens = [...order.tokens.filter((token) => !below.has(token)), ...subjectOf(order)]
  return tokens.some(({ lower }, at) => {
    const led = /^(?:your|the|every|all|final|each|to|in|with|any)$/.test(tokens[at - 1]?.lower ?? '')
    return led && ANSWER.test(lower)
  })
}

/** A disclosure without a recipient affects a call to the requesting tool, later calls, and the answer. */
function looseGift(order: Order, view: View): Intent[] {
  const { passage } = order
  const say: Intent = { kind: 'say', order }
  if (!refersToContent(order.sentence)) return [say]
  const asker = askerOf(order, view)
  if (asker !== undefined) return [{ kind: 'call', order, tool: asker, times: 1 }, say]
  const described = passage.writer === 'tool' || passage.writer === 'parameter' ? passage.tool : undefined
  const rider = { kind: 'rider' as const, order, called: false }
  return [described === undefined ? rider : { ...rider, tool: described }, say]
}

function askerOf({ passage }: Order, view: View): OfferedTool | undefined {
  return passage.writer === 'result' ? view.tools.find((tool) => tool.name === passage.tool) : undefined
}

export function isRepeat(order: Order): boolean {
  return /^(?:re-|retry|resubmit|resend|rerun|repeat|redo)/.test(order.verb) || mentions(order.tokens, 'again')
}

function timesOf(order: Order): number {
  const at = order.tokens.findIndex(({ lower }) => lower === 'times')
  const word = order.tokens[at - 1]?.lower ?? ''
  const count = at < 1 ? 1 : Number.isInteger(Number(word)) && word !== '' ? Number(word) : COUNTS.indexOf(word)
  return Math.max(1, Math.min(MOST_TIMES, count))
}
