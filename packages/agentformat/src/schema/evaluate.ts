/** Validates values against schemas within bounds: no eval, coercion or network access; patterns are RE2. */
import { err, ok, type Result, type Value } from '@joust/source'
import { rootNode } from '../data-flow/schema-node.ts'
import { type Apply, addProblems, Evaluation, newResult } from './evaluation.ts'
import type { Keyword, KeywordCall } from './keywords/keyword.ts'
import { keywords, lastKeywords } from './keywords/table.ts'
import type { PreparedSchema } from './prepare-schema.ts'
import { pathOf, type SchemaProblem } from './problem.ts'

export function evaluate(prepared: PreparedSchema, value: Value): Result<void, SchemaProblem[]> {
  const evaluation = new Evaluation(prepared, applyWith)
  const result = evaluation.apply(rootNode(prepared.schema), value, undefined)
  if (evaluation.fault !== undefined) return err([{ path: [], keyword: 'limit', message: evaluation.fault }])
  return result.valid ? ok(undefined) : err([...result.problems])
}

function applyWith(evaluation: Evaluation): Apply {
  return (node, value, place) => {
    const result = newResult()
    if (typeof node.schema === 'boolean') {
      if (!node.schema)
        addProblems(result, [{ path: pathOf(place), keyword: 'false', message: 'no value is allowed here' }])
      return result
    }
    if (evaluation.enter()) {
      const call = { schema: node.schema, node, value, place, evaluation, result }
      runKeywords(keywords, call)
      runKeywords(lastKeywords, call)
    }
    evaluation.leave()
    return result
  }
}

function runKeywords(table: ReadonlyMap<string, Keyword>, call: KeywordCall): void {
  for (const name of Object.keys(call.schema)) {
    const keyword = table.get(name)
    const operand = call.schema[name]
    if (keyword === undefined || operand === undefined) continue
    if (call.evaluation.fault !== undefined) return
    keyword(operand, call)
  }
}
