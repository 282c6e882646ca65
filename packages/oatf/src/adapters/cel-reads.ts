import type { CelRead, CelReader, CelStep } from '../model/evaluators.ts'
import { type Expr, partsOf, readCel } from './cel-syntax.ts'

interface Chain {
  readonly root: string
  readonly steps: readonly CelStep[]
}

/** Loop variables, each with the collection that it iterates over, if known. */
type Scope = ReadonlyMap<string, Chain | undefined>

/** Returns the distinct longest chains in an expression. The depth limit bounds the recursion. */
export const celReads: CelReader = (expression, limits) => {
  const read = readCel(expression, limits)
  if (!read.ok) return undefined
  const reads: CelRead[] = []
  collect(read.value, new Map(), reads)
  const keys = new Set<string>()
  return reads.filter((one) => {
    const key = JSON.stringify(one)
    return !keys.has(key) && keys.add(key)
  })
}

function collect(expr: Expr, scope: Scope, reads: CelRead[]): void {
  const kind = expr.exprKind
  if (kind.case === 'comprehensionExpr') {
    collectLoop(kind.value, scope, reads)
    return
  }
  const chain = chainOf(expr, scope)
  if (chain !== undefined) {
    reads.push({ ...chain, tested: kind.case === 'selectExpr' && kind.value.testOnly })
    return
  }
  for (const part of partsOf(expr)) collect(part, scope, reads)
}

type Loop = Extract<Expr['exprKind'], { case: 'comprehensionExpr' }>['value']

/** Collects the reads of a macro (`exists`, `all`, `map`, `filter`), which the parser has expanded to a loop. */
function collectLoop(loop: Loop, scope: Scope, reads: CelRead[]): void {
  const { iterRange, iterVar, accuVar, accuInit, loopCondition, loopStep, result } = loop
  const inside = new Map(scope)
  if (iterRange !== undefined) {
    collect(iterRange, scope, reads)
    const chain = chainOf(iterRange, scope)
    inside.set(iterVar, chain === undefined ? undefined : { root: chain.root, steps: [...chain.steps, 'each'] })
  }
  inside.set(accuVar, undefined)
  for (const part of [accuInit, loopCondition, loopStep, result]) {
    if (part !== undefined) collect(part, inside, reads)
  }
}

/** Returns the chain of a node; undefined for other nodes, including variables of unknown origin. */
function chainOf(expr: Expr, scope: Scope): Chain | undefined {
  const kind = expr.exprKind
  if (kind.case === 'identExpr') {
    const { name } = kind.value
    return scope.has(name) ? scope.get(name) : { root: name, steps: [] }
  }
  if (kind.case === 'selectExpr') {
    const below = kind.value.operand === undefined ? undefined : chainOf(kind.value.operand, scope)
    return below && { root: below.root, steps: [...below.steps, { field: kind.value.field }] }
  }
  if (kind.case !== 'callExpr' || kind.value.function !== '_[_]') return undefined
  const [operand, index] = kind.value.args
  const step = index === undefined ? undefined : constantStep(index)
  const below = operand === undefined || step === undefined ? undefined : chainOf(operand, scope)
  return below && step && { root: below.root, steps: [...below.steps, step] }
}

function constantStep({ exprKind: kind }: Expr): CelStep | undefined {
  if (kind.case !== 'constExpr') return undefined
  const { constantKind } = kind.value
  if (constantKind.case === 'stringValue') return { field: constantKind.value }
  return constantKind.case === 'int64Value' || constantKind.case === 'uint64Value' ? 'each' : undefined
}
