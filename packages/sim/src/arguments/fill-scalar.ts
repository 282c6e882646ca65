/** Fills scalar arguments (numbers, booleans and choices) from the words of the instruction. */
import { isList, isRecord, own, type Value, type ValueRecord } from '@joust/source'
import { factsOf, numberOf } from '../english/facts.ts'
import type { Token } from '../english/tokens.ts'
import { akin, wordsOfName } from '../english/word-forms.ts'
import type { Passage, View } from '../prompt/view.ts'
import { explicitValue } from './explicit.ts'

/** The words that request a call. */
export interface Asking {
  readonly verb: string
  readonly tokens: readonly Token[]
  readonly sentence: readonly Token[]
  /** Named values are looked up in these words. */
  readonly scope: readonly Token[]
  /** The passage that contains the words; by default the request. */
  readonly passage?: Passage
}

export interface Filling {
  readonly asking: Asking
  readonly view: View
  /** True to use any earlier text, as a credulous model does; false to use only the words of the instruction. */
  readonly eager: boolean
  /** True if the tool has no other argument. */
  readonly alone?: boolean
  /** The value of strings in a structured answer. */
  readonly text?: string
}

/** Selects the first type that is not null. */
export function typeOf(schema: ValueRecord, depth = 0): string {
  const type = own(schema, 'type')
  if (typeof type === 'string') return type
  if (isList(type)) return String(type.find((one) => one !== 'null') ?? 'string')
  for (const key of ['anyOf', 'oneOf']) {
    const options = own(schema, key)
    if (!isList(options) || depth > 4) continue
    const option = options.find((one) => isRecord(one) && own(one, 'type') !== 'null')
    if (isRecord(option)) return typeOf(option, depth + 1)
  }
  return isRecord(own(schema, 'properties')) ? 'object' : 'string'
}

/** Prefers the choice that the words mention, then a related choice, then the first choice if required. */
export function choose(choices: readonly Value[], asking: Asking, needed: boolean): Value | undefined {
  const words = asking.scope.flatMap(({ text }) => wordsOfName(text))
  const names = (choice: Value) => wordsOfName(String(choice))
  const mentioned = choices.find((choice) => names(choice).some((name) => words.includes(name)))
  const near = () => choices.find((choice) => names(choice).some((name) => words.some((word) => akin(name, word))))
  return mentioned ?? near() ?? (needed ? choices[0] : undefined)
}

/** Uses the number assigned to the name. If required, falls back to a nearby or earlier number, the default, or 1. */
export function fillNumber(
  name: string,
  schema: ValueRecord,
  { asking, view }: Filling,
  needed: boolean,
): number | undefined {
  const explicit = explicitValue(name, asking.sentence) ?? explicitValue(name, asking.scope)
  const named = explicit !== undefined && 'text' in explicit ? numberOf(explicit.text) : undefined
  if (named === undefined && !needed) return undefined
  const preset = own(schema, 'default')
  const near =
    named ??
    factsOf(asking.tokens, 'number').map(numberOf)[0] ??
    earlierValues(name, view).find((value) => typeof value === 'number')
  const value = near ?? (typeof preset === 'number' ? preset : 1)
  return clamp(typeOf(schema) === 'integer' ? Math.trunc(value) : value, schema)
}

/** Returns the values of an argument in earlier calls, latest call first. */
export function earlierValues(name: string, { calls }: View): (Value | undefined)[] {
  return calls.map(({ input }) => own(input, name)).reverse()
}

function clamp(value: number, schema: ValueRecord): number {
  const minimum = own(schema, 'minimum')
  const maximum = own(schema, 'maximum')
  const raised = typeof minimum === 'number' ? Math.max(value, minimum) : value
  return typeof maximum === 'number' ? Math.min(raised, maximum) : raised
}

/** True if the words mention the name, or if a value is required. False only if the words set the name to false. */
export function fillBoolean(name: string, asking: Asking, needed: boolean): boolean | undefined {
  const explicit = explicitValue(name, asking.scope)
  if (explicit !== undefined && 'text' in explicit) return !/^(?:false|no|off|0)$/i.test(explicit.text)
  const sentenceWords = new Set(asking.sentence.flatMap(({ text }) => wordsOfName(text)))
  return wordsOfName(name).some((word) => sentenceWords.has(word)) || needed ? true : undefined
}
