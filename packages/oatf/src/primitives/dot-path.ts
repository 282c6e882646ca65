import { exceeded, type Limits } from '@joust/source'
import type { EvaluationError } from '../model/errors.ts'

const SEGMENT = '[a-zA-Z0-9_-]+'
const SIMPLE = new RegExp(`^(?:${SEGMENT}(?:\\.${SEGMENT})*)?$`)
const WILDCARD = new RegExp(`^(?:${SEGMENT}(?:\\[\\*\\])?(?:\\.${SEGMENT}(?:\\[\\*\\])?)*)?$`)

/**
 * True for a simple dot-path ([OATF SDK §5.1.1](https://oatf.io/sdk/execution-primitives/)). The empty path is the
 * root.
 */
export function isSimplePath(path: string): boolean {
  return SIMPLE.test(path)
}

/** True for a wildcard dot-path (OATF SDK §5.1.2). The empty path is the root. */
export function isWildcardPath(path: string): boolean {
  return WILDCARD.test(path)
}

/** Returns the error for a path with more names than `dotPathDepth`, which is not resolved. */
export function depthFault(path: string, limits: Limits): EvaluationError | undefined {
  const names = path.split('.').length
  if (names <= limits.dotPathDepth) return undefined
  const { message, limit } = exceeded(limits, 'dotPathDepth', names)
  return { kind: 'path_resolution', message: `a path ${message}`, limit }
}
