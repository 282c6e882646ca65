/** `joust preflight`, as a user types it. */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { SERVER } from '../run/documents.ts'
import { folder, joust } from '../world.ts'

const fixture = (name: string) => fileURLToPath(new URL(`../../../targets/test/fixtures/${name}`, import.meta.url))
const talking = (behaviour = '{}') =>
  `"${process.execPath}" "${fixture('talking-agent.mjs')}" lines {mcp_config} '${behaviour}'`
const lines = ['--json-lines', '--answer-path', 'answer']

test('prints what works, what is remembered and which channels reach the model', async () => {
  const { code, stdout } = await joust(['preflight', '--exec', talking(), ...lines], { cwd: folder({}) })
  expect(code).toBe(0)
  expect(stdout).toMatch(/tool call +ok\n/)
  expect(stdout).toMatch(/memory +remembers the first message\n/)
  expect(stdout).toMatch(/server instructions +reaches the model\n/)
  expect(stdout).toMatch(/prompt +not known: the agent never fetched the text\n/)
})

test('as JSON, for the channels of an attack', async () => {
  const cwd = folder({ 'a.oatf.yaml': SERVER })
  const argv = ['preflight', 'a.oatf.yaml', '--exec', talking('{"forgets":true}'), ...lines, '--json', '--quiet']
  const { code, stdout } = await joust(argv, { cwd })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject([
    { preflight: { status: 'passed', remembers: 'no', channels: { message: 'yes', tool_result: 'yes' } } },
  ])
})

test('exits with 1 and the reason if the agent does not work, with 64 without a target', async () => {
  const deaf = `"${process.execPath}" "${fixture('preflight-agent.mjs')}" {mcp_config} deaf`
  const failed = await joust(['preflight', '--exec', deaf], { cwd: folder({}) })
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('never connected to its MCP server')])
  expect((await joust(['preflight'], { cwd: folder({}) })).code).toBe(64)
})

test('channels of the project file are declared in the results, and a wrong name is an error', async () => {
  const target = (channels: string) =>
    `targets: { desk: { exec: ${JSON.stringify(talking('{"mute":true}'))}, json_lines: true, answer_path: answer, channels: ${channels} } }\n`
  const argv = ['run', 'a.oatf.yaml', '--grace', '0', '--report', 'json', '--json']
  const files = (channels: string) => ({ 'a.oatf.yaml': SERVER, 'joust.yaml': target(channels) })
  const all = '{ tool_description: true, tool_result: true, server_instructions: true }'
  const { stdout } = await joust(argv, { cwd: folder(files(all)) })
  const [attack] = JSON.parse(stdout).targets[0].attacks
  expect(['declared', 'reached']).toContain(attack.controls.preflight)
  const wrong = await joust(argv, { cwd: folder(files('{ mind: true }')) })
  expect([wrong.code, wrong.stderr]).toEqual([64, expect.stringContaining('mind')])
})
