import { describeValue, ownText } from '@joust/source'
import { attackDocument, type Rule } from '../rule.ts'

/** Phases in `execution.phases` share `execution.mode`. If that is missing, the modeless form applies. */
export const modeMatchesActor: Rule = {
  summary: '`phase.mode` equals the mode of its actor.',
  check(walk, report) {
    for (const actor of walk.actors) {
      if (actor.mode === undefined || actor.form === 'state') continue
      for (const phase of actor.phases) {
        const mode = ownText(phase.value, 'mode')
        if (mode === undefined || mode === actor.mode) continue
        report(
          [...phase.path, 'mode'],
          `expected the mode of the actor, ${describeValue(actor.mode)}, got ${describeValue(mode)}; remove "mode", or move ` +
            'the phase to another actor',
        )
      }
    }
  },
  good: attackDocument(`
    actors:
      - name: weather_server
        mode: mcp_server
        phases:
          - mode: mcp_server
            state: { tools: [] }
`),
  mistake: ['- mode: mcp_server', '- mode: mcp_client'],
  path: 'attack.execution.actors[0].phases[0].mode',
}
