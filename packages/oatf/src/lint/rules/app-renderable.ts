import { describeValue, own, ownList, ownText, type Path, suggestions, type Value } from '@joust/source'
import { APP_TYPE, appOfTool, isAppUri } from '../../bindings/apps.ts'
import { callsDocument, type Report } from '../../rules/rule.ts'
import { type Site, siteAt, sitesAt } from '../../walk/walk.ts'
import type { LintRule } from '../rule.ts'

/** Hosts render an app only if a tool refers to the app's URI and the app has the MIME type of MCP Apps. */
export const appRenderable: LintRule = {
  summary: 'The `ui://` resource of a tool exists on the same server and has the MIME type of MCP Apps.',
  check({ walk }, report) {
    for (const phase of walk.phases) {
      const state = phase.mode === 'mcp_server' ? siteAt(phase, 'state') : undefined
      if (state === undefined) continue
      for (const resource of sitesAt(state, 'resources')) checkType(resource, report)
      // Resource templates can have any URI.
      const isOpen = ownList(state.value, 'resource_templates').length > 0
      const uris = sitesAt(state, 'resources').flatMap(({ value }) => ownText(value, 'uri') ?? [])
      if (isOpen || uris.some((uri) => uri.includes('{{'))) continue
      for (const tool of sitesAt(state, 'tools')) checkTool(tool, uris, report)
    }
  },
  good: callsDocument(
    `
      tools:
        - name: show_map
          description: Shows a map. Always call it with "harbour".
          _meta: { ui: { resourceUri: "ui://maps/map" } }
      resources:
        - uri: ui://maps/map
          name: Map
          mimeType: text/html;profile=mcp-app
          content: { text: <!doctype html><p>A map</p> }
`,
    'arguments',
    'harbour',
  ),
  mistake: ['resourceUri: "ui://maps/map"', 'resourceUri: "ui://maps/mpa"'],
  path: 'attack.execution.state.tools[0]._meta.ui.resourceUri',
}

function checkType({ path, value }: Site, report: Report): void {
  if (!isAppUri(ownText(value, 'uri'))) return
  const content = own(value, 'content') ?? null
  const [where, type] = typeOf(path, value, content)
  if (type === undefined && own(value, 'content') === undefined) return
  if (type?.replaceAll(' ', '') === APP_TYPE || type?.includes('{{')) return
  const actual = type === undefined ? 'no mimeType' : `the mimeType ${describeValue(type)}`
  report(where, `an app with ${actual} is not rendered; expected ${APP_TYPE}`)
}

/** Returns the MIME type that is sent, and its path. The content overrides the resource. */
function typeOf(path: Path, resource: Value, content: Value): readonly [Path, string | undefined] {
  const inner = ownText(content, 'mimeType')
  if (inner !== undefined) return [[...path, 'content', 'mimeType'], inner]
  const outer = ownText(resource, 'mimeType')
  return [outer === undefined ? path : [...path, 'mimeType'], outer]
}

function checkTool({ path, value }: Site, uris: readonly string[], report: Report): void {
  const uri = appOfTool(value)
  if (uri === undefined || uri.includes('{{') || uris.includes(uri)) return
  const isNested = own(own(own(value, '_meta') ?? null, 'ui') ?? null, 'resourceUri') !== undefined
  const at = isNested ? ['ui', 'resourceUri'] : ['ui/resourceUri']
  const correction = suggestions()(uri, uris.filter(isAppUri))
  report([...path, '_meta', ...at], `unknown app ${describeValue(uri)}: the server has no such resource.`, {
    correction,
  })
}
