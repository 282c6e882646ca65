/** The control comes first: a target that cannot use a tool is not attacked. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import type { AttackOptions } from '../../src/model/options.ts'
import type { Target } from '../../src/model/target.ts'
import type { ResultControl } from '../../src/results/model.ts'
import { readResults, writeResults } from '../../src/results/read.ts'
import { type FolderUse, openSuiteFolder } from '../../src/suite/folder.ts'
import type { SuiteOptions } from '../../src/suite/options.ts'
import { finishSuite, runSuite } from '../../src/suite/suite.ts'
import { commandTarget } from '../../src/targets/command.ts'
import { endpointTarget } from '../../src/targets/endpoint.ts'
import { functionTarget } from '../../src/targets/function.ts'
import { httpTarget } from '../../src/targets/http.ts'
import { readAttack } from '../support/agents.ts'
import { loadedAttack } from '../support/attacks.ts'

const converter = readAttack('examples/tool-description-injection/attack.oatf.yaml')
const attacks = [{ file: 'a.oatf.yaml', attack: converter }]
const script = fileURLToPath(new URL('../fixtures/control-agent.mjs', import.meta.url))
const acp = fileURLToPath(new URL('../fixtures/acp-agent.mjs', import.meta.url))
const command = (behaviour: string) => commandTarget({ command: [process.execPath, script, '{mcp_config}', behaviour] })

async function suite(run: AttackOptions, more: SuiteOptions = {}) {
  const told: (ResultControl | 'started')[] = []
  const results = await finishSuite(
    runSuite(attacks, {
      run: () => ({ limits: { graceMs: 0 }, ...run }),
      onControl: (control) => told.push(control),
      ...more,
    }),
  )
  const [target] = results.targets
  return { results, target, attack: target?.attacks[0], told }
}

test('a target that can use its tools is attacked', async () => {
  const { results, target, attack, told } = await suite({ target: command('able') })
  expect(results.stopped).toBeUndefined()
  expect(target?.control).toMatchObject({
    status: 'passed',
    reasons: [],
    answer: expect.stringContaining('The phrase'),
  })
  expect(told).toEqual(['started', target?.control])
  expect(attack?.outcome).toBe('resisted')
})

describe('a target that cannot is not, and the reason says what to change', () => {
  test.each([
    ['gone', /exited with code 1; its output ends with:\n401 wrong key/],
    ['deaf', /never connected to the MCP server that it was given: .* it said: I know of no servers/],
    ['idle', /was shown phrase_of_the_day but did not call it/],
    ['mute', /called phrase_of_the_day, but its answer does not contain what that returned; it said: I did it/],
    ['worn', /exited with code 3; its output ends with:\n.*The phrase of the day is/],
  ])('%s', async (behaviour, reason) => {
    const { results, target, attack } = await suite({ target: command(behaviour) })
    expect(target?.control).toMatchObject({ status: 'failed', reasons: [expect.stringMatching(reason)] })
    expect(results.stopped).toMatchObject({ reason: 'control', message: expect.stringMatching(reason) })
    expect(attack).toMatchObject({ outcome: 'inconclusive', trials: [] })
  })

  test('late', async () => {
    const { target } = await suite({ target: command('hang'), limits: { graceMs: 0, runMs: 1000 } })
    expect(target?.control?.reasons[0]).toMatch(/^the agent did not finish within 1 s: is its model reachable\?/)
  })

  test('not approved', async () => {
    const target = commandTarget({ command: [process.execPath, acp, 'obeys'], acp: true })
    const { target: told } = await suite({ target })
    expect(told?.control?.reasons[0]).toMatch(/^the agent asked for approval, which was not given; --approve all/)
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
    expect(targets[0]?.control?.reasons[0]).toMatch(
      /^message\/send was answered with the error -32601 \(no such method\)/,
    )
  })

  test('secrets in what it said are hidden', async () => {
    const { results, told } = await suite({ target: command('gone') })
    expect(JSON.stringify([results, told])).not.toContain('sk-ant-api03')
  })
})

describe('the version of MCP', () => {
  test('that it asks for is what it gets, once it has left because of a newer one', async () => {
    const { target, attack } = await suite({ target: command('old') })
    expect(target).toMatchObject({
      mcp_version: '2025-06-18',
      control: { status: 'passed', mcp_version: '2025-06-18' },
    })
    expect(attack?.outcome).toBe('resisted')
  })

  test('that the caller sets stays, and is told', async () => {
    const { target } = await suite({ target: command('old'), mcpVersion: '2025-11-25' })
    expect(target?.control?.reasons[0]).toBe(
      'the agent left default after the handshake: it asked for MCP 2025-06-18 and was answered 2025-11-25; --mcp-version 2025-06-18 sets it for this target',
    )
    const set = await suite({ target: command('old'), mcpVersion: '2025-06-18' })
    expect(set.target).toMatchObject({ mcp_version: '2025-06-18', control: { status: 'passed' } })
  })

  test('that drove it away is the reason of a run without a control', async () => {
    const { target, attack } = await suite({ target: command('old') }, { skipControl: 'because' })
    expect(target?.control).toEqual({ status: 'skipped', reasons: ['because'] })
    expect(attack?.outcome).toBe('inconclusive')
    expect(attack?.reasons).toContain(
      'the agent left default after the handshake: it asked for MCP 2025-06-18 and was answered 2025-11-25',
    )
  })
})

test('functions are asked too; whoever is wired one by one, or cannot be asked, is not', async () => {
  const module = fileURLToPath(new URL('../fixtures/function-agent.mjs', import.meta.url))
  const target = functionTarget({ name: 'f', module, export: 'answer' })
  expect((await suite({ target })).target?.control?.reasons[0]).toMatch(/^the agent never connected/)
  const listening = await suite({ target: command('able'), listen: { default: { port: 0 } } })
  expect(listening.target?.control).toMatchObject({ status: 'skipped' })
  const alone = { target: endpointTarget({ mcp: { url: 'http://127.0.0.1:9/' } }), limits: { graceMs: 0, runMs: 300 } }
  expect((await suite(alone)).target?.control).toBeUndefined()
})

test('what is interrupted says nothing of the target', async () => {
  const stop = new AbortController()
  const onControl = () => stop.abort()
  const { results, target } = await suite({ target: command('hang') }, { signal: stop.signal, onControl })
  expect(target?.control).toBeUndefined()
  expect(results.stopped?.reason).toBe('interrupted')
})

describe('where no attack brings tools', () => {
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
    return { results, control: results.targets[0]?.control, attack: results.targets[0]?.attacks[0] }
  }

  test('an answer will do', async () => {
    const { control, attack } = await ask(commandTarget({ command: [process.execPath, words, 'echo'] }))
    expect(control).toMatchObject({ status: 'passed', asked: 'answer', answer: expect.stringContaining('stdin: ') })
    expect(attack?.outcome).toBe('resisted')
  })

  test.each<[string, Target, RegExp]>([
    ['a command', commandTarget({ command: [process.execPath, words, 'fail'] }), /exited with code 9.*out of credit/s],
    ['a command without words', commandTarget({ command: [process.execPath, words, 'nothing'] }), /empty answer/],
    ['an endpoint', endpointTarget({ ag_ui: { url: 'http://127.0.0.1:9/' } }), /not reachable/],
    ['an address', httpTarget({ name: 'api', url: 'http://127.0.0.1:9/' }), /ECONNREFUSED|cannot/],
  ])('%s with a dead front door stops the suite at once', async (_, target, reason) => {
    const { results, control, attack } = await ask(target)
    expect(control).toMatchObject({ status: 'failed', asked: 'answer', reasons: [expect.stringMatching(reason)] })
    expect(results.stopped?.reason).toBe('control')
    expect(attack).toMatchObject({ outcome: 'inconclusive', trials: [] })
  })

  describe('going on from earlier results', () => {
    const home = mkdtempSync(join(tmpdir(), 'joust-control-'))
    afterAll(() => rmSync(home, { recursive: true, force: true }))
    const target = commandTarget({ command: [process.execPath, words, 'echo'] })
    const resumed = async (name: string, more: SuiteOptions = {}, use: FolderUse = { resume: true }) => {
      const folder = await openSuiteFolder(join(home, name), { files: ['a.oatf.yaml'], ...use })
      if (!folder.ok) throw new Error(folder.error.message)
      return (await ask(target, { folder: folder.value, ...more })).control
    }

    test('what the control found stays in the results', async () => {
      const first = await resumed('kept', {}, {})
      expect(first?.status).toBe('passed')
      expect(await resumed('kept')).toEqual(first)
    })

    test('what was made without one stays so', async () => {
      const without = { status: 'skipped', reasons: ['nobody wanted it'] }
      expect(await resumed('without', { skipControl: 'nobody wanted it' }, {})).toEqual(without)
      expect(await resumed('without')).toEqual(without)
      // The second trial has a control, the first one had none.
      expect(await resumed('without', { trials: 2 }, { resume: true, trials: 2 })).toMatchObject({
        status: 'skipped',
        reasons: ['nobody wanted it; this applies to the earlier results'],
      })
    })

    test.each([
      ['passed', {}],
      ['skipped', { skipControl: 'not wanted' }],
    ])('one that fails now stops the suite, and the earlier results keep theirs: %s', async (status, more) => {
      await resumed(`failing-${status}`, more, {})
      const use = { files: ['a.oatf.yaml'], resume: true, trials: 2 }
      const folder = await openSuiteFolder(join(home, `failing-${status}`), use)
      if (!folder.ok) throw new Error(folder.error.message)
      const dead = commandTarget({ command: [process.execPath, words, 'fail'] })
      const { results, control, attack } = await ask(dead, { folder: folder.value, trials: 2 })
      expect(control?.status).toBe(status)
      expect(results.stopped).toMatchObject({
        reason: 'control',
        message: expect.stringContaining('exited with code 9'),
      })
      expect(attack?.trials.map(({ outcome }) => outcome)).toEqual(['resisted'])
      expect(readResults(writeResults(results)).ok).toBe(true)
    })
  })
})
