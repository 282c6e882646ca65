import { isList, type Value } from '@joust/source'
import { agentLimits } from '../model/limits.ts'
import { quote, quoteSome } from '../model/quote.ts'
import { type Effort, spend } from './effort.ts'
import { ARRAY, NO_TYPE, OBJECT, typeNames } from './json-types.ts'
import { possibleTypes } from './possible-types.ts'
import { conjuncts, type SchemaNode } from './schema-node.ts'
import { itemNodes, keyword, leastItems, propertyNodes, requiredNames } from './schema-parts.ts'

/** The property or item that cannot match, and the reason. */
export interface Mismatch {
  /** Path to the property or item, such as `items.[].price`. Empty for the value itself. */
  readonly at: string
  /** A message without a subject, such as `is string, but must be integer`. */
  readonly message: string
}

/** Explains why no value of the source schemas can match the target schemas. Undefined if some value might match. */
export function neverFits(
  source: readonly SchemaNode[],
  target: readonly SchemaNode[],
  effort: Effort,
  depth = 0,
): Mismatch | undefined {
  if (depth > agentLimits.comparisonDepth || !spend(effort)) return undefined
  const actual = possibleTypes(source, effort)
  const expected = possibleTypes(target, effort)
  // A source that allows no value is not a mismatch.
  if (actual === NO_TYPE) return undefined
  if ((actual & expected) === 0)
    return { at: '', message: `is ${typeNames(actual)}, but must be ${typeNames(expected)}` }
  const from = conjuncts(source, effort)
  const to = conjuncts(target, effort)
  const disjoint = disjointValues(from, to, effort)
  if (disjoint !== undefined) return { at: '', message: disjoint }
  if ((actual & expected) === OBJECT) return objectsNeverFit(from, to, effort, depth)
  if ((actual & expected) === ARRAY) return listsNeverFit(from, to, effort, depth)
  return undefined
}

/** Compares only the properties that the target requires, because the others can be omitted. */
function objectsNeverFit(
  from: readonly SchemaNode[],
  to: readonly SchemaNode[],
  effort: Effort,
  depth: number,
): Mismatch | undefined {
  const required = requiredNames(to, effort)
  for (const name of new Set([...requiredNames(from, effort), ...required])) {
    if (!spend(effort)) return undefined
    const property = propertyNodes(from, name)
    if (required.has(name) && possibleTypes(property, effort) === NO_TYPE)
      return { at: '', message: `never has ${quote(name)}, which is required` }
    const misfit = neverFits(property, propertyNodes(to, name), effort, depth + 1)
    if (misfit !== undefined) return below(name, misfit)
  }
  return undefined
}

/** Compares lists. If neither side sets a minimum length, the empty list matches both. */
function listsNeverFit(
  from: readonly SchemaNode[],
  to: readonly SchemaNode[],
  effort: Effort,
  depth: number,
): Mismatch | undefined {
  if (leastItems(from) < 1 && leastItems(to) < 1) return undefined
  const misfit = neverFits(itemNodes(from), itemNodes(to), effort, depth + 1)
  return misfit === undefined ? undefined : below('[]', misfit)
}

function below(step: string, misfit: Mismatch): Mismatch {
  return { at: misfit.at === '' ? step : `${step}.${misfit.at}`, message: misfit.message }
}

function disjointValues(from: readonly SchemaNode[], to: readonly SchemaNode[], effort: Effort): string | undefined {
  const actual = enumeration(from)
  const expected = enumeration(to)
  if (actual === undefined || expected === undefined) return undefined
  effort.left -= actual.length + expected.length
  if (effort.left < 0) return undefined
  if (!actual.every(isScalar) || !expected.every(isScalar)) return undefined
  const accepted = new Set(expected)
  if (actual.some((value) => accepted.has(value))) return undefined
  return `is one of ${quoteSome(actual)}, but must be one of ${quoteSome(expected)}`
}

function enumeration(together: readonly SchemaNode[]): readonly Value[] | undefined {
  for (const node of together) {
    const constant = keyword(node, 'const')
    if (constant !== undefined) return [constant]
    const choices = keyword(node, 'enum')
    if (isList(choices)) return choices
  }
  return undefined
}

function isScalar(value: Value): value is null | boolean | number | string {
  return typeof value !== 'object' || value === null
}
