import { describeValue, ownText, suggestions } from '@joust/source'
import { findBinding } from '../../bindings/table.ts'
import { indicatorsDocument, type Rule } from '../rule.ts'

/** Protocols without an included binding are not checked. */
export const surfaceKnown: Rule = {
  summary: '`indicator.surface` is an operation of its protocol.',
  check(walk, report) {
    const hint = suggestions()
    for (const { path, value, protocol } of walk.indicators) {
      const surface = ownText(value, 'surface')
      const binding = protocol === undefined ? undefined : findBinding(protocol)
      if (surface === undefined || binding === undefined || binding.surfaces.includes(surface)) continue
      const message = `unknown surface ${describeValue(surface)} for ${binding.protocol}.`
      report([...path, 'surface'], message, { correction: hint(surface, new Set(binding.surfaces)) })
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
