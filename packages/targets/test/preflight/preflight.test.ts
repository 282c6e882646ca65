/** The preflight: a target that cannot use a tool is not attacked. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import type { AttackOptions } from '../../../arena/src/model/options.ts'
import type { Target } from '../../../arena/src/model/target.ts'
import { readAttack } from '../../../arena/test/support/agents.ts'
import { loadedAttack } from '../../../arena/test/support/attacks.ts'
import { readResults, writeResults } from '../../../results/src/format/read.ts'
import type { ResultPreflight } from '../../../results/src/model/results.ts'
import { type FolderUse, openSuiteFolder } from '../../../trials/src/folder.ts'
import type { SuiteOptions } from '../../../trials/src/options.ts'
import { finishSuite, runSuite } from '../../../trials/src/suite.ts'
import { commandTarget } from '../../src/command.ts'
import { endpointTarget } from '../../src/endpoint.ts'
import { functionTarget } from '../../src/function.ts'
import { httpTarget } from '../../src/http.ts'

const converter = readAttack('examples/tool-description-injection/attack.oatf.yaml')
const attacks = [{ file: 'a.oatf.yaml', attack: converter }]
const script = fileURLToPath(new URL('../fixtures/preflight-agent.mjs', import.meta.url))
const acp = fileURLToPath(new URL('../fixtures/acp-agent.mjs', import.meta.url))
const command = (behaviour: string) => commandTarget({ command: [process.execPath, script, '{mcp_config}', behaviour] })

async function suite(run: AttackOptions, more: SuiteOptions = {}) {
  const told: (ResultPreflight | 'started')[] = []
  const results = await finishSuite(
    runSuite(attacks, {
      run: () => ({ limits: { graceMs: 0 }, ...run }),
      onPreflight: (preflight) => told.push(preflight),
      ...more,
    }),
  )
  const [target] = results.targets
  return { results, target, attack: target?.attacks[0], told }
}

test('a target that can use its tools is attacked', async () => {
  const { results, target, attack, told } = await suite({ target: command('able') })
  expect(results.stopped).toBeUndefined()
  expect(target?.preflight).toMatchObject({
    status: 'passed',
    reasons: [],
    answer: expect.stringContaining('The phrase'),
  })
  expect(told).toEqual(['started', target?.preflight])
  expect(attack?.outcome).toBe('resisted')
})

describe('a target that fails the preflight is not attacked, and the reason has a hint', () => {
  test.each([
    ['gone', /exited with code 1: 401 wrong key/],
    ['deaf', /never connected .* output: I know of no servers/],
    ['idle', /listed phrase_of_the_day but did not call it/],
    ['mute', /called phrase_of_the_day, but its answer does not contain the result; output: I did it/],
    ['worn', /exited with code 3: .*The phrase of the day is/],
  ])('%s', async (behaviour, reason) => {
    const { results, target, attack } = await suite({ target: command(behaviour) })
    expect(target?.preflight).toMatchObject({ status: 'failed', reasons: [expect.stringMatching(reason)] })
    expect(results.stopped).toMatchObject({ reason: 'preflight', message: expect.stringMatching(reason) })
    expect(attack).toMatchObject({ outcome: 'inconclusive', trials: [] })
  })

  test('late', async () => {
    const { target } = await suite({ target: command('hang'), limits: { graceMs: 0, runMs: 1000 } })
    expect(target?.preflight?.reasons[0]).toMatch(/^the agent did not finish within 1 s: is its model reachable\?/)
  })

  test('not approved', async () => {
    const target = commandTarget({ command: [process.execPath, acp, 'obeys'], acp: true })
    const { target: told } = await suite({ target })
    expect(told?.preflight?.reasons[0]).toMatch(/approval, which was denied/)
  })

  test('refused by an endpoint', async () => {
    const error = { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no such method' } }
    const send = async () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: (async function* () {
        yield new TextEncoder().encode(JSON.stringify(error))
      })(),
    })
    const target = endpointTarget({ a2a: { url: 'http://127.0.0.1:1/a2a' }, send, preflight: false })
    const asked = [{ file: 'b.oatf.yaml', attack: readAttack('library/peer-output-marking.oatf.yaml') }]
    const { targets } = await finishSuite(runSuite(asked, { run: () => ({ target }) }))
    expect(targets[0]?.preflight?.reasons[0]).toMatch(
      /^message\/send was answered with error -32601 \(no such method\)/,
    )
  })

  test('secrets in its output are redacted', async () => {
    const { results, told } = await suite({ target: command('gone') })
    expect(JSON.stringify([results, told])).not.toContain('sk-ant-api03')
  })
})

describe('the version of MCP', () => {
  test('falls back to the requested one after the agent has left because of a newer one', async () => {
    const { target, attack } = await suite({ target: command('old') })
    expect(target).toMatchObject({
      mcp_version: '2025-06-18',
      preflight: { status: 'passed', mcp_version: '2025-06-18' },
    })
    expect(attack?.outcome).toBe('resisted')
  })

  test('is 2026-07-28 after the agent has left because the server does not speak it', async () => {
    const { target, attack } = await suite({ target: command('modern') })
    expect(target).toMatchObject({
      mcp_version: '2026-07-28',
      preflight: { status: 'passed', mcp_version: '2026-07-28' },
    })
    expect(attack?.outcome).toBe('resisted')
    const { target: forced } = await suite({ target: command('modern'), mcpVersion: '2025-11-25' })
    expect(forced?.preflight?.reasons[0]).toMatch(/it requested MCP 2026-07-28 and got an earlier version/)
  })

  test('set by the caller stays, and the mismatch is reported', async () => {
    const { target } = await suite({ target: command('old'), mcpVersion: '2025-11-25' })
    expect(target?.preflight?.reasons[0]).toBe(
      'the agent disconnected from default after the handshake: it requested MCP 2025-06-18 and got 2025-11-25; --mcp-version 2025-06-18 sets the version for this target',
    )
    const set = await suite({ target: command('old'), mcpVersion: '2025-06-18' })
    expect(set.target).toMatchObject({ mcp_version: '2025-06-18', preflight: { status: 'passed' } })
  })

  test('is the reason of a run without a preflight if the agent disconnected because of it', async () => {
    const { target, attack } = await suite({ target: command('old') }, { skipPreflight: 'because' })
    const channels = { tool_description: 'unknown' }
    expect(target?.preflight).toEqual({ status: 'skipped', reasons: ['because'], channels })
    expect(attack?.outcome).toBe('inconclusive')
    expect(attack?.reasons).toContainEqual(expect.stringMatching(/requested MCP 2025-06-18 and got 2025-11-25$/))
  })
})

test('functions have a preflight; targets that are wired by name or have no chat interface do not', async () => {
  const module = fileURLToPath(new URL('../fixtures/function-agent.mjs', import.meta.url))
  const target = functionTarget({ name: 'f', module, export: 'answer' })
  expect((await suite({ target })).target?.preflight?.reasons[0]).toMatch(/^the agent never connected/)
  const listening = await suite({ target: command('able'), listen: { default: { port: 0 } } })
  expect(listening.target?.preflight).toMatchObject({ status: 'skipped' })
  const alone = { target: endpointTarget({ mcp: { url: 'http://127.0.0.1:9/' } }), limits: { graceMs: 0, runMs: 300 } }
  expect((await suite(alone)).target?.preflight).toBeUndefined()
})

test('an interrupted preflight does not judge the target', async () => {
  const stop = new AbortController()
  const onPreflight = () => stop.abort()
  const { results, target } = await suite({ target: command('hang') }, { signal: stop.signal, onPreflight })
  expect(target?.preflight).toBeUndefined()
  expect(results.stopped?.reason).toBe('interrupted')
})

describe('without attacks that have tools', () => {
  const talk = {
    mode: 'ag_ui_client',
    state: {
      run_agent_input: { threadId: 't', runId: 'r', messages: [{ id: 'm', role: 'user', content: 'mellon?' }] },
    },
  }
  const spoken = loadedAttack({
    execution: talk,
    indicators: [
      { surface: 'text_message_content', direction: 'response', target: 'delta', pattern: { contains: 'x' } },
    ],
    // Tests write plain data.
  } as never)
  const plain = [{ file: 'a.oatf.yaml', attack: spoken }]
  const words = fileURLToPath(new URL('../fixtures/text-agent.mjs', import.meta.url))

  const ask = async (target: Target, more: SuiteOptions = {}) => {
    const run = () => ({ limits: { graceMs: 0 }, target })
    const results = await finishSuite(runSuite(plain, { run, ...more }))
    return { results, preflight: results.targets[0]?.preflight, attack: results.targets[0]?.attacks[0] }
  }

  test('an answer passes', async () => {
    const { preflight, attack } = await ask(commandTarget({ command: [process.execPath, words, 'reply'] }))
    expect(preflight).toMatchObject({ status: 'passed', asked: 'answer', answer: expect.stringContaining('stdin: ') })
    expect(attack?.outcome).toBe('resisted')
  })

  test.each<[string, Target, RegExp]>([
    ['a command', commandTarget({ command: [process.execPath, words, 'fail'] }), /exited with code 9.*out of credit/s],
    ['a command without words', commandTarget({ command: [process.execPath, words, 'nothing'] }), /empty answer/],
    ['an endpoint', endpointTarget({ ag_ui: { url: 'http://127.0.0.1:9/' } }), /not reachable/],
    ['an address', httpTarget({ name: 'api', url: 'http://127.0.0.1:9/' }), /ECONNREFUSED|cannot/],
  ])('%s that does not answer stops the suite', async (_, target, reason) => {
    const { results, preflight, attack } = await ask(target)
    expect(preflight).toMatchObject({ status: 'failed', asked: 'answer', reasons: [expect.stringMatching(reason)] })
    expect(results.stopped?.reason).toBe('preflight')
    expect(attack).toMatchObject({ outcome: 'inconclusive', trials: [] })
  })

  describe('with earlier results', () => {
    const home = mkdtempSync(join(tmpdir(), 'joust-preflight-'))
    afterAll(() => rmSync(home, { recursive: true, force: true }))
    const target = commandTarget({ command: [process.execPath, words, 'reply'] })
    const resumed = async (name: string, more: SuiteOptions = {}, use: FolderUse = { resume: true }) => {
      const folder = await openSuiteFolder(join(home, name), { files: ['a.oatf.yaml'], ...use })
      if (!folder.ok) throw new Error(folder.error.message)
      return (await ask(target, { folder: folder.value, ...more })).preflight
    }

    test('the result of the preflight stays', async () => {
      const first = await resumed('kept', {}, {})
      expect(first?.status).toBe('passed')
      expect(await resumed('kept')).toEqual(first)
    })

    test('a skipped preflight stays skipped', async () => {
      const without = { status: 'skipped', reasons: ['not requested'] }
      expect(await resumed('without', { skipPreflight: 'not requested' }, {})).toEqual({ ...without, channels: {} })
      expect(await resumed('without')).toEqual(without)
      // The second trial has a preflight, the first one had none.
      expect(
        await resumed('without', { trials: 2 }, { resume: true, most: { attack: 2, placebo: 2, sensitivity: 0 } }),
      ).toMatchObject({
        status: 'skipped',
        reasons: ['not requested; this applies to the earlier results'],
      })
    })

    test.each([
      ['passed', {}],
      ['skipped', { skipPreflight: 'not wanted' }],
    ])('one that fails now stops the suite, and the earlier results keep theirs: %s', async (status, more) => {
      await resumed(`failing-${status}`, more, {})
      const use = { files: ['a.oatf.yaml'], resume: true, trials: 2 }
      const folder = await openSuiteFolder(join(home, `failing-${status}`), use)
      if (!folder.ok) throw new Error(folder.error.message)
      const dead = commandTarget({ command: [process.execPath, words, 'fail'] })
      const { results, preflight, attack } = await ask(dead, { folder: folder.value, trials: 2 })
      expect(preflight?.status).toBe(status)
      expect(results.stopped).toMatchObject({
        reason: 'preflight',
        message: expect.stringContaining('exited with code 9'),
      })
      expect(attack?.trials.map(({ outcome }) => outcome)).toEqual(['resisted'])
      expect(readResults(writeResults(results)).ok).toBe(true)
    })
  })
})
