/** Fills call arguments based on the names and types in the schema, from the instruction and from earlier text. */
import { isList, isRecord, own, setOwn, type Value, type ValueRecord } from '@joust/source'
import { factOf, factsOf, numberOf } from '../english/facts.ts'
import { type Token, tokenize } from '../english/tokens.ts'
import { type OfferedTool, propertiesOf } from '../prompt/tools.ts'
import type { View } from '../prompt/view.ts'
import { explicitValue, kindOfName } from './explicit.ts'
import { type Asking, choose, type Filling, fillBoolean, fillNumber, typeOf } from './fill-scalar.ts'
import { CONTENT, fillText, isNamed, QUERY } from './fill-text.ts'

/** A value that an instruction adds to calls. */
export interface Rider {
  readonly parameter?: string
  readonly value: string
  /** True if the instruction is about this tool. */
  readonly aimed: boolean
}

const DEEPEST = 8
const MOST_PROPERTIES = 200

/** Uses the words of the instruction or, if `eager`, any earlier text. */
export function fillArguments(
  tool: OfferedTool,
  asking: Asking,
  riders: readonly Rider[],
  view: View,
  eager: boolean,
): ValueRecord {
  const alone = propertiesOf(tool.schema).length === 1
  const filled = fillObject(tool.schema, { asking, view, eager, alone }, 0)
  const schemas = new Map(propertiesOf(tool.schema))
  const closed = own(tool.schema, 'additionalProperties') === false
  const loose = riders.filter((rider) => rider.parameter === undefined)
  const extraFields: ValueRecord = {}
  for (const { parameter, value } of riders) {
    if (parameter === undefined) continue
    if (closed && !schemas.has(parameter)) setOwn(extraFields, parameter, value)
    else {
      const fitting = fitText(value, schemas.get(parameter))
      if (fitting !== undefined) setOwn(filled, parameter, fitting)
    }
  }
  // Fields that a closed schema does not allow are written into a text argument.
  const fields = Object.keys(extraFields).length === 0 ? [] : [{ value: JSON.stringify(extraFields), aimed: false }]
  if (loose.length + fields.length > 0) addLoose(tool, filled, [...loose, ...fields])
  return filled
}

/** Creates a structured answer; `text` is used for strings. */
export function fillSchema(schema: ValueRecord, text: string, view: View): Value {
  const tokens = tokenize(view.request)
  const asking = { verb: 'answer', tokens, sentence: tokens, scope: tokens }
  return fillValue('answer', schema, { asking, view, eager: false, text }, true, 0) ?? text
}

function fillObject(schema: ValueRecord, filling: Filling, depth: number): ValueRecord {
  const filled: ValueRecord = {}
  const required = own(schema, 'required')
  if (depth > DEEPEST) return filled
  const used = new Set<Token>()
  for (const [name, child] of propertiesOf(schema).slice(0, MOST_PROPERTIES)) {
    const { asking } = filling
    const needed = isList(required) && required.includes(name)
    // A quotation or number fills only one argument.
    const tokens = asking.tokens.filter((token) => !used.has(token) || (!token.quoted && factOf(token) !== 'number'))
    const value = fillValue(name, child, { ...filling, asking: { ...asking, tokens } }, needed, depth)
    if (value === undefined) continue
    const source = tokens.find(({ text }) => text === value || numberOf(text) === value)
    if (source !== undefined) used.add(source)
    setOwn(filled, name, value)
  }
  return filled
}

function fillValue(
  name: string,
  schema: ValueRecord,
  filling: Filling,
  needed: boolean,
  depth: number,
): Value | undefined {
  const choices = own(schema, 'enum')
  if (own(schema, 'const') !== undefined) return own(schema, 'const')
  if (isList(choices) && choices.length > 0) return choose(choices, filling.asking, needed)
  switch (typeOf(schema)) {
    case 'number':
    case 'integer':
      return fillNumber(name, schema, filling, needed)
    case 'boolean':
      return fillBoolean(name, filling.asking, needed)
    case 'array':
      return fillArray(name, schema, filling, needed, depth)
    case 'object': {
      const isNeeded = needed || explicitValue(name, filling.asking.scope) !== undefined
      return isNeeded ? fillObject(schema, filling, depth + 1) : undefined
    }
    case 'null':
      return needed ? null : undefined
    default:
      return fillText(name, schema, filling, needed)
  }
}

function fillArray(
  name: string,
  schema: ValueRecord,
  filling: Filling,
  needed: boolean,
  depth: number,
): Value | undefined {
  const items = own(schema, 'items')
  const child = isRecord(items) ? items : {}
  const kind = kindOfName(name, own(child, 'format'))
  const facts = kind === undefined ? [] : factsOf(filling.asking.scope, kind)
  if (facts.length > 0 && typeOf(child) === 'string') return facts
  const one = depth > DEEPEST ? undefined : fillValue(name, child, filling, needed, depth + 1)
  return one === undefined ? (needed ? [] : undefined) : [one]
}

/** Adds content without an argument to a free-text argument, after any text that the argument already has. */
function addLoose(tool: OfferedTool, filled: ValueRecord, riders: readonly Rider[]): void {
  const text = riders.map(({ value }) => value).join('\n')
  const names = propertiesOf(tool.schema).flatMap(([name, child]) => (typeOf(child) === 'string' ? [name] : []))
  const host =
    names.find((name) => own(filled, name) === undefined && isNamed(name, CONTENT)) ??
    names.find((name) => isNamed(name, CONTENT) || isNamed(name, QUERY)) ??
    names.find((name) => kindOfName(name) === undefined)
  if (host === undefined && !riders.some(({ aimed }) => aimed)) return
  const place = host ?? 'input'
  const before = own(filled, place)
  setOwn(filled, place, typeof before === 'string' ? `${before}\n${text}` : text)
}

/** Returns undefined for a number type if the text contains no number. */
function fitText(value: string, schema: ValueRecord = {}): Value | undefined {
  const type = typeOf(schema)
  if (type === 'number' || type === 'integer') return numberOf(value)
  if (type === 'boolean') return value !== 'false'
  return type === 'array' ? [value] : value
}
