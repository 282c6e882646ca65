/** Adds metering to the loops of a parsed CEL expression, and works around bugs in the library's evaluator. */
import { type Expr, partsOf } from './cel-syntax.ts'

/** Functions that only rewritten expressions call. Names with `@` cannot occur in CEL source. */
export const internal = {
  /** `@tick:N`: spends N steps for an iteration. */
  tick: '@tick:',
  /** Spends steps for listing the items of a loop. */
  range: '@range',
  /** A `has()` that returns true for null, and an error for values that have no fields. */
  has: '@has',
  /** Functions that create and extend the results of `map` and `filter`. The library nests one list per item. */
  newList: '@new_list',
  addToList: '@add_to_list',
} as const

const NODES_PER_STEP = 4

export function rewriteCel(root: Expr): void {
  new Rewriter(mapEntries(root)).rewrite(root)
}

/**
 * Counts map entries. Every iteration pays for them, because looking up a number in the library's maps takes linear
 * time.
 */
function mapEntries(expr: Expr): number {
  const own = expr.exprKind.case === 'structExpr' ? expr.exprKind.value.entries.length : 0
  return partsOf(expr).reduce((sum, part) => sum + mapEntries(part), own)
}

class Rewriter {
  readonly #mapEntries: number

  constructor(entries: number) {
    this.#mapEntries = entries
  }

  /** Rewrites a node. Returns the number of nodes that one evaluation visits, not counting nested loops. */
  rewrite(expr: Expr): number {
    const kind = expr.exprKind
    if (kind.case === 'comprehensionExpr') return this.#rewriteLoop(expr)
    const visited = partsOf(expr).reduce((sum, part) => sum + this.rewrite(part), 1)
    if (kind.case === 'selectExpr' && kind.value.testOnly && kind.value.operand !== undefined) {
      become(expr, call(expr, internal.has, [kind.value.operand, text(expr, kind.value.field)]))
    } else if (kind.case === 'structExpr' && kind.value.messageName !== '') {
      // There are no message types here. The library would create its own, at unbounded cost.
      become(expr, call(expr, `${kind.value.messageName}{}`, []))
    }
    return visited
  }

  #rewriteLoop(expr: Expr): number {
    const kind = expr.exprKind
    if (kind.case !== 'comprehensionExpr') return 1
    const loop = kind.value
    const { iterRange, accuInit, loopCondition, loopStep, result } = loop
    if (!iterRange || !accuInit || !loopCondition || !loopStep || !result) return 1
    const once = 1 + this.rewrite(iterRange) + this.rewrite(result)
    const everyTurn = this.rewrite(loopCondition) + this.rewrite(loopStep)
    const growth = accuInit.exprKind.case === 'listExpr' ? growthOf(loopStep, loop.accuVar) : undefined
    if (growth !== undefined) {
      become(accuInit, call(accuInit, internal.newList, []))
      become(growth.node, call(growth.node, internal.addToList, [growth.list, growth.item]))
    }
    loop.iterRange = call(iterRange, internal.range, [iterRange])
    const steps = 1 + (everyTurn + this.#mapEntries) / NODES_PER_STEP
    loop.loopCondition = call(loopCondition, `${internal.tick}${steps}`, [loopCondition])
    return once
  }
}

/** Finds `list + [item]`, directly or in a condition. `map` and `filter` extend their results with this expression. */
function growthOf(step: Expr, list: string): { node: Expr; list: Expr; item: Expr } | undefined {
  if (step.exprKind.case !== 'callExpr') return undefined
  const { function: name, args } = step.exprKind.value
  if (name === '_?_:_' && args[1] !== undefined) return growthOf(args[1], list)
  const [left, right] = args
  if (name !== '_+_' || left?.exprKind.case !== 'identExpr' || left.exprKind.value.name !== list) return undefined
  const item = right?.exprKind.case === 'listExpr' ? right.exprKind.value.elements[0] : undefined
  return item === undefined ? undefined : { node: step, list: left, item }
}

function become(expr: Expr, other: Expr): void {
  expr.exprKind = other.exprKind
}

function call(at: Expr, name: string, args: Expr[]): Expr {
  return {
    $typeName: 'cel.expr.Expr',
    id: at.id,
    exprKind: { case: 'callExpr', value: { $typeName: 'cel.expr.Expr.Call', function: name, args } },
  }
}

function text(at: Expr, value: string): Expr {
  return {
    $typeName: 'cel.expr.Expr',
    id: at.id,
    exprKind: {
      case: 'constExpr',
      value: { $typeName: 'cel.expr.Constant', constantKind: { case: 'stringValue', value } },
    },
  }
}
