import { describeValue, ownText, suggestions } from '@joust/source'
import { findBinding } from '../../bindings/table.ts'
import { indicatorsDocument, type Rule } from '../rule.ts'

/** `indicator.surface` is an operation of its protocol (V-018). Skipped for protocols of other bindings. */
export const surfaceKnown: Rule = {
  summary: '`indicator.surface` is an operation of its protocol.',
  check(walk, report) {
    const hint = suggestions()
    for (const { path, value, protocol } of walk.indicators) {
      const surface = ownText(value, 'surface')
      const binding = protocol === undefined ? undefined : findBinding(protocol)
      if (surface === undefined || binding === undefined || binding.surfaces.includes(surface)) continue
      const message = `${describeValue(surface)} is not an operation of ${binding.protocol}.`
      report([...path, 'surface'], message, { meant: hint(surface, new Set(binding.surfaces)) })
    }
  },
  good: indicatorsDocument(`
    - surface: tools/call
      target: arguments.note
      pattern: { contains: PRIVATE KEY }
`),
  mistake: ['- surface: tools/call', '- surface: tool/call'],
  path: 'attack.indicators[0].surface',
}
