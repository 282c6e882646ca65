import { describeValue, ownText, suggestions } from '@joust/source'
import { HEADERS } from '../../bindings/http-parts.ts'
import { mcpServerDocument, weatherTool } from '../../rules/rule.ts'
import { closestName } from '../closest-name.ts'
import { extensionSites } from '../extensions.ts'
import type { LintRule } from '../rule.ts'

const LOWER_CASE = 'header names are in lower case.'

export const extensionKnown: LintRule = {
  summary: 'Every key that begins with `x-joust-` is a Joust extension that is valid at its location.',
  check({ walk }, report) {
    const hint = suggestions()
    for (const { path, key, name, place, known } of extensionSites(walk)) {
      if (known.includes(name)) {
        if (key !== name && key !== key.toLowerCase())
          report(path, LOWER_CASE, { at: 'key', correction: key.toLowerCase() })
        continue
      }
      const correction = closestName(key, known, hint)
      const fault = `${describeValue(key)} has no effect in ${place}`
      const expected = known.length === 0 ? '' : `; expected one of: ${known.join(', ')}`
      report(path, correction === undefined ? `${fault}${expected}` : `${fault}.`, { at: 'key', correction })
    }
    for (const { path, value } of walk.indicators) {
      const target = ownText(value, 'target') ?? ''
      if (target.startsWith(`${HEADERS}.`) && target !== target.toLowerCase())
        report([...path, 'target'], LOWER_CASE, { correction: target.toLowerCase() })
    }
  },
  good: mcpServerDocument(`
    state:
      x-joust-headers: { server: nginx }${weatherTool}  indicators:
    - surface: tools/call
      target: arguments
      pattern: { contains: password }
`),
  mistake: ['x-joust-headers', 'x-joust-header'],
  path: 'attack.execution.state.x-joust-header',
}
