/** Answers from simulated models, labelled as simulated. */
import { compactJson } from '@joust/source'
import { fillSchema } from '../arguments/arguments.ts'
import { asksForTopic, contentFor, recalled, refersToContent } from '../arguments/content.ts'
import { resultOf, sumIn } from '../english/arithmetic.ts'
import { does } from '../english/lexicon.ts'
import { textOf } from '../english/tokens.ts'
import type { Order } from '../orders/orders.ts'
import type { OfferedTool } from '../prompt/tools.ts'
import type { View } from '../prompt/view.ts'
import type { Plan } from './plan.ts'
import type { Turn } from './simulation.ts'

const LONGEST_RESULT = 1500
const LONGEST_ECHO = 400
const MOST_SAID = 20

/** Returns the next call of a plan, or the answer in the requested form. */
export function turnOf(plan: Plan, name: 'credulous' | 'cautious', view: View): Turn {
  if (plan.next !== undefined) {
    const { id, tool, input } = plan.next
    return { calls: [{ id, tool, input: JSON.stringify(input) }] }
  }
  return answerTurn(answerText(name, plan.says, view), view)
}

/** If a call is required, answers by calling the tool for the final answer. */
export function answerTurn(text: string, view: View): Turn {
  if (view.choice === 'required') {
    const tool = view.closing ?? closingTool(view)
    if (tool !== undefined) return { calls: [closingCall(tool, text, view)] }
  }
  if (view.answerSchema === undefined) return { text }
  const json = compactJson(fillSchema(view.answerSchema, text, view), 'document')
  return { text: json.ok ? json.value : text }
}

function answerText(name: 'credulous' | 'cautious', says: readonly Order[], view: View): string {
  const results = view.calls.flatMap(({ result }) => {
    const text = (result ?? '').trim()
    return text === '' ? [] : [text.slice(0, LONGEST_RESULT)]
  })
  const statements = [...new Set(says.slice(0, MOST_SAID).map((order) => saying(order, view)))]
  const parts = [`[simulated ${name} answer]`, results.join('\n') || echo(view.request), ...statements]
  return parts.filter(Boolean).join('\n')
}

function echo(request: string): string {
  const line = request.replaceAll(/\s+/g, ' ').trim()
  return line === '' ? '' : `Regarding: ${line.slice(0, LONGEST_ECHO)}`
}

/** Prefers a quotation, then a calculation, then content that the instruction refers to, then an acknowledgement. */
function saying(order: Order, view: View): string {
  const quote = order.tokens.find((token) => token.quoted)
  const says = does(order.verb, 'say')
  if (says && quote !== undefined) return quote.text
  const sum = says ? sumIn(order.tokens) : undefined
  const result = sum && resultOf(sum)
  if (sum !== undefined && result !== undefined) return `${sum.text} = ${result}`
  const reported = says && !asksForTopic(order.tokens) ? reportedIn(order) : undefined
  if (reported !== undefined) return reported
  const object = order.tokens.slice(1)
  const gives = does(order.verb, 'give') || says
  const wantsContent = (gives && refersToContent(object)) || asksForTopic(order.tokens)
  const details = wantsContent ? [contentFor(object, order.sentence, view)] : says ? recalled(object, view) : []
  return [`As instructed: ${acknowledged(order).slice(0, LONGEST_ECHO)}`, ...details].join('\n')
}

/** Returns the text of an instruction, with the following text if the sentence ends with a colon. */
function acknowledged({ tokens, sentence, scope }: Order): string {
  const start = tokens[0] === undefined ? -1 : sentence.indexOf(tokens[0])
  if (start < 0) return textOf(tokens)
  const opens = sentence.at(-1)?.after.includes(':') === true
  return textOf(opens ? scope.slice(start) : sentence.slice(start))
}

/** Returns the text after `that` in `tell the user that …`, to the end of the sentence; not for `that file`. */
function reportedIn({ tokens, sentence }: Order): string | undefined {
  const that = tokens.findIndex(({ lower, quoted }) => !quoted && lower === 'that')
  const opener = that < 1 || tokens.length - that < 4 ? undefined : tokens[that]
  return opener && textOf(sentence.slice(sentence.indexOf(opener) + 1))
}

/** Returns the tool for the final answer; falls back to the first tool. */
function closingTool(view: View): OfferedTool | undefined {
  const final = view.tools.find(({ words }) => ['final', 'answer', 'finish'].some((word) => words.includes(word)))
  return final ?? view.tools[0]
}

function closingCall(tool: OfferedTool, text: string, view: View): { id: string; tool: string; input: string } {
  const input = fillSchema({ ...tool.schema, type: 'object' }, text, view)
  return { id: `sim-0-final-${view.calls.length}`, tool: tool.name, input: JSON.stringify(input) }
}
