/** Finds the instructions (imperative clauses) in a passage, with their author and context. */
import { refersToContent } from '../arguments/content.ts'
import { type Clause, clausesOf } from '../english/clauses.ts'
import { factOf } from '../english/facts.ts'
import { does } from '../english/lexicon.ts'
import { type Sentence, sentencesOf } from '../english/sentences.ts'
import { mentions, type Token, textOf } from '../english/tokens.ts'
import type { ToolIndex } from '../prompt/tools.ts'
import { type Passage, shortName, type View } from '../prompt/view.ts'
import { namedTools, names, withToolNames } from './match-tool.ts'

export interface Order extends Clause {
  /** Identical for the same words from the same source. */
  readonly id: string
  readonly passage: Passage
  readonly sentence: readonly Token[]
  /** The sentence and the text that follows it. */
  readonly scope: readonly Token[]
  /** The items of the list below the sentence, in the form `name: description`. */
  readonly fields: readonly Field[]
}

interface Field {
  readonly name: string
  readonly words: readonly Token[]
}

const NEIGHBOURS = 3
const READERS = ['assistant', 'assistants', 'agents', 'model', 'models', 'ai', 'llm', 'caller', 'callers', 'clients']

/** Returns the instructions in reading order. */
export function ordersIn(passage: Passage, view: View): Order[] {
  const verbs = view.verbs
  const sentences = sentencesOf(passage.text).map((sentence) => {
    return { ...sentence, tokens: withToolNames(sentence.tokens, view.tools) }
  })
  return sentences.flatMap((sentence, index) => {
    const scope = sentences.slice(index, index + 1 + NEIGHBOURS).flatMap(({ tokens }) => tokens)
    const lenient = sentence.marked || passage.writer === 'request'
    const speaks = speaksToReader(sentence, passage, view.named)
    const read = clausesOf({ ...sentence, marked: lenient }, verbs)
    const clauses = [...read, ...(speaks ? implied(sentence, read, view.named) : [])].filter((clause) => {
      return speaks || isOrder(clause, sentence, passage)
    })
    return clauses.map((clause): Order => {
      const items = clause === clauses.at(-1) && sentence.opens ? itemsBelow(sentences, index, verbs) : []
      const tokens = [...clause.tokens, ...items.flat()]
      const fields = items.flatMap(fieldOf)
      return { ...clause, tokens, fields, id: idOf(clause, passage, view), passage, sentence: sentence.tokens, scope }
    })
  })
}

/** Instructions that name a tool without a verb: `with send_mail`, `tool: send_mail`, `unless send_mail is called`. */
function implied(sentence: Sentence, read: readonly Clause[], tools: ToolIndex): Clause[] {
  const without = sentence.tokens.findIndex(({ lower }) => /^(?:unless|until|without)$/.test(lower))
  // The words before `unless` or `until` state the consequence.
  const tokens = sentence.tokens.slice(without + 1)
  if (tokens.some(({ lower }) => /^(?:not|never|don['’]t|cannot|instead)$/.test(lower))) return []
  const named = namedTools(tokens, tools).filter((tool) => {
    if (read.some((clause) => names(clause.tokens, tool))) return false
    const at = tokens.findIndex((token) => names([token], tool))
    return (
      without >= 0 ||
      /^(?:with|using|via|through|tool|by|->|→|=>)$/.test(tokens[at - 1]?.lower ?? '') ||
      tokens[at]?.after.includes('(') === true
    )
  })
  return named.length === 0 ? [] : [{ verb: 'call', tokens, negated: false, timing: undefined, conditional: false }]
}

/** Omits items that are instructions themselves. */
function itemsBelow(sentences: readonly Sentence[], index: number, verbs: ReadonlySet<string>): (readonly Token[])[] {
  const below = sentences.slice(index + 1)
  const end = below.findIndex(({ item }) => !item)
  const items = end < 0 ? below : below.slice(0, end)
  return items.flatMap((item) => (clausesOf(item, verbs).length === 0 ? [item.tokens] : []))
}

function fieldOf([label, ...words]: readonly Token[]): Field[] {
  if (label === undefined || words.length === 0 || !label.after.includes(':')) return []
  return /^[a-z][\w-]{0,60}$/.test(label.text) ? [{ name: label.text, words }] : []
}

/** True if a sentence addresses the reader. In a tool description, a plain verb at the start describes the tool. */
function speaksToReader(sentence: Sentence, passage: Passage, tools: ToolIndex): boolean {
  if (passage.writer !== 'tool' && passage.writer !== 'parameter') return true
  if (sentence.marked) return true
  if (mentions(sentence.tokens, 'you', 'your', 'must', 'please', 'always', 'never', ...READERS)) return true
  if (demands(sentence.tokens)) return true
  return namedTools(sentence.tokens, tools).some((tool) => tool.name !== passage.tool)
}

/** True for phrases such as `each request has to …`. */
function demands(tokens: readonly Token[]): boolean {
  return tokens.some(
    ({ lower }, at) => lower === 'to' && /^(?:has|have|needs?|is|are)$/.test(tokens[at - 1]?.lower ?? ''),
  )
}

function isOrder(clause: Clause, sentence: Sentence, passage: Passage): boolean {
  if (clause.negated || clause.timing !== undefined) return true
  if (passage.writer === 'parameter' && does(clause.verb, 'give') && refersToContent(clause.tokens)) return true
  return (
    !mentions(sentence.tokens, 'e.g', 'example', 'examples') &&
    clause.tokens.some((token) => factOf(token) !== undefined && factOf(token) !== 'number')
  )
}

/** True if the passage was not written by the agent's developer or its user. */
export function isForeign({ writer }: Passage): boolean {
  return writer !== 'system' && writer !== 'request'
}

function idOf(clause: Clause, passage: Passage, view: View): string {
  const turn = passage.writer === 'request' ? String(view.userTurns) : ''
  const parts = [passage.writer, passage.tool ?? '', passage.parameter ?? '', turn, textOf(clause.tokens)]
  return shortName(parts.join('\u0000'))
}

/** Removes sentences that read like instructions. */
export function withoutOrders(text: string, verbs: ReadonlySet<string>): string {
  const sentences = sentencesOf(text)
  const orders = (sentence: Sentence): boolean => sentence.marked || clausesOf(sentence, verbs).length > 0
  const quotes = ({ tokens }: Sentence) => tokens.some((one) => one.quoted && sentencesOf(one.text).some(orders))
  const plain = sentences.filter((sentence) => !orders(sentence) && !quotes(sentence))
  return plain.length === sentences.length ? text : plain.map(({ tokens }) => textOf(tokens)).join('\n')
}
