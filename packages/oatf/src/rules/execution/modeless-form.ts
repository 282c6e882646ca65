import { describeValue, own } from '@joust/source'
import { attackDocument, type Report, type Rule } from '../rule.ts'
import type { Walk } from '../walk.ts'

export const modelessForm: Rule = {
  summary: 'Without `execution.mode` every phase has the same mode and every indicator its protocol.',
  check(walk, report) {
    if (own(walk.execution, 'mode') !== undefined) return
    const hasActors = own(walk.execution, 'actors') !== undefined
    if (own(walk.execution, 'phases') !== undefined && !hasActors) checkPhases(walk, report)
    else if (!hasActors) return // not a form that can do without a mode
    for (const indicator of walk.indicators) {
      if (own(indicator.value, 'protocol') !== undefined) continue
      const path = [...indicator.path, 'protocol']
      report(path, 'the indicator needs a "protocol" such as mcp: there is no "execution.mode" to take it from')
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
    else report([...phase.path, 'mode'], 'the phase needs a "mode" such as mcp_server: there is no "execution.mode"')
  }
  if (modes.size > 1) {
    const [first, second] = [...modes].map(describeValue)
    report(
      ['attack', 'execution', 'phases'],
      `the phases have different modes, such as ${first} and ${second}; an attack with several modes uses "actors"`,
      { at: 'key' },
    )
  }
}
