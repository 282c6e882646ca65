import { describeValue, isList, isRecord, own, type Path, type Value } from '@joust/source'
import { mcpServerDocument, type Report, type Rule } from '../rule.ts'

/** Also checks that the entries are mappings. */
export const phasesNotEmpty: Rule = {
  summary: 'Every list of phases has at least one entry.',
  check(walk, report) {
    check(own(walk.execution, 'phases'), ['attack', 'execution', 'phases'], report)
    for (const actor of walk.actors) {
      if (actor.form === 'actors') check(own(actor.value, 'phases'), [...actor.path, 'phases'], report)
    }
  },
  good: mcpServerDocument(`
    phases:
      - state: { tools: [] }
`),
  mistake: ['phases:\n      - state: { tools: [] }', 'phases: []'],
  path: 'attack.execution.phases',
}

function check(phases: Value | undefined, path: Path, report: Report): void {
  if (phases === undefined) return
  if (!isList(phases)) report(path, `expected a list of phases, got ${describeValue(phases)}`)
  else if (phases.length === 0) report(path, 'expected at least one phase, got an empty list')
  else {
    phases.forEach((phase, index) => {
      if (!isRecord(phase)) report([...path, index], `expected a mapping, got ${describeValue(phase)}`)
    })
  }
}
