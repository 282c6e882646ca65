import { testLint, withState } from '../harness.ts'

const app = (resource: string, tool = '_meta: { ui: { resourceUri: "ui://maps/map" } }', rest = '') =>
  withState('mcp_server', `tools: [{ name: show, ${tool} }]\nresources: [{ ${resource} }]\n${rest}`)
const TYPE = 'mimeType: text/html;profile=mcp-app'
const MAP = `uri: "ui://maps/map", name: Map, content: { text: a }`
const state = 'attack.execution.state'

testLint('L-039', {
  valid: [
    app(`${MAP}, ${TYPE}`),
    app(`uri: "ui://maps/map", name: Map, content: { text: a, ${TYPE} }`),
    app(`${MAP}, mimeType: "text/html; profile=mcp-app"`),
    app(`${MAP}, ${TYPE}`, '_meta: { "ui/resourceUri": "ui://maps/map" }'),
    app(`${MAP}, ${TYPE}`, '_meta: { ui: { visibility: [app] } }'),
    // Neither a template nor a filled text is known.
    app(
      `${MAP}, ${TYPE}`,
      '_meta: { ui: { resourceUri: "ui://maps/7" } }',
      'resource_templates: [{ uriTemplate: "ui://maps/{n}", name: a }]',
    ),
    app(`uri: "ui://{{name}}", name: Map, ${TYPE}`, '_meta: { ui: { resourceUri: "ui://maps/map" } }'),
    // Not an app.
    app('uri: "file:///a", name: a, mimeType: text/html, content: { text: a }', 'description: a'),
  ],
  invalid: [
    [
      app(`${MAP}, ${TYPE}`, '_meta: { ui: { resourceUri: "ui://maps/mpa" } }'),
      `${state}.tools[0]._meta.ui.resourceUri`,
    ],
    [app(`${MAP}, ${TYPE}`, '_meta: { "ui/resourceUri": "ui://other" }'), `${state}.tools[0]._meta.ui/resourceUri`],
    [app(`${MAP}, mimeType: text/html`), `${state}.resources[0].mimeType`],
    [app(MAP), `${state}.resources[0]`],
    [
      app(`uri: "ui://maps/map", name: Map, ${TYPE}, content: { text: a, mimeType: text/html }`),
      `${state}.resources[0].content.mimeType`,
    ],
  ],
  messages: [
    'unknown app "ui://maps/mpa": the server has no such resource. Did you mean',
    'unknown app "ui://other"',
    'an app with the mimeType "text/html" is not rendered; expected text/html;profile=mcp-app',
    'an app with no mimeType is not rendered',
    'an app with the mimeType "text/html" is not rendered',
  ],
})
