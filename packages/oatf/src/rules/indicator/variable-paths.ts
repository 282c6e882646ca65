import { describeValue, isRecord } from '@joust/source'
import { isSimplePath } from '../../primitives/dot-path.ts'
import { variableSites } from '../../walk/walk.ts'
import { indicatorsDocument, type Rule } from '../rule.ts'

export const variablePaths: Rule = {
  summary: 'Every value of `expression.variables` is a simple dot-path.',
  check(walk, report, syntax) {
    for (const { path, variables } of variableSites(walk)) {
      if (!isRecord(variables)) {
        report(path, `expected a mapping of names to paths, got ${describeValue(variables)}`)
        continue
      }
      for (const [name, target] of Object.entries(variables)) {
        const isPath = typeof target === 'string' && isSimplePath(target)
        const fault = isPath ? syntax.path(target) : pathMessage(target)
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
  const targetText = describeValue(target)
  if (typeof target === 'string' && target.includes('['))
    return `invalid path ${targetText}: a variable path has no indexes or wildcards; select items in the CEL expression`
  return `invalid path ${targetText}: expected names joined by ".", for example "arguments.command"`
}
