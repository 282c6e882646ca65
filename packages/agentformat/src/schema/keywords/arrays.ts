/** The keywords for the items of an array. */
import { isList, isNumeric } from '@joust/source'
import { childNode } from '../../data-flow/schema-node.ts'
import { addSeen } from '../evaluation.ts'
import { applyBelow, fail, type Keyword } from './keyword.ts'

/** The first items, each by its own schema. */
export const prefixItems: Keyword = (operand, call) => {
  const { value } = call
  if (!isList(operand) || !isList(value)) return
  for (const [index, item] of value.slice(0, operand.length).entries()) applyBelow(call, operand[index], index, item)
}

/** The items after those of `prefixItems`. */
export const items: Keyword = (operand, call) => {
  const { schema, value, evaluation } = call
  if (!isList(value)) return
  const start = isList(schema.prefixItems) ? schema.prefixItems.length : 0
  for (const [offset, item] of value.slice(start).entries()) {
    if (evaluation.fault !== undefined) return
    applyBelow(call, operand, start + offset, item)
  }
}

/** Enough items fit, and not too many: with `minContains` and `maxContains`, which mean nothing alone. */
export const contains: Keyword = (operand, call) => {
  const { schema, value, evaluation } = call
  const node = childNode(call.node, operand)
  if (node === undefined || !isList(value)) return
  const matching: number[] = []
  for (const [index, item] of value.entries()) {
    if (evaluation.apply(node, item, { parent: call.place, step: index }).valid) matching.push(index)
    if (evaluation.fault !== undefined) return
  }
  addSeen(call.result, matching)
  const least = isNumeric(schema.minContains) ? schema.minContains : 1
  const most = isNumeric(schema.maxContains) ? schema.maxContains : Number.POSITIVE_INFINITY
  const count = matching.length
  if (count < least) fail(call, 'contains', `at least ${least} items must fit "contains", got ${count}`)
  if (count > most) fail(call, 'maxContains', `at most ${most} items may fit "contains", got ${count}`)
}

/** Runs last: what no other keyword, here or in a subschema, has looked at. */
export const unevaluatedItems: Keyword = (operand, call) => {
  const { value, result } = call
  if (!isList(value)) return
  for (const [index, item] of value.entries()) {
    if (!result.seen?.has(index)) applyBelow(call, operand, index, item)
  }
}
