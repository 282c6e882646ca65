/** The same target in two results. */
import type { TargetResults } from './model.ts'

/** Two targets that are one; undefined where one side has none. */
export type TargetPair = readonly [TargetResults | undefined, TargetResults | undefined]

/** Pairs targets by kind and name. Where one is left on each side, these two are meant, be they unlike. */
export function matchTargets(left: readonly TargetResults[], right: readonly TargetResults[]): TargetPair[] {
  const open = [...right]
  const pairs = left.map((target): TargetPair => {
    const found = open.findIndex(({ kind, name }) => kind === target.kind && name === target.name)
    return [target, found < 0 ? undefined : open.splice(found, 1)[0]]
  })
  const alone = pairs.filter(([, match]) => match === undefined)
  if (alone.length !== 1 || open.length !== 1)
    return [...pairs, ...open.map((target): TargetPair => [undefined, target])]
  return pairs.map(([target, match]): TargetPair => [target, match ?? open[0]])
}
