/** Everything that can be wrong before or during a run, from a text to a result: each with its code and its message. */

import { loadAgent } from '@joust/agentformat'
import { type Script, scriptedModel } from '@joust/sim'
import type { Value } from '@joust/source'
import { describe, expect, it } from 'vitest'
import type { RunOptions, RuntimeOptions } from '../src/model/options.ts'
import { createRuntime } from '../src/runtime.ts'
import { fakeClock } from './support/clock.ts'

type Files = Readonly<Record<string, string>>

/** Loads from memory and runs. Never rejects: faults are returned as `code: message` lines. */
async function attempt(
  files: Files,
  input: Value,
  options: RuntimeOptions = {},
  runOptions: RunOptions = {},
): Promise<string> {
  const read = async ({ source }: { source: string }) => {
    const text = Object.hasOwn(files, source) ? files[source] : undefined
    if (text === undefined) throw new Error('there is no such file')
    return text
  }
  const loaded = await loadAgent('main.agf.yaml', { read })
  if (!loaded.ok) {
    return loaded.error
      .filter(({ severity }) => severity === 'error')
      .map(({ code, message, file, line }) => `${file}:${line ?? 0} ${code}: ${message}`)
      .join('\n')
  }
  const runtime = createRuntime({ env: {}, ...options })
  const result = await runtime.run(loaded.value.agent, input, runOptions)
  await runtime.close()
  return result.ok ? JSON.stringify(result.value.output) : `${result.error.code}: ${result.error.message}`
}

const head = (id: string) => `schema_version: 1.0.0
metadata: { id: ${id}, name: ${id}, version: '1', description: The agent ${id}. }
interface: { input: { type: string }, output: { type: string } }
`
const reactText = (more = '', config = '') => `${head('main')}execution_policy:
  id: agf.react
  config: { instructions: Do it., model: openai/gpt-x${config} }
${more}`
const sequence = (source: string) => `${head('main')}execution_policy:
  id: agf.sequential
  config: { steps: [{ agent: next }] }
action_space:
  local_agents:
    - { alias: next, source: ${source} }
`
const scripted = (script: Script): RuntimeOptions => ({ models: { 'openai/gpt-x': scriptedModel(script) } })
const stuck = {
  ...scriptedModel([]),
  provider: 'test',
  modelId: 'stuck',
  specificationVersion: 'v4' as const,
  supportedUrls: {},
}

describe('invalid agent texts', () => {
  it.each([
    ['bad YAML', { 'main.agf.yaml': 'a: [1' }, 'yaml_syntax'],
    ['an empty text', { 'main.agf.yaml': '' }, 'yaml_syntax'],
    ['a text that is not a mapping', { 'main.agf.yaml': '42' }, 'schema_violation'],
    ['a schema violation', { 'main.agf.yaml': reactText().replace('instructions: Do it., ', '') }, 'schema_violation'],
    [
      'a version of the future',
      { 'main.agf.yaml': reactText().replace('1.0.0', '2.0.0') },
      'unsupported_schema_version',
    ],
    ['a cycle', { 'main.agf.yaml': sequence('main.agf.yaml') }, 'agent_cycle'],
    ['a missing entry', {}, 'unresolvable_source'],
    ['a missing file', { 'main.agf.yaml': sequence('./gone.agf.yaml') }, 'unresolvable_source'],
    ['a path that escapes', { 'main.agf.yaml': sequence('../../etc/passwd') }, 'unresolvable_source'],
    ['an absolute path', { 'main.agf.yaml': sequence('/etc/passwd') }, 'unresolvable_source'],
    ['an address', { 'main.agf.yaml': sequence('http://localhost/a.agf.yaml') }, 'unresolvable_source'],
  ] as [string, Files, string][])('%s', async (_, files, code) => {
    expect(await attempt(files, 'go')).toContain(` ${code}: `)
  })
})

