import { describeValue, own } from '@joust/source'
import type { Walk } from '../../walk/walk.ts'
import { attackDocument, type Report, type Rule } from '../rule.ts'

export const modelessForm: Rule = {
  summary: 'If `execution.mode` is missing, all phases have the same mode and every indicator has a protocol.',
  check(walk, report) {
    if (own(walk.execution, 'mode') !== undefined) return
    const hasActors = own(walk.execution, 'actors') !== undefined
    if (own(walk.execution, 'phases') !== undefined && !hasActors) checkPhases(walk, report)
    else if (!hasActors) return // Another rule requires a mode.
    for (const indicator of walk.indicators) {
      if (own(indicator.value, 'protocol') !== undefined) continue
      const path = [...indicator.path, 'protocol']
      report(path, 'the field "protocol" is required if "execution.mode" is missing, for example mcp')
    }
  },
  good: attackDocument(`
    phases:
      - mode: mcp_server
        state: { tools: [] }
        trigger: { event: tools/list }
      - mode: mcp_server
        state: { tools: [] }
`),
  mistake: [
    'trigger: { event: tools/list }\n      - mode: mcp_server\n        ',
    'trigger: { event: tools/list }\n      - ',
  ],
  path: 'attack.execution.phases[1].mode',
}

function checkPhases(walk: Walk, report: Report): void {
  const modes = new Set<unknown>()
  for (const phase of walk.actors.flatMap((actor) => (actor.form === 'phases' ? actor.phases : []))) {
    const mode = own(phase.value, 'mode')
    if (mode !== undefined) modes.add(mode)
    else
      report(
        [...phase.path, 'mode'],
        'the field "mode" is required if "execution.mode" is missing, for example mcp_server',
      )
  }
  if (modes.size > 1) {
    const [first, second] = [...modes].map(describeValue)
    const message = `the phases have different modes, ${first} and ${second}; use "actors" for several modes`
    report(['attack', 'execution', 'phases'], message, { at: 'key' })
  }
}
