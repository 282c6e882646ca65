/** Memory, governance, transforms, policies and settings of `bindings`, from the command. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../../io/test/loopback.ts'
import { agentText, GREET, greeter } from '../../agents.ts'
import { spawnJoust } from '../../spawned.ts'
import { folder, joust } from '../../world.ts'

const run = (cwd: string, ...argv: string[]) =>
  joust(['agent', 'run', 'a.agf.yaml', '-i', '"tea"', '--json', ...argv], { cwd })

async function outcome(files: Readonly<Record<string, string>>, ...argv: string[]) {
  const { code, stdout, stderr } = await run(folder(files), ...argv)
  return { code, stderr, ...JSON.parse(stdout === '' ? '{}' : stdout) }
}

const governed = `${agentText()}constraints: { governance_policies: [{ policy_ref: org.cap }] }\n`
const advised = governed.replace('org.cap }', 'org.cap, required: false }')
const inFolder = { 'a.agf.yaml': governed, 'joust.yaml': 'bindings: { governance: { folder: policies } }\n' }

describe('memory', () => {
  const files = {
    'a.agf.yaml': `${agentText()}memory: { required: true }\n`,
    'joust.yaml': 'bindings: { memory: { file: memory.jsonl } }\n',
  }

  test('a turn is recalled by the next process with the same scope', async () => {
    const cwd = folder(files)
    const events = (name: string) => JSON.stringify(readFileSync(join(cwd, name), 'utf8'))
    expect((await run(cwd, '--memory', 'ada', '--events', '1.jsonl')).code).toBe(0)
    expect((await run(cwd, '--memory', 'ada', '--events', '2.jsonl')).code).toBe(0)
    expect((await run(cwd, '--memory', 'bo', '--events', '3.jsonl')).code).toBe(0)
    const tokens = (name: string) => Number(/inputTokens\\":(\d+)/.exec(events(name))?.[1])
    expect(tokens('2.jsonl')).toBeGreaterThan(tokens('1.jsonl'))
    expect(tokens('3.jsonl')).toBe(tokens('1.jsonl'))
  })

  test('a required memory needs a binding and a scope', async () => {
    expect(await outcome(files)).toMatchObject({
      code: 1,
      error: { code: 'memory_required' },
      stderr: expect.stringContaining('--memory NAME'),
    })
    expect(await outcome({ ...files, 'joust.yaml': 'bindings: {}\n' }, '--memory', 'x')).toMatchObject({
      code: 1,
      error: { code: 'memory_required' },
    })
  })

  test('a memory that is bound and has no scope is mentioned once', async () => {
    const optional = { ...files, 'a.agf.yaml': `${agentText()}memory: {}\n` }
    const hint = 'joust: the agent has a memory, which is used only with --memory NAME\n'
    expect((await outcome(optional)).stderr).toContain(hint)
    expect((await outcome(optional, '--quiet')).stderr).not.toContain(hint)
    expect((await outcome(optional, '--memory', 'ada')).stderr).not.toContain(hint)
    expect((await outcome({ ...optional, 'joust.yaml': 'bindings: {}\n' })).stderr).not.toContain(hint)
  })

  test('several processes at once lose no turn', { timeout: 60_000 }, async () => {
    const cwd = folder(files)
    const texts = ['tea', 'cake', 'jam']
    const argv = ['agent', 'run', 'a.agf.yaml', '--quiet', '--memory', 'ada', '--input']
    const ended = await Promise.all(texts.map((text) => spawnJoust([...argv, text], cwd)))
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(texts.map(() => [0, '']))
    const lines = readFileSync(join(cwd, 'memory.jsonl'), 'utf8').trimEnd().split('\n').slice(1)
    expect(lines.map((line) => JSON.parse(line).input).toSorted()).toEqual(texts.toSorted())
  })

  test('a locked memory delays a turn and does not lose it', { timeout: 60_000 }, async () => {
    const cwd = folder(files)
    const lock = join(cwd, 'memory.jsonl.lock')
    writeFileSync(lock, JSON.stringify({ pid: 1, started: 1, host: 'another-machine' }))
    const { code, stdout } = await run(cwd, '--memory', 'ada')
    const [{ message }] = JSON.parse(stdout).warnings
    expect([code, message]).toEqual([
      0,
      expect.stringMatching(/locked by process 1 on another-machine.*the turn is kept in/),
    ])
    rmSync(lock)
    expect((await run(cwd, '--memory', 'ada', '-i', '"cake"')).code).toBe(0)
    const lines = readFileSync(join(cwd, 'memory.jsonl'), 'utf8').trimEnd().split('\n').slice(1)
    expect(lines.map((line) => JSON.parse(line).input)).toEqual(['tea', 'cake'])
  })

  test('a damaged memory stops an agent that requires one', async () => {
    const damaged = { ...files, 'memory.jsonl': '{"joust_memory":1}\nnonsense\n' }
    const { code, error } = await outcome(damaged, '--memory', 'ada')
    expect(code).toBe(1)
    expect(error).toMatchObject({
      code: 'memory_required',
      message: expect.stringContaining('memory.jsonl:2 is damaged'),
    })
  })
})

describe('governance', () => {
  test('a policy of a folder applies', async () => {
    const capped = { ...inFolder, 'policies/org.cap.yaml': 'limits: { max_llm_calls: 0 }\n' }
    expect(await outcome(capped)).toMatchObject({ code: 1, error: { code: 'limit_exceeded' } })
    expect(await outcome({ ...inFolder, 'policies/org.cap.yaml': 'limits: { max_llm_calls: 1 }\n' })).toMatchObject({
      code: 0,
    })
  })

  test.each([
    ['missing', { 'policies/other.yaml': '{}\n' }, 'unknown policy'],
    ['broken', { 'policies/org.cap.yaml': 'limits: {\n' }, 'org.cap.yaml:'],
    ['misspelled', { 'policies/org.cap.yaml': 'limit: { max_llm_calls: 9 }\n' }, '"limit"'],
    ['in a missing folder', {}, 'ENOENT'],
  ])('a policy that is %s stops the run before any model call', async (_, files, message) => {
    const { code, error, usage, stderr } = await outcome({ ...inFolder, ...files })
    expect({ code, usage }).toEqual({ code: 1, usage: undefined })
    expect(stderr).not.toContain('bind a registry')
    expect(error).toMatchObject({ code: 'policy_unresolved', message: expect.stringContaining(message) })
  })

  test('an endpoint that is down stops the run, and only warns for an advisory policy', async () => {
    const host = `127.0.0.1:${await freePort()}`
    const down = { 'joust.yaml': `bindings: { governance: { url: "http://${host}/" } }\n` }
    const { code, error } = await outcome({ ...down, 'a.agf.yaml': governed })
    expect([code, error.code]).toEqual([1, 'policy_unresolved'])
    expect(error.message).toContain(`org.cap: the registry at ${host} did not respond: ECONNREFUSED`)
    expect(await outcome({ ...down, 'a.agf.yaml': advised })).toMatchObject({
      code: 0,
      warnings: [{ code: 'policy_unresolved' }],
    })
  })

  test('an endpoint that never answers, or breaks off, stops the run before any model call', async () => {
    for (const answer of [
      () => {},
      (response: ServerResponse) => void response.write('{"lim', () => response.destroy()),
    ]) {
      const server = createServer((_, response) => answer(response))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => {
        server.closeAllConnections()
        server.close()
      })
      // A server on a port has this kind of address.
      const { port } = server.address() as AddressInfo
      const config = `bindings: { governance: { url: "http://127.0.0.1:${port}/" } }\n`
      const files = { 'a.agf.yaml': governed, 'joust.yaml': config }
      const { code, error, usage } = await outcome(files, '--connect-timeout', '200ms')
      expect({ code, error, usage }).toMatchObject({ code: 1, error: { code: 'policy_unresolved' }, usage: undefined })
    }
  })

  test('an endpoint returns a policy', async () => {
    const server = createServer((_, response) => response.end('{"limits":{"max_llm_calls":0}}'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    // A server on a port has this kind of address.
    const { port } = server.address() as AddressInfo
    const config = `bindings: { governance: { url: "http://127.0.0.1:${port}/policies" } }\n`
    expect(await outcome({ 'a.agf.yaml': governed, 'joust.yaml': config })).toMatchObject({
      code: 1,
      error: { code: 'limit_exceeded' },
    })
  })

  test('check reads the folder', async () => {
    const check = (files: Readonly<Record<string, string>>) =>
      joust(['agent', 'check', 'a.agf.yaml'], { cwd: folder(files) })
    expect(await check({ ...inFolder, 'policies/org.cap.yaml': '{}\n' })).toMatchObject({ code: 0 })
    expect(await check({ ...inFolder, 'policies/org.cup.yaml': '{}\n' })).toMatchObject({ code: 1 })
  })
})

describe('functions', () => {
  const team = agentText({
    id: 'team',
    policy: '{ id: agf.sequential, config: { steps: [{ agent: one }], output_from: { custom_transform: tidy } } }',
    actions: '{ local_agents: [{ alias: one, source: b.agf.yaml }] }',
  })
  const vendor = agentText({ policy: '{ id: x-acme.vote, config: { rounds: 2 } }' })
  const modules = {
    'b.agf.yaml': agentText({ id: 'one' }),
    'functions.mjs': `export const tidy = ([{ output }]) => 'tidy: ' + output.split('\\n').at(-1)
export const vote = async ({ config, input }) => input + ' wins after ' + config.rounds + ' rounds'\n`,
  }

  test('a transform', async () => {
    const config = 'bindings: { transforms: { tidy: { module: ./functions.mjs } } }\n'
    const files = { ...modules, 'a.agf.yaml': team, 'joust.yaml': config }
    expect(await outcome(files)).toMatchObject({ code: 0, output: 'tidy: Regarding: tea' })
    expect(await outcome({ ...files, 'joust.yaml': 'bindings: {}\n' })).toMatchObject({
      error: { code: 'unknown_transform' },
    })
  })

  test('a vendor policy', async () => {
    const config = 'bindings: { policies: { x-acme.vote: { module: ./functions.mjs, export: vote } } }\n'
    const files = { ...modules, 'a.agf.yaml': vendor, 'joust.yaml': config }
    expect(await outcome(files)).toMatchObject({ code: 0, output: 'tea wins after 2 rounds' })
    expect(await outcome({ ...files, 'joust.yaml': config.replace('vote }', 'veto }') })).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('exports no function "veto"'),
    })
  })

  test('modules that the agent does not need are not loaded', async () => {
    const config = 'bindings: { transforms: { tidy: { module: ./missing.mjs } } }\n'
    expect(await outcome({ 'a.agf.yaml': agentText(), 'joust.yaml': config })).toMatchObject({ code: 0 })
  })
})

describe('settings', () => {
  test('a limit tightens, from an option or the file', async () => {
    const limited = { code: 1, error: { code: 'limit_exceeded' } }
    expect(await outcome({ 'a.agf.yaml': agentText() }, '--limit', 'max_llm_calls=0')).toMatchObject(limited)
    const config = 'bindings: { settings: { limits: { max_llm_calls: 0 } } }\n'
    expect(await outcome({ 'a.agf.yaml': agentText(), 'joust.yaml': config })).toMatchObject(limited)
    expect(
      await outcome({ 'a.agf.yaml': agentText(), 'joust.yaml': config }, '--limit', 'max_llm_calls=1'),
    ).toMatchObject({
      code: 0,
    })
  })

  test('a silent provider ends after its timeout and its retries', async () => {
    let requests = 0
    const server = createServer(() => {
      requests += 1
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    // A server on a port has this kind of address.
    const { port } = server.address() as AddressInfo
    const config = `bindings: { models: { sim/cautious: { base_url: "http://127.0.0.1:${port}/", model: m } } }\n`
    const files = { 'a.agf.yaml': agentText(), 'joust.yaml': config }
    const quick = ['--model-timeout', '1s']
    expect(await outcome(files, ...quick, '--retries', '0')).toMatchObject({ error: { code: 'model_failed' } })
    expect(requests).toBe(1)
    expect(await outcome(files, ...quick)).toMatchObject({ error: { code: 'model_failed' } })
    expect(requests).toBe(3)
  })

  test.each([
    ['--limit', 'max_lm_calls=1', 'max_lm_calls'],
    ['--limit', 'max_llm_calls=many', 'expects a number'],
    ['--model-timeout', '0', 'greater than 0'],
    ['--retries', '-1', 'at least 0'],
  ])('%s %s is refused', async (option, value, message) => {
    const { code, stderr } = await outcome({ 'a.agf.yaml': agentText() }, `${option}=${value}`)
    expect(code).not.toBe(0)
    expect(stderr).toContain(message)
  })

  test.each([
    ['retries: -1', 'whole number of at least 0'],
    ['model_timeout_seconds: 0', 'greater than 0'],
    ['limits: { max_lm_calls: 1 }', 'Did you mean'],
    ['retry: 1', 'unknown field "retry"'],
  ])('settings: %s is a finding', async (text, message) => {
    const files = { 'a.agf.yaml': agentText(), 'joust.yaml': `bindings: { settings: { ${text} } }\n` }
    const { code, stderr } = await outcome(files)
    expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringContaining(message) })
  })
})

test('an approval of a policy is required besides those of the agent', async () => {
  const files = {
    ...greeter,
    'a.agf.yaml': `${greeter['a.agf.yaml'].replace('approval: true', 'approval: false')}constraints: { governance_policies: [{ policy_ref: ask }] }\n`,
    'joust.yaml': `${greeter['joust.yaml'].trimEnd().slice(0, -1)}, governance: { folder: policies } }\n`,
    'policies/ask.yaml': 'approvals: [{ targets: [greet] }]\n',
  }
  const { stdout } = await joust(['agent', 'run', 'a.agf.yaml', '-i', GREET, '--approve', 'none'], {
    cwd: folder(files),
  })
  expect(stdout).not.toContain('hello Ann')
})
