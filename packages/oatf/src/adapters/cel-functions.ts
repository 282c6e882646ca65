import { type CelEnv, type CelValue, celEnv, celError, isCelList, isCelMap, isCelUint } from '@bufbuild/cel'
import type { CelFunctionCheck } from '../model/evaluators.ts'
import type { CelCall, CelFunction, CelReturn, CelRun } from './cel-call.ts'
import { conversions } from './cel-conversions.ts'
import { celEquals } from './cel-equality.ts'
import { internal } from './cel-rewrite.ts'
import { partsOf, readCel } from './cel-syntax.ts'
import { textFunctions } from './cel-text-functions.ts'
import { addToList, growingList } from './cel-values.ts'

type Group = NonNullable<ReturnType<CelEnv['funcs']['find']>>

/**
 * Creates the library's environment with our functions in place of whole groups of overloads. The library catches
 * exceptions from an overload, and an exceeded limit must not be caught.
 */
export function meteredEnvironment(run: CelRun): CelEnv {
  const standard = celEnv()
  const equals = standard.funcs.find('_==_')
  const same: CelCall['same'] = (left, right) => equals?.call(0, undefined, [left, right]) === true
  const find = (name: string): Group | undefined => {
    if (name.startsWith(internal.tick)) return ticking(Number(name.slice(internal.tick.length)), run)
    const group = standard.funcs.find(name)
    const own = functions.get(name)
    if (own === undefined) return group
    return groupOf((id, target, args) =>
      own({ target, args, run, same, standard: () => group?.call(id, target, args) }),
    )
  }
  // The planner reads only `funcs`, `registry` and `namespace` of an environment, and calls only `find` of `funcs`.
  return Object.create(standard, {
    funcs: { value: { find } },
    registry: { value: quickRegistry(standard.registry) },
  }) as CelEnv
}

/**
 * Creates a registry that avoids needless lookups. The evaluator looks up every prefix of `message.a.b`, for every
 * message, but the standard environment has types from only one package.
 */
function quickRegistry(registry: CelEnv['registry']): CelEnv['registry'] {
  const isKnown = (name: string) => name.startsWith('google.protobuf.')
  return Object.create(registry, {
    getMessage: { value: (name: string) => (isKnown(name) ? registry.getMessage(name) : undefined) },
    getEnum: { value: (name: string) => (isKnown(name) ? registry.getEnum(name) : undefined) },
  })
}

/** Returns the unknown functions that an expression calls; empty if the text is not CEL. */
export const unknownCelFunctions: CelFunctionCheck = (expression, limits) => {
  const read = readCel(expression, limits)
  if (!read.ok) return []
  const standard = celEnv()
  const unknown = new Set<string>()
  const pending = [read.value]
  for (let expr = pending.pop(); expr !== undefined; expr = pending.pop()) {
    const name = expr.exprKind.case === 'callExpr' ? expr.exprKind.value.function : ''
    if (/^[a-z]\w*$/i.test(name) && !functions.has(name) && standard.funcs.find(name) === undefined) unknown.add(name)
    pending.push(...partsOf(expr))
  }
  return [...unknown]
}

function ticking(steps: number, run: CelRun): Group {
  return groupOf((_id, _target, args) => {
    run.meter.spend(steps)
    return args[0]
  })
}

function groupOf(call: Group['call']): Group {
  // The evaluator uses no other field of a group.
  return { call } as Group
}

const functions = new Map<string, CelFunction>([
  [internal.range, listRange],
  [internal.has, hasField],
  [internal.newList, growingList],
  [internal.addToList, addItem],
  ['_==_', equality],
  ['_!=_', (call) => inverse(equality(call))],
  ['@in', membership],
  ...textFunctions,
  ...conversions,
])

function listRange({ args: [range], run }: CelCall): CelReturn {
  if (isCelList(range) || isCelMap(range)) run.meter.spendItems(range.size)
  return range
}

function hasField({ args: [map, field] }: CelCall): CelReturn {
  if (isCelMap(map) && typeof field === 'string') return map.get(field) !== undefined
  return celError('found no matching overload for has(): only a map has fields')
}

function addItem({ args: [list, item] }: CelCall): CelReturn {
  if (list !== undefined && item !== undefined) addToList(list, item)
  return list
}

function equality({ args: [left, right], run, same }: CelCall): boolean | undefined {
  return left === undefined || right === undefined ? undefined : celEquals(left, right, run.meter, same)
}

function inverse(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value
}

function membership({ args: [value, collection], run, same }: CelCall): CelReturn {
  if (value === undefined) return undefined
  if (isCelMap(collection)) return isKey(value) ? collection.get(value) !== undefined : undefined
  if (!isCelList(collection)) return undefined
  for (let index = 0; index < collection.size; index++) {
    const item = collection.get(index)
    if (item !== undefined && celEquals(item, value, run.meter, same)) return true
  }
  return false
}

function isKey(value: CelValue): value is string | boolean | bigint | number {
  return ['string', 'boolean', 'bigint', 'number'].includes(typeof value) || isCelUint(value)
}
