import { isRecord, own, type Value, withLimits } from '@joust/source'
import type { PrimitiveOptions } from '../model/evaluators.ts'
import { depthFault, isSimplePath } from './dot-path.ts'

/**
 * Returns the value at a simple dot-path ([OATF SDK §5.1.1](https://oatf.io/sdk/execution-primitives/)); undefined if a
 * step does not resolve. `null` is a value.
 *
 * @example
 * const town = resolveSimplePath('arguments.town', { arguments: { town: 'Oslo' } })
 */
export function resolveSimplePath(path: string, value: Value, options: PrimitiveOptions = {}): Value | undefined {
  if (path === '') return value
  const fault = depthFault(path, withLimits(options.limits))
  if (fault !== undefined) options.onError?.(fault)
  if (fault !== undefined || !isSimplePath(path)) return undefined
  let current: Value | undefined = value
  for (const segment of path.split('.')) {
    if (!isRecord(current)) return undefined
    current = own(current, segment)
    if (current === undefined) return undefined
  }
  return current
}