describe('agents that cannot run', () => {
  const tools = `action_space: { local_tools: [{ alias: hammer }] }\n`
  const server = `action_space: { mcp_servers: [{ alias: files }] }\n`

  it.each([
    ['an unbound tool', reactText(tools), scripted([]), 'unbound_tool: main: local tool hammer is not bound'],
    ['an unmapped server', reactText(server), scripted([]), 'unmapped_server: main: MCP server files is not mapped'],
    ['a missing key', reactText(), {}, 'missing_key: main: missing API key for openai (set OPENAI_API_KEY)'],
    [
      'a provider that is none',
      reactText('', ', provider: unknown'),
      {},
      'config_invalid: main: unknown model provider "unknown"',
    ],
    [
      'an unknown policy',
      reactText().replace('agf.react', 'x-acme.dance'),
      {},
      'unsupported_policy: main: policy x-acme.dance is not registered',
    ],
  ] as [string, string, RuntimeOptions, string][])('%s', async (_, text, options, expected) => {
    expect(await attempt({ 'main.agf.yaml': text }, 'go', options)).toContain(expected)
  })
})

describe('failing runs', () => {
  const tools = `action_space: { local_tools: [{ alias: look }] }\n`
  const look = (result: Value): RuntimeOptions => ({ tools: { look: { call: () => result } } })
  const call = (args: string) => ({ tool_calls: [{ name: 'look', arguments: args }] })

  it.each([
    [
      'an invalid input',
      reactText(),
      5,
      scripted([]),
      /^input_validation: the input does not match interface\.input of main/,
    ],
    [
      'a model that fails',
      reactText(),
      'go',
      scripted([{ error: { message: 'no such model', status: 404 } }]),
      /^model_failed: .*no such model/,
    ],
    [
      'a script that ends too soon',
      reactText(tools),
      'go',
      { ...scripted([call('{}')]), ...look(1) },
      /^model_failed: /,
    ],
    [
      'tool arguments that are not JSON',
      reactText(tools),
      'go',
      { ...scripted([call('{"a"'), { text: 'went on' }]), ...look(1) },
      /^"went on"$/,
    ],
    [
      'a result that is too large',
      reactText(tools),
      'go',
      { ...scripted([call('{}'), { text: 'went on' }]), ...look('x'.repeat(3_000_000)) },
      /^"went on"$/,
    ],
    [
      'an invalid answer',
      reactText().replace('output: { type: string }', 'output: { type: object, required: [a, b] }'),
      'go',
      scripted([{ text: 'no' }, { text: 'no' }]),
      /^output_validation: the output of main is invalid/,
    ],
  ] as [string, string, Value, RuntimeOptions, RegExp][])('%s', async (_, text, input, options, expected) => {
    expect(await attempt({ 'main.agf.yaml': text }, input, options)).toMatch(expected)
  })

  it.each([null, { signal: 5 }])('invalid options: %j', async (given) => {
    // As a host without a compiler may call it.
    const options = given as unknown as RunOptions
    expect(await attempt({ 'main.agf.yaml': reactText() }, 'go', scripted([]), options)).toMatch(/^agent_failed: /)
  })

  it('a model that never answers, by its timeout', async () => {
    const time = fakeClock()
    const model = {
      ...stuck,
      doGenerate: () => {
        queueMicrotask(() => time.advance(120_000))
        return new Promise<never>(() => {})
      },
    }
    const onEvent = (event: { type: string }) => {
      if (event.type === 'model-failed') setImmediate(() => time.advance(60_000))
    }
    const options = { clock: time, onEvent, models: { 'openai/gpt-x': model }, timeouts: { modelMs: 1000 } }
    const result = await attempt({ 'main.agf.yaml': reactText() }, 'go', options)
    expect(result).toMatch(/^model_failed: test\/stuck failed after \d attempts: /)
  })

  it('a model that never answers, by the deadline of the document', async () => {
    const time = fakeClock()
    const model = {
      ...stuck,
      doGenerate: () => {
        queueMicrotask(() => time.advance(2000))
        return new Promise<never>(() => {})
      },
    }
    const text = reactText('constraints: { budget: { max_duration_seconds: 2 } }\n')
    const result = await attempt({ 'main.agf.yaml': text }, 'go', { clock: time, models: { 'openai/gpt-x': model } })
    expect(result).toBe('limit_exceeded: limit constraints.budget.max_duration_seconds reached: 2 of 2 used')
  })
})
