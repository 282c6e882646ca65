import { checkShape, describeValue, isRecord, own, ownList, type Path, type Value, valueAt } from '@joust/source'
import { HEADERS, headerFault, PAGES, statusOf } from '../../bindings/http-parts.ts'
import { isVerbatim } from '../../dialects/places.ts'
import { CACHE, extensionShapes } from '../../model/extension-shapes.ts'
import { hasTemplate } from '../../primitives/interpolate-template.ts'
import { mcpServerDocument, type Report, weatherTool } from '../../rules/rule.ts'
import { extensionSites } from '../extensions.ts'
import type { LintRule } from '../rule.ts'

export const extensionValued: LintRule = {
  summary: 'Extensions on a state, response or action have valid values.',
  check({ walk }, report) {
    for (const { path, key, value, known, mode } of extensionSites(walk)) {
      const shape = extensionShapes.get(key)
      if (shape === undefined || !known.includes(key) || value === null) continue
      // The value is sent as written, so an invalid value may be intended.
      if (key === CACHE && isVerbatim(walk)) continue
      for (const { kind, path: below, at, message, meant } of checkShape(value, shape)) {
        if (kind === 'unknown_variant' && isTemplate(valueAt(value, below))) continue
        report([...path, ...below], message, { ...(at === 'key' && { at }), correction: meant })
      }
      if (key === HEADERS) reportHeaders(value, path, mode?.role === 'server', report)
      if (key === PAGES) reportPages(value, path, report)
    }
  },
  good: mcpServerDocument(`
    state:
      x-joust-headers: { ":status": 401, www-authenticate: Bearer }${weatherTool}  indicators:
    - surface: tools/call
      target: arguments
      pattern: { contains: password }
`),
  mistake: ['401', '1401'],
  path: 'attack.execution.state.x-joust-headers.:status',
}

/** True for a template, which may have any value. */
function isTemplate(value: Value | undefined): boolean {
  return typeof value === 'string' && hasTemplate(value)
}

function reportHeaders(headers: Value | undefined, path: Path, takesStatus: boolean, report: Report): void {
  for (const [name, value] of isRecord(headers) ? Object.entries(headers) : []) {
    const fault = headerFault(name, isTemplate(value) ? '200' : value, takesStatus)
    if (fault !== undefined) report([...path, name], fault)
  }
}

function reportPages(pages: Value, path: Path, report: Report): void {
  for (const [index, page] of ownList({ pages }, 'pages').entries()) {
    const at = [...path, index, 'content']
    const content = own(page, 'content')
    const status = own(content, 'status')
    if (status !== undefined && !isTemplate(status) && statusOf(status, 200) === undefined)
      report([...at, 'status'], `expected a status from 200 to 599, got ${describeValue(status)}`)
    reportHeaders(own(content, 'headers'), [...at, 'headers'], false, report)
  }
}
