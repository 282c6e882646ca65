import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { load } from '@joust/oatf'
import { expect, test } from 'vitest'
import { studioAim } from '../../src/studio/aim.ts'
import { folder, memoryIo } from '../world.ts'

const server = fileURLToPath(new URL('../../../authoring/test/aim/server.mjs', import.meta.url))
const tools = readFileSync(new URL('../../../../examples/aim/tools.json', import.meta.url), 'utf8')
const secret = 'tops3cretvalue'
const config = (ways: readonly string[]) =>
  JSON.stringify({
    mcpServers: Object.fromEntries(
      ways.map((way) => [way, { command: process.execPath, args: [server, way, secret], env: { MAIL_TOKEN: secret } }]),
    ),
  })
const session = `joust_session: 1
servers:
  - name: notes
    protocol: mcp
    tools:
      - name: read_note
      - { name: send_note, inputSchema: { type: object, properties: { to: { type: string } } } }
`
const signal = new AbortController().signal

function aimIn(files: Readonly<Record<string, string>>) {
  const cwd = folder(files)
  return { cwd, aim: studioAim(memoryIo({ cwd }).io) }
}

async function unwrap<T>(result: Promise<{ ok: true; value: T } | { ok: false; error: string }>): Promise<T> {
  const awaited = await result
  if (!awaited.ok) throw new Error(awaited.error)
  return awaited.value
}

test('configurations, sessions, lists of tools and targets are inputs; secrets are hidden, and nothing starts', async () => {
  const { aim } = aimIn({
    '.mcp.json': config(['plain']),
    '.vscode/mcp.json': '{ "servers": {} }',
    'mail/tools.json': tools,
    'joust-session/session.yaml': session,
    'session.yaml': 'something: else\n',
    'joust.yaml': `targets: { naive: { model: sim/credulous }, notes: { mcp: "${process.execPath} ${server} plain" } }\n`,
  })
  const inputs = await aim.inputs(['joust-session/session.yaml', 'joust.yaml', 'mail/tools.json', 'session.yaml'])
  expect(inputs).toEqual([
    {
      kind: 'config',
      name: '.mcp.json',
      starts: [`plain starts ${process.execPath} ${server} plain \${MAIL_TOKEN}`],
    },
    { kind: 'session', name: 'joust-session/session.yaml', starts: [] },
    { kind: 'tools', name: 'mail/tools.json', starts: [] },
    { kind: 'target', name: 'notes', starts: [`notes starts ${process.execPath} ${server} plain`] },
  ])
})

test('servers are listed once; corrections and documents use the same tools', async () => {
  const { aim, cwd } = aimIn({ '.mcp.json': config(['plain', 'crash']) })
  const [input] = await aim.inputs([])
  if (input === undefined) throw new Error('no input')
  expect(await aim.documents({ input, max: 1 }, signal)).toEqual({ ok: false, error: 'list the tools first' })
  const map = await unwrap(aim.map({ input }, signal))
  expect(map.flows).toEqual([
    {
      id: 'plain/read_email > plain/send_email',
      source: 'plain/read_email',
      sink: 'plain/send_email',
      severity: 'high',
      effect: 'sends data to others',
    },
  ])
  expect(map.notes).toContain('crash: the server disconnected')
  expect(JSON.stringify(map)).not.toContain(secret)
  // Neither a correction nor a document starts the servers again.
  writeFileSync(join(cwd, '.mcp.json'), config(['hang']))
  const labels = { 'plain/read_email': ['private'] }
  expect((await unwrap(aim.map({ input, labels }, signal))).flows).toEqual([])
  expect(readFileSync(join(cwd, 'joust.yaml'), 'utf8')).toContain('plain/read_email:')
  await unwrap(aim.map({ input, labels: { 'plain/read_email': ['source', 'nonsense'] } }, signal))
  const { documents, rejected } = await unwrap(aim.documents({ input, max: 2 }, signal))
  expect(documents.map(({ text }) => load(text).ok)).toEqual([true, true])
  expect(rejected.every((text) => text.includes(' for plain/read_email > plain/send_email: '))).toBe(true)
  const none = await unwrap(aim.documents({ input, max: 2, flows: ['other'] }, signal))
  expect(none).toEqual({ documents: [], rejected: [] })
}, 60_000)

test('a configuration that has changed since it was shown starts nothing', async () => {
  const { aim, cwd } = aimIn({ '.mcp.json': config(['plain']) })
  const [input] = await aim.inputs([])
  if (input === undefined) throw new Error('no input')
  writeFileSync(join(cwd, '.mcp.json'), config(['many']))
  expect(await aim.map({ input }, signal)).toEqual({
    ok: false,
    error: '.mcp.json has changed since its servers were shown; reload the page to see them',
  })
})

test('without a usable server the error says why', async () => {
  const { aim } = aimIn({ '.mcp.json': config(['crash']) })
  const [input] = await aim.inputs([])
  if (input === undefined) throw new Error('no input')
  const mapped = await aim.map({ input }, signal)
  expect(mapped).toMatchObject({ ok: false, error: expect.stringContaining('could not list the tools of any server') })
  expect(JSON.stringify(mapped)).not.toContain(secret)
})
