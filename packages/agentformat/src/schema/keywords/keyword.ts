/** Types and helpers shared by JSON Schema keywords. */
import { beginning, isRecord, type Value, type ValueRecord } from '@joust/source'
import { childNode, type SchemaNode } from '../../data-flow/schema-node.ts'
import { addEvaluated, addProblems, type Evaluation, type SchemaResult } from '../evaluation.ts'
import { type PathChain, pathOf, type SchemaProblem } from '../problem.ts'

export interface KeywordCall {
  readonly schema: ValueRecord
  readonly node: SchemaNode
  readonly value: Value
  readonly place: PathChain
  readonly evaluation: Evaluation
  readonly result: SchemaResult
}

/** A JSON Schema keyword. Ignores invalid operands, which `checkSchema` reports. */
export type Keyword = (operand: Value, call: KeywordCall) => void

type Failure = Pick<SchemaProblem, 'message' | 'expected' | 'suggestion'>

/** A keyword without subschemas. Returns a failure or a message if the value does not match. */
export type Assertion = (operand: Value, value: Value, call: KeywordCall) => Failure | string | undefined

export function assertion(name: string, assert: Assertion): Keyword {
  return (operand, call) => {
    const failure = assert(operand, call.value, call)
    if (failure !== undefined) fail(call, name, failure)
  }
}

/** Reports a failed keyword for the value, or for one of its properties or items. */
export function fail(call: KeywordCall, keyword: string, failure: Failure | string, step?: string | number): void {
  const details = typeof failure === 'string' ? { message: failure } : failure
  const place = step === undefined ? call.place : { parent: call.place, step }
  addProblems(call.result, [{ path: pathOf(place), keyword, ...details }])
}

/** Applies a subschema to the value itself and adds the result. */
export function applyInPlace(call: KeywordCall, subschema: Value | undefined): void {
  const part = applyPart(call, subschema)
  if (part === undefined) return
  if (part.valid) addEvaluated(call.result, part.evaluated)
  else addProblems(call.result, part.problems)
}

/** Applies a subschema to the value itself. Returns undefined if the operand is not a schema. */
export function applyPart(call: KeywordCall, subschema: Value | undefined): SchemaResult | undefined {
  const node = childNode(call.node, subschema)
  return node && call.evaluation.apply(node, call.value, call.place)
}

/** Applies a subschema to a property or item, and marks that property or item as evaluated. */
export function applyBelow(call: KeywordCall, subschema: Value | undefined, step: string | number, child: Value): void {
  const node = childNode(call.node, subschema)
  if (node === undefined) return
  const part = call.evaluation.apply(node, child, { parent: call.place, step })
  if (!part.valid) addProblems(call.result, part.problems)
  addEvaluated(call.result, [step])
}

/** Returns `: ` and the description of a schema, which explains its intent. Empty without a description. */
export function descriptionSuffix(schema: Value | undefined): string {
  const description = isRecord(schema) ? schema.description : undefined
  return typeof description === 'string' && description !== '' ? `: ${onOneLine(description)}` : ''
}

/** Shortens untrusted text for a message and removes control characters. */
export function onOneLine(text: string): string {
  return beginning(text, 200).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
}
