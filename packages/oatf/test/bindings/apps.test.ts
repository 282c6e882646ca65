/** MCP Apps: the messages that lint and rules know, and only in an attack with an app. */
import { expect, test } from 'vitest'
import { load } from '../../src/index.ts'

const document = (uri: string) => `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state:
      tools: [{ name: show_map, _meta: { ui: { resourceUri: "${uri}" } } }]
      resources: [{ uri: "${uri}", name: Map, mimeType: text/html;profile=mcp-app, content: { text: a } }]
  indicators:
    - { protocol: mcp_app, surface: app/allowed, target: params.name, pattern: { contains: pay } }
    - { protocol: mcp_app, surface: network/sent, target: nowhere, pattern: { contains: pay } }
`

function findings(uri: string) {
  const loaded = load(document(uri))
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  const { warnings, deadIndicators } = loaded.value
  return [warnings.map(({ code }) => code).filter((code) => code.startsWith('W')), deadIndicators]
}

test('indicators of apps match only in an attack with an app', () => {
  expect(findings('ui://maps/map')).toEqual([[], [1]])
  expect(findings('file:///map')).toEqual([expect.arrayContaining(['W-003']), [0, 1]])
})
