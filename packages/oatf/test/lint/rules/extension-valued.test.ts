import { testLint, withPhases, withState } from '../harness.ts'

const server = (state: string) => withState('mcp_server', state)
const card = (signature: string) => withState('a2a_server', `x-joust-signature: ${signature}`)
const STATE = 'attack.execution.state'
const page = (content: string) => server(`x-joust-pages: [{ path: /a, when: { verb: GET }, content: ${content} }]`)
const PAGE = `${STATE}.x-joust-pages[0].content`
const during = (steps: string) => server(`tools: [{ name: a, responses: [{ x-joust-during: ${steps} }] }]`)
const DURING = `${STATE}.tools[0].responses[0].x-joust-during`

testLint('L-044', {
  valid: [
    server('x-joust-cache: { ttlMs: 0, cacheScope: private }\nx-joust-headers: null'),
    server(
      'x-joust-cache: { cacheScope: "{{scope}}" }\nx-joust-headers: { ":status": 503, a: 5, b: null, c: "{{d}}" }',
    ),
    withState('mcp_server', 'x-joust-cache: { cacheScope: everyone }', 'x-joust-verbatim: true'),
    page('{ status: 302, headers: { location: "{{request.query.next}}" } }'),
    page('{ status: "{{code}}", body: { any: [thing] } }'),
    card('{ key: a, kid: b, alg: "{{alg}}", jku: c, of: { name: null } }'),
    card('[{ key: a }, { key: b, alg: none }]'),
    withState('ag_ui_client', 'run_agent_input: {}\nx-joust-resume: [{ when: { reason: a }, content: any }]'),
    during('[{ send: { method: a, params: {} } }]'),
    withState('mail_server', 'x-joust-cache: 5'),
  ],
  invalid: [
    [server('x-joust-cache: 5'), `${STATE}.x-joust-cache`],
    [server('x-joust-cache: { ttlMs: 1.5 }'), `${STATE}.x-joust-cache.ttlMs`],
    [server('x-joust-cache: { cacheScope: publik }'), `${STATE}.x-joust-cache.cacheScope`],
    [server('x-joust-cache: { ttlms: 5 }'), `${STATE}.x-joust-cache.ttlms`],
    [server('x-joust-headers: [a]'), `${STATE}.x-joust-headers`],
    [
      server('x-joust-headers: { ":status": 600, a b: c, content-length: 5, d: { e: f }, g: "h\\ni" }'),
      ...[':status', 'a b', 'content-length', 'd', 'g'].map((name) => `${STATE}.x-joust-headers.${name}`),
    ],
    [withState('mcp_client', 'x-joust-headers: { ":status": 200 }'), `${STATE}.x-joust-headers.:status`],
    [
      withState('mcp_client', 'actions: [{ method: tools/list, x-joust-headers: { a: [b] } }]'),
      `${STATE}.actions[0].x-joust-headers.a`,
    ],
    [
      withPhases('mcp_client', '- state: {}\n  on_enter: [{ send: { method: a }, x-joust-headers: { host name: b } }]'),
      'attack.execution.phases[0].on_enter[0].x-joust-headers.host name',
    ],
    [server('x-joust-pages: { path: /a }'), `${STATE}.x-joust-pages`],
    [server('x-joust-pages: [{ content: {} }]'), `${STATE}.x-joust-pages[0].path`],
    [page('{ code: 404 }'), `${PAGE}.code`],
    [page('{ status: 99 }'), `${PAGE}.status`],
    [page('{ headers: { ":status": 404 } }'), `${PAGE}.headers.:status`],
    [card('operator'), `${STATE}.x-joust-signature`],
    [
      card('[{ key: a, alg: HS256 }, { kid: b }]'),
      `${STATE}.x-joust-signature[0].alg`,
      `${STATE}.x-joust-signature[1].key`,
    ],
    [card('{ key: a, of: name }'), `${STATE}.x-joust-signature.of`],
    [withState('ag_ui_client', 'x-joust-resume: { content: a }'), `${STATE}.x-joust-resume`],
    [withState('ag_ui_client', 'x-joust-resume: [{ contents: a }]'), `${STATE}.x-joust-resume[0].contents`],
    [during('{ send: { method: a } }'), DURING],
    [during('[{ send: { params: {} } }]'), `${DURING}[0].send.method`],
  ],
  messages: [
    'expected a mapping, got an integer (5)',
    'expected a whole number of at least 0, got a number (1.5)',
    '"publik" is not one of public, private. Did you mean "public"?',
    'unknown field "ttlms". Did you mean "ttlMs"?',
    'expected a mapping',
    'expected a status from 100 to 599, got an integer (600)',
    ':status has no effect here, only in x-joust-headers of a server state',
    'expected a string, or null to remove the header, got a list',
    'expected a header name',
    'expected a list, got a mapping',
    'the field "path" is required',
    'unknown field "code"',
    'expected a status from 200 to 599, got an integer (99)',
    ':status has no effect here',
    'expected a mapping, got "operator"',
    '"HS256" is not one of ES256, none',
    'expected a mapping, got "name"',
    'expected a list',
    'unknown field "contents". Did you mean "content"?',
    'expected a list',
    'the field "method" is required',
  ],
})
