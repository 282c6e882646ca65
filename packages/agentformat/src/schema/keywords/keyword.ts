import { beginning, isRecord, type Value, type ValueRecord } from '@joust/source'
import { childNode, type SchemaNode } from '../../data-flow/schema-node.ts'
import { addProblems, addSeen, type Evaluation, type SchemaResult } from '../evaluation.ts'
import { type PathChain, pathOf, type SchemaProblem } from '../problem.ts'

/** A schema meets a value: what a keyword may ask for, and where findings go. */
export interface KeywordCall {
  readonly schema: ValueRecord
  readonly node: SchemaNode
  readonly value: Value
  readonly place: PathChain
  readonly evaluation: Evaluation
  readonly result: SchemaResult
}

/** A keyword of JSON Schema. An operand that the keyword cannot have is passed over: `checkSchema` reports it. */
export type Keyword = (operand: Value, call: KeywordCall) => void

/** Why a keyword is not met. */
type Complaint = Pick<SchemaProblem, 'message' | 'expected' | 'suggestion'>

/** A keyword that judges the value by itself: a complaint, or the message of one, when it is not met. */
export type Assertion = (operand: Value, value: Value, call: KeywordCall) => Complaint | string | undefined

/** Makes a keyword of an assertion. */
export function assertion(name: string, assert: Assertion): Keyword {
  return (operand, call) => {
    const complaint = assert(operand, call.value, call)
    if (complaint !== undefined) fail(call, name, complaint)
  }
}

/** Reports that a keyword is not met, by the value or by one of its properties or items. */
export function fail(call: KeywordCall, keyword: string, complaint: Complaint | string, step?: string | number): void {
  const told = typeof complaint === 'string' ? { message: complaint } : complaint
  const place = step === undefined ? call.place : { parent: call.place, step }
  addProblems(call.result, [{ path: pathOf(place), keyword, ...told }])
}

/** Applies a subschema to the value itself; its problems are the value's. */
export function applyInPlace(call: KeywordCall, subschema: Value | undefined): void {
  const part = applyPart(call, subschema)
  if (part === undefined) return
  if (part.valid) addSeen(call.result, part.seen)
  else addProblems(call.result, part.problems)
}

/** What a subschema makes of the value itself; undefined when it is not a schema. */
export function applyPart(call: KeywordCall, subschema: Value | undefined): SchemaResult | undefined {
  const node = childNode(call.node, subschema)
  return node && call.evaluation.apply(node, call.value, call.place)
}

/** Applies a subschema to a property or an item and remembers that it was looked at. */
export function applyBelow(call: KeywordCall, subschema: Value | undefined, step: string | number, child: Value): void {
  const node = childNode(call.node, subschema)
  if (node === undefined) return
  const part = call.evaluation.apply(node, child, { parent: call.place, step })
  if (!part.valid) addProblems(call.result, part.problems)
  addSeen(call.result, [step])
}

/** `: …` with the description of a schema, when it has one: authors say there what they mean. */
export function described(schema: Value | undefined): string {
  const description = isRecord(schema) ? schema.description : undefined
  return typeof description === 'string' && description !== '' ? `: ${onOneLine(description)}` : ''
}

/** A text of others within a message: cut, and without anything that a terminal would obey. */
export function onOneLine(text: string): string {
  return beginning(text, 200).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
}
