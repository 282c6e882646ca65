import { suggest, type Value, type ValueRecord } from '@joust/source'
import type { SchemaNode } from '../data-flow/schema-node.ts'
import { agentLimits } from '../model/limits.ts'
import { quote } from '../model/quote.ts'
import { type PreparedSchema, patternOf } from './prepare-schema.ts'
import type { PathChain, SchemaProblem } from './problem.ts'

export interface SchemaResult {
  valid: boolean
  /** The problems, up to a limit. Empty for a valid value. */
  readonly problems: SchemaProblem[]
  /** The evaluated properties and items, for `unevaluatedProperties` and `unevaluatedItems`. */
  evaluated?: Set<string | number>
}

export type Apply = (node: SchemaNode, value: Value, place: PathChain) => SchemaResult

export function newResult(): SchemaResult {
  return { valid: true, problems: [] }
}

/** Adds the problems of a subschema, and marks the result as invalid. */
export function addProblems(result: SchemaResult, problems: readonly SchemaProblem[]): void {
  result.valid = false
  for (const problem of problems) {
    if (result.problems.length >= agentLimits.schemaProblems) return
    result.problems.push(problem)
  }
}

/** Adds the properties and items that a subschema evaluated. */
export function addEvaluated(result: SchemaResult, evaluated: Iterable<string | number> | undefined): void {
  if (evaluated === undefined) return
  result.evaluated ??= new Set()
  for (const step of evaluated) result.evaluated.add(step)
}

/** The evaluation of one value. `apply` is a parameter to avoid a circular import between keywords and their caller. */
export class Evaluation {
  readonly apply: Apply
  /** The reason why the evaluation stopped early. */
  fault: string | undefined
  readonly #prepared: PreparedSchema
  #steps = agentLimits.schemaSteps
  #depth = 0
  #advice = agentLimits.advice

  constructor(prepared: PreparedSchema, makeApply: (evaluation: Evaluation) => Apply) {
    this.#prepared = prepared
    this.apply = makeApply(this)
  }

  /** Counts steps. Returns false if the limit is exceeded; the result is then meaningless. */
  spend(steps: number): boolean {
    this.#steps -= steps
    if (this.#steps < 0) this.fault ??= 'validation against the schema takes too many steps'
    return this.fault === undefined
  }

  /** Enters a schema. Returns false if it is nested too deeply. */
  enter(): boolean {
    this.#depth++
    if (this.#depth > agentLimits.schemaDepth)
      this.fault ??= `the value and its schema are nested more than ${agentLimits.schemaDepth} levels deep`
    return this.spend(1)
  }

  leave(): void {
    this.#depth--
  }

  /** True if the text contains a match of the pattern. */
  matches(pattern: string, text: string): boolean {
    const regex = patternOf(this.#prepared, pattern)
    if (!regex.ok) {
      this.fault ??= regex.error
      return false
    }
    if (!this.spend(1 + Math.ceil((regex.value.programSize * text.length) / 100))) return false
    const match = regex.value.test(text)
    if (!match.ok) this.fault ??= `matching the pattern ${quote(pattern)} is ${match.error.message}`
    return match.ok && match.value
  }

  suggest(word: string, candidates: readonly Value[]): string | undefined {
    if (this.#advice-- <= 0) return undefined
    const words = candidates.slice(0, agentLimits.candidates).filter((candidate) => typeof candidate === 'string')
    return suggest(word, words)
  }

  /** Returns the target of a schema's `$ref`. */
  follow(schema: ValueRecord): SchemaNode | undefined {
    return this.#prepared.references.get(schema)
  }
}
