// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables that users write
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { expandHeaders, expandText } from '../../src/target/expand-variables.ts'
import { folder, joust, memoryIo } from '../world.ts'

const { io } = memoryIo({ env: { TOKEN: 'ab${cd$${e' } })

test('a value from the environment is used unchanged', () => {
  expect(expandText('--token', 'x${TOKEN}', io)).toEqual({ ok: true, value: 'xab${cd$${e' })
  expect(expandHeaders({ a: '$${TOKEN}' }, io)).toEqual({ ok: true, value: { a: '${TOKEN}' } })
})

test('errors do not quote the text, which may be a secret', () => {
  const error = '--token: invalid variable; use ${NAME}, or $${ for a literal ${'
  expect(expandText('--token', 'ab${cd', io)).toEqual({ ok: false, error })
  expect(expandText('--token', 'a\nb', io)).toEqual({
    ok: false,
    error: '--token: the value contains a line break or NUL',
  })
  const missing = '--header: the environment variable MISSING is not set'
  expect(expandHeaders({ a: '${MISSING}' }, io)).toEqual({ ok: false, error: missing })
})

test('the token of a target in joust.yaml is filled in once', async () => {
  const seen: (string | undefined)[] = []
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization)
    response.writeHead(401).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const target = `{ ag_ui: "http://127.0.0.1:${port}/", token: "\${TOKEN}" }`
  const attack =
    'oatf: "0.1"\nattack:\n  execution: { mode: ag_ui_client, state: { run_agent_input: { messages: [{ id: a, role: user, content: hi }] } } }\n' +
    '  indicators: [{ surface: text_message_content, target: delta, pattern: { contains: word } }]\n'
  const cwd = folder({ 'a.oatf.yaml': attack, 'joust.yaml': `attacks: a.oatf.yaml\ntargets: { mine: ${target} }\n` })
  const { stdout, stderr } = await joust(['run', '-q', '--out', 'o'], { cwd, env: io.env })
  expect(new Set(seen)).toEqual(new Set(['Bearer ab${cd$${e']))
  expect(stdout + stderr).not.toContain('cd$')
})
