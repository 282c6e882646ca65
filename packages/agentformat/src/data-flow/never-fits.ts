/** Schema against schema: can any value of the one be a value of the other? Silence means "perhaps". */
import { isList, type Value } from '@joust/source'
import { agentLimits } from '../model/limits.ts'
import { quote, quoteSome } from '../model/quote.ts'
import { type Effort, spend } from './effort.ts'
import { ARRAY, NO_TYPE, OBJECT, typeNames } from './json-types.ts'
import { possibleTypes } from './possible-types.ts'
import { conjuncts, type SchemaNode } from './schema-node.ts'
import { itemNodes, keyword, leastItems, propertyNodes, requiredNames } from './schema-parts.ts'

/** Why no value fits, and at which property or item of it. */
export interface Misfit {
  /** `''` for the value itself, else for example `items.[].price`. */
  readonly at: string
  /** Without a subject: `is string, but must be integer`. */
  readonly message: string
}

/** Why no value that satisfies the source schemas can satisfy the target schemas; undefined when one might. */
export function neverFits(
  source: readonly SchemaNode[],
  target: readonly SchemaNode[],
  effort: Effort,
  depth = 0,
): Misfit | undefined {
  if (depth > agentLimits.comparisonDepth || !spend(effort)) return undefined
  const given = possibleTypes(source, effort)
  const wanted = possibleTypes(target, effort)
  // A source without any value is broken in itself; that is not a question of fitting.
  if (given === NO_TYPE) return undefined
  if ((given & wanted) === 0) {
    return { at: '', message: `is ${typeNames(given)}, but must be ${typeNames(wanted)}` }
  }
  const from = conjuncts(source, effort)
  const to = conjuncts(target, effort)
  const apart = valuesApart(from, to, effort)
  if (apart !== undefined) return { at: '', message: apart }
  if ((given & wanted) === OBJECT) return objectsNeverFit(from, to, effort, depth)
  if ((given & wanted) === ARRAY) return listsNeverFit(from, to, effort, depth)
  return undefined
}

/** Only properties that must be there decide: an optional one can be left out. */
function objectsNeverFit(
  from: readonly SchemaNode[],
  to: readonly SchemaNode[],
  effort: Effort,
  depth: number,
): Misfit | undefined {
  const wanted = requiredNames(to, effort)
  for (const name of new Set([...requiredNames(from, effort), ...wanted])) {
    if (!spend(effort)) return undefined
    const given = propertyNodes(from, name)
    if (wanted.has(name) && possibleTypes(given, effort) === NO_TYPE) {
      return { at: '', message: `never has ${quote(name)}, which is required` }
    }
    const misfit = neverFits(given, propertyNodes(to, name), effort, depth + 1)
    if (misfit !== undefined) return below(name, misfit)
  }
  return undefined
}

/** An empty list fits any list, unless one side forbids it. */
function listsNeverFit(
  from: readonly SchemaNode[],
  to: readonly SchemaNode[],
  effort: Effort,
  depth: number,
): Misfit | undefined {
  if (leastItems(from) < 1 && leastItems(to) < 1) return undefined
  const misfit = neverFits(itemNodes(from), itemNodes(to), effort, depth + 1)
  return misfit === undefined ? undefined : below('[]', misfit)
}

function below(step: string, misfit: Misfit): Misfit {
  return { at: misfit.at === '' ? step : `${step}.${misfit.at}`, message: misfit.message }
}

/** Two closed lists of scalars without a common member. */
function valuesApart(from: readonly SchemaNode[], to: readonly SchemaNode[], effort: Effort): string | undefined {
  const given = closedList(from)
  const wanted = closedList(to)
  if (given === undefined || wanted === undefined) return undefined
  effort.left -= given.length + wanted.length
  if (effort.left < 0) return undefined
  if (!given.every(isScalar) || !wanted.every(isScalar)) return undefined
  const accepted = new Set(wanted)
  if (given.some((value) => accepted.has(value))) return undefined
  return `is one of ${quoteSome(given)}, but must be one of ${quoteSome(wanted)}`
}

function closedList(together: readonly SchemaNode[]): readonly Value[] | undefined {
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
