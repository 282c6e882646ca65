import { testLint } from '../harness.ts'

const document = (state: string) => `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state: ${state}
  indicators:
    - { surface: tools/call, target: arguments.x, pattern: { contains: word } }
`
const withOverlay = (overlay: string, content = '[{ type: text, text: word }]') =>
  document(`{ tools: [{ name: t, responses: [{ content: ${content}, x-joust-overlay: ${overlay} }] }] }`)
const PATH = 'attack.execution.state.tools[0].responses[0].x-joust-overlay'

testLint('L-040', {
  valid: [
    withOverlay('append'),
    withOverlay('replace'),
    withOverlay('"field issues[0].body"'),
    withOverlay('append', '{ content: [{ type: text, text: word }] }'),
  ],
  invalid: [
    [withOverlay('prepend'), PATH],
    [withOverlay('field'), PATH],
    [withOverlay('"field a b"'), PATH],
    [withOverlay('{ field: a }'), PATH],
    [withOverlay('append', '[{ type: image, data: "" }]'), PATH],
    [withOverlay('append', '[]'), PATH],
  ],
  messages: [
    'expected append, replace, or field and a path',
    'expected append, replace, or field and a path',
    'expected append, replace, or field and a path',
    'expected append, replace, or field and a path',
    'expected text in `content`',
    'expected text in `content`',
  ],
})
