import { describeValue, ownText, suggestions } from '@joust/source'
import { messageShapes } from '../../bindings/message-shapes.ts'
import { findBinding } from '../../bindings/table.ts'
import { mcpServerDocument, weatherTool } from '../../rules/rule.ts'
import { closestCurrentName, closestName } from '../closest-name.ts'
import type { LintRule } from '../rule.ts'

export const surfaceSpelled: LintRule = {
  summary: 'A surface is spelled as in its binding.',
  check({ walk }, report) {
    const hint = suggestions()
    for (const { path, value, protocol } of walk.indicators) {
      const surface = ownText(value, 'surface')
      const binding = protocol === undefined ? undefined : findBinding(protocol)
      // Messages about a working folder or an app have no binding.
      const observed = binding === undefined ? messageShapes(protocol ?? '').map((one) => one.surface) : []
      const surfaces = binding?.surfaces ?? observed
      if (surface === undefined || surfaces.includes(surface)) continue
      const correction =
        closestName(surface, surfaces, hint) ?? closestCurrentName(surface, protocol ?? '', surfaces, hint)
      const fault = `unknown surface ${describeValue(surface)} for ${protocol}, so the indicator never matches.`
      if (correction !== undefined) report([...path, 'surface'], fault, { correction })
      else if (observed.length > 0) report([...path, 'surface'], `${fault} Expected one of: ${observed.join(', ')}`)
    }
  },
  good: mcpServerDocument(`
    state:${weatherTool}  indicators:
    - surface: tools/call
      target: arguments
      pattern: { contains: password }
`),
  mistake: ['- surface: tools/call', '- surface: tool/call'],
  path: 'attack.indicators[0].surface',
}
