/** JSON Schema keywords for array items. */
import { isList, isNumeric } from '@joust/source'
import { childNode } from '../../data-flow/schema-node.ts'
import { addEvaluated } from '../evaluation.ts'
import { applyBelow, fail, type Keyword } from './keyword.ts'

/** `prefixItems`: each of the first items matches the schema at the same index. */
export const prefixItems: Keyword = (operand, call) => {
  const { value } = call
  if (!isList(operand) || !isList(value)) return
  for (const [index, item] of value.slice(0, operand.length).entries()) applyBelow(call, operand[index], index, item)
}

/** `items`: the items after `prefixItems` match a schema. */
export const items: Keyword = (operand, call) => {
  const { schema, value, evaluation } = call
  if (!isList(value)) return
  const start = isList(schema.prefixItems) ? schema.prefixItems.length : 0
  for (const [offset, item] of value.slice(start).entries()) {
    if (evaluation.fault !== undefined) return
    applyBelow(call, operand, start + offset, item)
  }
}

/** `contains`: the number of items that match a schema is within `minContains` and `maxContains`. */
export const contains: Keyword = (operand, call) => {
  const { schema, value, evaluation } = call
  const node = childNode(call.node, operand)
  if (node === undefined || !isList(value)) return
  const matching: number[] = []
  for (const [index, item] of value.entries()) {
    if (evaluation.apply(node, item, { parent: call.place, step: index }).valid) matching.push(index)
    if (evaluation.fault !== undefined) return
  }
  addEvaluated(call.result, matching)
  const least = isNumeric(schema.minContains) ? schema.minContains : 1
  const most = isNumeric(schema.maxContains) ? schema.maxContains : Number.POSITIVE_INFINITY
  const count = matching.length
  if (count < least) fail(call, 'contains', `at least ${least} items must match "contains", got ${count}`)
  if (count > most) fail(call, 'maxContains', `at most ${most} items may match "contains", got ${count}`)
}

/** `unevaluatedItems`: all items that no other keyword has evaluated match a schema. Runs last. */
export const unevaluatedItems: Keyword = (operand, call) => {
  const { value, result } = call
  if (!isList(value)) return
  for (const [index, item] of value.entries()) {
    if (!result.evaluated?.has(index)) applyBelow(call, operand, index, item)
  }
}
