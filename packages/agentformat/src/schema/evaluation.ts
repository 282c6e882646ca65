/** What one evaluation of a value against a schema shares: its bounds, and what was found out about the schema. */
import { suggest, type Value, type ValueRecord } from '@joust/source'
import type { SchemaNode } from '../data-flow/schema-node.ts'
import { agentLimits } from '../model/limits.ts'
import { quote } from '../model/quote.ts'
import { type PreparedSchema, patternOf } from './prepare-schema.ts'
import type { PathChain, SchemaProblem } from './problem.ts'

/** What applying a schema to a value gave. */
export interface SchemaResult {
  valid: boolean
  /** Empty for a valid value; cut to a bound. */
  readonly problems: SchemaProblem[]
  /** The properties and items that a subschema has looked at, for `unevaluatedProperties` and `unevaluatedItems`. */
  seen?: Set<string | number>
}

/** Applies a schema to a value. */
export type Apply = (node: SchemaNode, value: Value, place: PathChain) => SchemaResult

/** A result without a problem. */
export function newResult(): SchemaResult {
  return { valid: true, problems: [] }
}

/** Adds the problems of a part to those of the whole. */
export function addProblems(result: SchemaResult, problems: readonly SchemaProblem[]): void {
  result.valid = false
  for (const problem of problems) {
    if (result.problems.length >= agentLimits.schemaProblems) return
    result.problems.push(problem)
  }
}

/** Takes over what a valid part has looked at. */
export function addSeen(result: SchemaResult, seen: Iterable<string | number> | undefined): void {
  if (seen === undefined) return
  result.seen ??= new Set()
  for (const step of seen) result.seen.add(step)
}

/** The state of one evaluation. `apply` is passed in, so that the keywords need not import their caller. */
export class Evaluation {
  readonly apply: Apply
  /** Why the evaluation was given up. */
  fault: string | undefined
  readonly #prepared: PreparedSchema
  #steps = agentLimits.schemaSteps
  #depth = 0
  #advice = agentLimits.advice

  constructor(prepared: PreparedSchema, makeApply: (evaluation: Evaluation) => Apply) {
    this.#prepared = prepared
    this.apply = makeApply(this)
  }

  /** Takes steps; false when the work is over its bound, and then the result no longer counts. */
  spend(steps: number): boolean {
    this.#steps -= steps
    if (this.#steps < 0) this.fault ??= 'checking the value against its schema takes too much work'
    return this.fault === undefined
  }

  /** Enters a schema; false when that is too deep. */
  enter(): boolean {
    this.#depth++
    if (this.#depth > agentLimits.schemaDepth)
      this.fault ??= `the value and its schema are nested more than ${agentLimits.schemaDepth} levels deep`
    return this.spend(1)
  }

  leave(): void {
    this.#depth--
  }

  /** Whether a text holds a match of a pattern. */
  matches(pattern: string, text: string): boolean {
    const regex = patternOf(this.#prepared, pattern)
    if (!regex.ok) {
      this.fault ??= regex.error
      return false
    }
    if (!this.spend(1 + Math.ceil((regex.value.programSize * text.length) / 100))) return false
    const found = regex.value.test(text)
    if (!found.ok) this.fault ??= `matching the pattern ${quote(pattern)} is ${found.error.message}`
    return found.ok && found.value
  }

  /** The candidate that a word most likely means. */
  suggest(word: string, candidates: readonly Value[]): string | undefined {
    if (this.#advice-- <= 0) return undefined
    const words = candidates.slice(0, agentLimits.candidates).filter((candidate) => typeof candidate === 'string')
    return suggest(word, words)
  }

  /** What a reference leads to. */
  follow(schema: ValueRecord): SchemaNode | undefined {
    return this.#prepared.references.get(schema)
  }
}
