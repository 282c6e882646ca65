import { err, exceeded, type Limits, type RegexFault, type Result, regexSyntax } from '@joust/source'
import { depthFault } from '../primitives/dot-path.ts'

/** Says what is wrong with an expression, or undefined when nothing is. */
export interface SyntaxCheckers {
  readonly cel: (expression: string, limits: Limits) => string | undefined
  readonly jsonPath: (expression: string, limits: Limits) => string | undefined
}

/** The checks of all expressions in one document. */
export interface Syntax {
  readonly cel: (expression: string) => string | undefined
  readonly jsonPath: (expression: string) => string | undefined
  /** Says what is wrong with a dot-path that is too deep. */
  readonly path: (path: string) => string | undefined
  readonly regex: (pattern: string) => Result<{ readonly groupCount: number }, RegexFault>
}

/**
 * Checks each expression of a document once, however often it occurs, and no more than `documentExpressions` of them:
 * compiling is the most expensive thing a document can ask for. Any beyond that are reported, not waved through.
 */
export function syntaxOf(checkers: SyntaxCheckers, limits: Limits): Syntax {
  let checked = 0
  const tooMany = (): string =>
    `over the limit documentExpressions = ${limits.documentExpressions}, so it was not checked`
  const once = <T>(check: (expression: string) => T, refuse: () => T): ((expression: string) => T) => {
    const known = new Map<string, T>()
    return (expression) => {
      const before = known.get(expression)
      if (before !== undefined || known.has(expression)) return before as T
      if (++checked > limits.documentExpressions) return refuse()
      const result = check(expression)
      known.set(expression, result)
      return result
    }
  }
  return {
    cel: once((expression) => checkers.cel(expression, limits), tooMany),
    jsonPath: once((expression) => checkers.jsonPath(expression, limits), tooMany),
    path: (path) => depthFault(path, limits)?.message,
    regex: once(
      (pattern) => regexSyntax(pattern, limits),
      () => err({ message: tooMany(), limit: exceeded(limits, 'documentExpressions') }),
    ),
  }
}
