import { describeValue, isRecord } from '@joust/source'
import { isSimplePath } from '../../primitives/dot-path.ts'
import { indicatorsDocument, type Rule } from '../rule.ts'
import { variableSites } from '../walk.ts'

export const variablePaths: Rule = {
  summary: 'Every value of `expression.variables` is a simple dot-path.',
  check(walk, report) {
    for (const { path, variables } of variableSites(walk)) {
      if (!isRecord(variables)) {
        report(path, `expected a mapping from names to paths, got ${describeValue(variables)}`)
        continue
      }
      for (const [name, target] of Object.entries(variables)) {
        const isPath = typeof target === 'string' && isSimplePath(target)
        const fault = isPath ? walk.syntax.path(target) : pathMessage(target)
        if (fault !== undefined) report([...path, name], fault)
      }
    }
  },
  good: indicatorsDocument(`
    - target: ""
      expression: { cel: size(note) > 1000, variables: { note: arguments.note } }
`),
  mistake: ['note: arguments.note', 'note: "arguments[*].note"'],
  path: 'attack.indicators[0].expression.variables.note',
}

function pathMessage(target: unknown): string {
  const shown = describeValue(target)
  if (typeof target === 'string' && target.includes('[')) {
    return `${shown} has an index or a wildcard; a variable is one path of names joined by ".", the rest is for CEL`
  }
  return `${shown} is not a path of names joined by ".", for example "arguments.command"`
}
