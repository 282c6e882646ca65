import { err, exceeded, type Limits, type RegexFault, type Result, regexSyntax } from '@joust/source'
import type { Libraries } from '../model/evaluators.ts'
import { depthFault } from '../primitives/dot-path.ts'

/** Syntax checks for the expressions in a document. */
export interface Syntax {
  readonly cel: (expression: string) => string | undefined
  readonly jsonPath: (expression: string) => string | undefined
  /** Returns a message if a dot-path has too many names. */
  readonly path: (path: string) => string | undefined
  readonly regex: (pattern: string) => Result<{ readonly groupCount: number }, RegexFault>
}

/**
 * Checks each distinct expression in a document once. At most `documentExpressions` are checked, because compiling is
 * expensive; the others are reported. An expression is not checked if the library for it is missing.
 */
export function syntaxOf({ cel, jsonPath }: Libraries, limits: Limits): Syntax {
  let checked = 0
  const tooMany = (): string =>
    `not checked: the document has more than ${limits.documentExpressions} expressions (limit documentExpressions)`
  const once = <T>(check: (expression: string) => T, refuse: () => T): ((expression: string) => T) => {
    const results = new Map<string, T>()
    return (expression) => {
      const cached = results.get(expression)
      if (cached !== undefined || results.has(expression)) return cached as T
      if (++checked > limits.documentExpressions) return refuse()
      const result = check(expression)
      results.set(expression, result)
      return result
    }
  }
  return {
    cel: once((expression) => cel?.syntaxError(expression, limits), tooMany),
    jsonPath: once((expression) => jsonPath?.(expression, limits), tooMany),
    path: (path) => depthFault(path, limits)?.message,
    regex: once(
      (pattern) => regexSyntax(pattern, limits),
      () => err({ message: tooMany(), limit: exceeded(limits, 'documentExpressions') }),
    ),
  }
}
