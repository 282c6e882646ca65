import { describeValue, ownText } from '@joust/source'
import { attackDocument, type Rule } from '../rule.ts'

/** `phase.mode` equals the mode of its actor (V-044). `execution.phases` are one actor whose mode is
 * `execution.mode`; without that, they are the modeless form's business. */
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
          `${describeValue(mode)} is not the mode of its actor, ${describeValue(actor.mode)}; leave it out, or give the ` +
            'phase to an actor of its own',
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
