import { describeValue, isRecord, own, type Path, type Value } from '@joust/source'
import { isWildcardPath } from '../../primitives/dot-path.ts'
import { indicatorsDocument, type Report, type Rule } from '../rule.ts'
import type { Syntax } from '../syntax.ts'

export const targetPath: Rule = {
  summary: 'Every `target` is a wildcard dot-path.',
  check(walk, report, syntax) {
    for (const { path, value } of walk.indicators) {
      const target = own(value, 'target')
      if (target === undefined) report([...path, 'target'], 'the field "target" is required; "" is the whole message')
      check(target, path, syntax, report)
      for (const key of ['pattern', 'semantic']) {
        const detection = own(value, key)
        if (isRecord(detection)) check(own(detection, 'target'), [...path, key], syntax, report)
      }
    }
  },
  good: indicatorsDocument(`
    - target: "content[*].text"
      pattern: { contains: PRIVATE KEY }
`),
  mistake: ['- target: "content[*].text"', '- target: "content[0].text"'],
  path: 'attack.indicators[0].target',
}

function check(target: Value | undefined, path: Path, syntax: Syntax, report: Report): void {
  if (target === undefined) return
  const isPath = typeof target === 'string' && isWildcardPath(target)
  const fault = isPath ? syntax.path(target) : targetMessage(target)
  if (fault !== undefined) report([...path, 'target'], fault)
}

function targetMessage(target: Value): string {
  const targetText = describeValue(target)
  if (typeof target === 'string' && /\[\d+\]/.test(target))
    return `invalid path ${targetText}: numeric indexes are not allowed; use [*], or CEL for a single item`
  return `invalid path ${targetText}: expected names joined by ".", each with an optional [*]`
}
