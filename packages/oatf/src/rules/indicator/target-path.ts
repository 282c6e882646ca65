import { isRecord, own } from '@joust/source'
import { isWildcardPath } from '../../primitives/dot-path.ts'
import type { Rule } from '../rule.ts'
import { textOf } from '../walk.ts'

/** Every `target` of an indicator is a wildcard dot-path (V-021). */
export const targetPath: Rule = (walk, report) => {
  for (const indicator of walk.indicators) {
    const places = [
      { path: indicator.path, value: indicator.value },
      { path: [...indicator.path, 'pattern'], value: own(indicator.value, 'pattern') },
      { path: [...indicator.path, 'semantic'], value: own(indicator.value, 'semantic') },
    ]
    for (const { path, value } of places) {
      const target = isRecord(value) ? textOf(value, 'target') : undefined
      if (target !== undefined && !isWildcardPath(target)) report([...path, 'target'], targetMessage(target))
    }
  }
}

function targetMessage(target: string): string {
  const shown = JSON.stringify(target)
  if (/\[\d+\]/.test(target)) return `${shown} has a numeric index; use [*], or a CEL expression for one position`
  return `${shown} is not a path of names joined by ".", each with an optional [*]`
}
