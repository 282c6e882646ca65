/** What a CEL expression reads, found in its tree without running it. */
import type { CelRead, CelReader, CelStep } from '../model/evaluators.ts'
import { type Expr, partsOf, readCel } from './cel-syntax.ts'

/** A chain of fields and indices that starts from a variable. */
interface Chain {
  readonly root: string
  readonly steps: readonly CelStep[]
}

/** The variables of loops, with what they run over where that is known. */
type Scope = ReadonlyMap<string, Chain | undefined>

/** Every longest chain of an expression, each once. The limits on depth keep the recursion bounded. */
export const celReads: CelReader = (expression, limits) => {
  const read = readCel(expression, limits)
  if (!read.ok) return undefined
  const found: CelRead[] = []
  collect(read.value, new Map(), found)
  const known = new Set<string>()
  return found.filter((one) => {
    const key = JSON.stringify(one)
    return !known.has(key) && known.add(key)
  })
}

function collect(expr: Expr, scope: Scope, found: CelRead[]): void {
  const kind = expr.exprKind
  if (kind.case === 'comprehensionExpr') {
    collectLoop(kind.value, scope, found)
    return
  }
  const chain = chainOf(expr, scope)
  if (chain !== undefined) {
    found.push({ ...chain, tested: kind.case === 'selectExpr' && kind.value.testOnly })
    return
  }
  for (const part of partsOf(expr)) collect(part, scope, found)
}

type Loop = Extract<Expr['exprKind'], { case: 'comprehensionExpr' }>['value']

/** `exists`, `all`, `map`, `filter`: the parser has written them out as loops. */
function collectLoop(loop: Loop, scope: Scope, found: CelRead[]): void {
  const { iterRange, iterVar, accuVar, accuInit, loopCondition, loopStep, result } = loop
  const inside = new Map(scope)
  if (iterRange !== undefined) {
    collect(iterRange, scope, found)
    const chain = chainOf(iterRange, scope)
    inside.set(iterVar, chain === undefined ? undefined : { root: chain.root, steps: [...chain.steps, 'each'] })
  }
  inside.set(accuVar, undefined)
  for (const part of [accuInit, loopCondition, loopStep, result]) {
    if (part !== undefined) collect(part, inside, found)
  }
}

/** The chain that a node is; undefined for anything else, including a variable that stands for something unknown. */
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
