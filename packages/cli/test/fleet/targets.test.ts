/** Targets as data: what travels, where it may run, what stays where it is. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../fleet/src/database.ts'
import { withPostgres } from '../../../fleet/test/server.ts'
import { prepareTarget } from '../../src/fleet/workplace.ts'
import { PROMPT, SERVER, USER } from '../run/documents.ts'
import { folder, joust, memoryIo } from '../world.ts'

const TIMEOUT = 60_000
const VARIABLE = (name: string) => `\${${name}}`
const PATH = { PATH: process.env.PATH }

withPostgres('targets of joust.yaml', (server) => {
  const campaign = (name: string, cwd: string) => {
    const queue = ['--queue', server().database(name)]
    return {
      url: server().database(name),
      submit: (args: readonly string[] = [], env = {}) =>
        joust(['run', ...args, ...queue, '--name', 'n', '--detach', '--quiet'], { cwd, env }),
      work: (args: readonly string[] = [], env = {}) =>
        joust(['worker', ...queue, '--drain', ...args], { cwd: folder(), env }),
      results: async () => JSON.parse((await joust(['campaign', 'results', 'n', ...queue, '--json'], { cwd })).stdout),
      status: async () => (await joust(['campaign', 'status', 'n', ...queue], { cwd })).stdout,
    }
  }
  const files = (targets: string, more = '') => ({
    'joust.yaml': `attacks: a.oatf.yaml\ntargets:\n${targets}\ngrace: "0"\nobserve: "0"\n${more}`,
    'a.oatf.yaml': USER,
  })

  test(
    'all in one submission; an http target with variables that only some workers have',
    async () => {
      const asked: (string | undefined)[] = []
      const agent = createServer((request, response) => {
        asked.push(request.headers.authorization)
        response.end(JSON.stringify({ reply: `breach ${request.headers.authorization}` }))
      })
      await new Promise<void>((resolve) => agent.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void agent.close())
      // A server that listens on TCP has such an address.
      const { port } = agent.address() as AddressInfo
      const http = `{ url: "${VARIABLE('PLACE')}/chat", headers: { authorization: "Bearer ${VARIABLE('KEY')}" }, body: { q: "{prompt}" }, answer: reply }`
      const cwd = folder(files(`  silent: { model: sim/silent }\n  asked: { http: ${http} }`, 'retries: 1\n'))
      const { url, submit, work, results, status } = campaign('http', cwd)
      const env = { PLACE: `http://127.0.0.1:${port}`, KEY: 'sesame-0815-open' }
      expect(await submit([], env)).toMatchObject({ code: 0, stdout: 'n\n' })
      const database = await openDatabase(url)
      const { rows } = await database.pool.query('select data::text as data from joust.target order by name')
      await database.close()
      expect(rows).toHaveLength(2)
      expect(JSON.stringify(rows)).toContain(VARIABLE('KEY'))
      expect(JSON.stringify(rows)).not.toMatch(/sesame|127\.0\.0\.1/)
      const poor = await work()
      expect(poor.stderr).toContain(
        'http asked is left to other workers: the environment variable PLACE is not set; the environment variable KEY is not set',
      )
      expect(poor.stderr).toContain('1 result entered')
      expect((await work([], env)).stderr).toContain('1 result entered')
      expect(asked).toContain('Bearer sesame-0815-open')
      expect(await status()).toContain('2/2')
      expect(JSON.stringify(await results())).not.toContain('sesame')
    },
    TIMEOUT,
  )

  test(
    'a command brings its script and its path to the answer, to workers that may start it',
    async () => {
      const agent = `process.stdout.write(JSON.stringify({ reply: 'breach ' + process.env.WORD }))\n`
      const targets = `  mine: { exec: "node bin/agent.mjs", answer_path: reply, env: { WORD: "${VARIABLE('KEY')}" } }\n  ours: { exec: ours }`
      const preset =
        'presets:\n  ours: { command: [node, -e, "console.log(String.fromCharCode(98,114,101,97,99,104))"] }\n'
      const cwd = folder({ ...files(targets, preset), 'bin/agent.mjs': agent })
      const { submit, work, status } = campaign('commands', cwd)
      expect(await submit()).toMatchObject({ code: 0 })
      const { stderr } = await work([], PATH)
      expect(stderr.match(/started without --allow-exec/g)).toHaveLength(2)
      expect((await work(['--allow-exec'], { ...PATH, KEY: 'x' })).stderr).toContain('2 results entered')
      expect(await status()).toContain('2/2 · 2 exploited')
    },
    TIMEOUT,
  )

  test(
    'a function is loaded by workers, not by whoever submits it',
    async () => {
      const cwd = folder({
        ...files('  mine: { module: ./agent.mjs }'),
        'agent.mjs': 'globalThis.loadedByFleet = true\nexport default () => "breach"\n',
      })
      const { submit, work, status } = campaign('functions', cwd)
      expect(await submit()).toMatchObject({ code: 0 })
      expect((await work()).stderr).toContain('started without --allow-exec')
      expect(Reflect.get(globalThis, 'loadedByFleet')).toBeUndefined()
      expect((await work(['--allow-exec'])).stderr).toContain('1 result entered')
      expect(await status()).toContain('1/1 · 1 exploited')
    },
    TIMEOUT,
  )

  test(
    'values of secrets are refused, by name and by shape',
    async () => {
      for (const [target, named] of [
        ['http: { url: "http://127.0.0.1:9/", headers: { x-api-key: abc } }', 'target mine: x-api-key holds its value'],
        ['http: { url: "http://word@127.0.0.1:9/" }', 'an address holds a user or password'],
        ['exec: "node -e 0", env: { MY_TOKEN: abc }', 'MY_TOKEN holds its value'],
      ]) {
        const { submit } = campaign('refused', folder(files(`  mine: { ${target} }`)))
        expect(await submit()).toMatchObject({ code: 64, stderr: expect.stringContaining(named ?? '') })
      }
    },
    TIMEOUT,
  )

  test(
    'documents are read as whoever submits them reads them',
    async () => {
      // As earlier drafts had it; valid in both readings, which differ.
      const old = SERVER.replace(/surface: tools\/call/g, 'surface: tool_arguments')
      expect(old).not.toBe(SERVER)
      const cwd = folder({ 'a.oatf.yaml': old })
      const { submit, work } = campaign('strict', cwd)
      const run = ['a.oatf.yaml', '--model', 'sim/silent', '--prompt', PROMPT, '--grace', '0', '--observe', '0']
      expect(await submit([...run, '--strict'])).toMatchObject({ code: 0 })
      expect(await submit(run)).toMatchObject({ code: 64, stderr: expect.stringContaining('--strict') })
      const { stderr } = await work()
      expect(stderr).toContain('1 result entered')
      expect(stderr).not.toContain('reads the document differently')
    },
    TIMEOUT,
  )
})

describe('a worker takes no orders about its own machine', () => {
  const about = { kind: 'model', name: 'x' } as const
  const given = { model: ['sim/silent'] }
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  const code = encoded('bindings: { module: ./x.mjs }')
  test.each([
    [{ given: { agent: ['/etc/passwd'] }, home: '.' }, {}, 'it names a file that did not come along: /etc/passwd'],
    [{ given, home: '../..' }, {}, 'a file of it leads out of its folder: ../..'],
    [{ given, home: '.' }, { '../x': '' }, 'a file of it leads out of its folder: ../x'],
    [{ given: { ...given, record: ['/tmp/x'] }, home: '.' }, {}, 'record is not an option that travels'],
    [{ given, home: '.', project: 'p.agf.yaml' }, { 'p.agf.yaml': code }, 'without --allow-exec'],
    [{ given: { target: ['mcp=node x'] }, home: '.' }, {}, 'without --allow-exec'],
  ])('%j %j', async (setup, files, fault) => {
    const { io } = memoryIo({ cwd: folder() })
    const made = await prepareTarget({ name: 'x', about, setup, files }, { plan: { trials: 1 } }, false, io)
    expect(made).toEqual({ ok: false, error: expect.stringContaining(fault) })
  })
})
