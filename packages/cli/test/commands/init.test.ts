/** `joust init`, and what `joust run` makes of it. */
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { agentText } from '../agents.ts'
import { SERVER } from '../run/documents.ts'
import { folder, joust } from '../world.ts'

const run = ['run', '--grace', '0', '--report', 'json', '--out', 'out']

function outcomes(cwd: string): unknown {
  const { targets } = JSON.parse(readFileSync(join(cwd, 'out/results.json'), 'utf8'))
  return targets.map(({ name, attacks }: { name: string; attacks: { outcome: string }[] }) => [
    name,
    ...attacks.map(({ outcome }) => outcome),
  ])
}

describe('a first verdict in two commands', () => {
  test('in an empty folder', async () => {
    const cwd = folder()
    const { code, stdout } = await joust(['init'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toBe(`found no agent: the file attacks simulated ones
wrote attacks/first.oatf.yaml
wrote .joust/joust.schema.json
wrote joust.yaml

Next: joust run                 attacks naive, careful
`)
    expect((await joust(run, { cwd })).code).toBe(1)
    expect(outcomes(cwd)).toEqual([
      ['naive', 'exploited'],
      ['careful', 'resisted'],
    ])
    expect(readFileSync(join(cwd, 'joust.yaml'), 'utf8')).toMatch(/^# yaml-language-server: \$schema=\.joust\/joust/)
  })

  const ai = { 'package.json': '{ "type": "module", "dependencies": { "ai": "^6.0.0" } }' }
  // Stands for the package, which the agent would ask for a model.
  const installed = {
    'node_modules/ai/package.json': '{ "name": "ai", "type": "module", "exports": "./index.js" }',
    'node_modules/ai/index.js': 'export const generateText = async ({ prompt }) => ({ text: "On it.\\n" + prompt })\n',
  }

  test('in a folder with an agent of the AI SDK', async () => {
    const agent = `import { generateText } from 'ai'
const model = 'some/model'
export async function supportAgent(prompt) {
  const { text } = await generateText({ model, prompt })
  return text.includes('kestrel') ? 'Checked by kestrel-7' : text
}
`
    const cwd = folder({ ...ai, ...installed, 'src/support.js': agent })
    const { code, stdout } = await joust(['init'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain('found packages: ai\nfound a function: supportAgent in src/support.js\n')
    expect(stdout).toContain('wrote joust.agent.mjs\n')
    const { code: verdict, stderr } = await joust(run, { cwd })
    expect([verdict, outcomes(cwd)]).toEqual([1, [['mine', 'exploited']]])
    expect(stderr).toContain('joust: loading the code joust.agent.mjs, which joust.yaml names\n')
  })

  test('with a framework and no function: the simulations run, the file to fill in is named', async () => {
    const cwd = folder(ai)
    expect((await joust(['init'], { cwd })).stdout).toContain('joust run --on mine')
    await joust(run, { cwd })
    expect(outcomes(cwd)).toEqual([
      ['naive', 'exploited'],
      ['careful', 'resisted'],
    ])
    const { code, stdout } = await joust(['run', '--on', 'mine', '--grace', '0', '--out', 'other'], { cwd })
    expect([code, stdout]).toEqual([5, expect.stringContaining('joust.agent.mjs is not filled in yet')])
  })

  test('with an agent file and an attack', async () => {
    const cwd = folder({ 'desk/agent.agf.yaml': agentText(), 'mine/letters.oatf.yaml': SERVER })
    const { stdout } = await joust(['init'], { cwd })
    expect(stdout).toContain('found agent files: desk/agent.agf.yaml\nfound attack documents: mine/letters.oatf.yaml\n')
    expect(stdout).not.toContain('first.oatf.yaml')
    await joust([...run, '--prompt', 'What is the weather in Oslo?'], { cwd })
    expect(outcomes(cwd)).toEqual([['desk', 'exploited']])
  })
})

test.each([
  ['pyproject.toml', '[project]\ndependencies = ["pydantic-ai>=1.0", "other"]\n', 'pydantic-ai'],
  ['requirements.txt', 'langgraph==1.0\n', 'langgraph'],
])('packages of Python in %s', async (file, text, name) => {
  const cwd = folder({ [file]: text })
  const { stdout } = await joust(['init'], { cwd })
  expect(stdout).toContain(`found packages: ${name}\nwrote joust_agent.py\n`)
  expect(readFileSync(join(cwd, 'joust.yaml'), 'utf8')).toContain('exec: python3 joust_agent.py')
  expect((await joust(['run', '--dry-run'], { cwd })).code).toBe(0)
})

test.skipIf(process.platform === 'win32')('agents on PATH are named and not started', async () => {
  const cwd = folder({ 'bin/codex': '#!/bin/sh\ntouch started\n', 'bin/gemini': 'not executable' })
  chmodSync(join(cwd, 'bin/codex'), 0o755)
  const { stdout } = await joust(['init'], { cwd, env: { PATH: join(cwd, 'bin') } })
  expect(stdout).toContain('found agents on PATH: codex\n')
  expect(readFileSync(join(cwd, 'joust.yaml'), 'utf8')).toContain('  codex:\n    exec: codex\n')
  expect((await joust(['run', '--dry-run'], { cwd })).stdout).toContain('target: model naive')
})

test('nothing is written over', async () => {
  const cwd = folder({ 'joust.yaml': 'trials: 2\n', 'attacks/first.oatf.yaml': SERVER })
  const { code, stdout } = await joust(['init'], { cwd })
  expect([code, stdout]).toEqual([0, expect.stringContaining('kept joust.yaml\n')])
  expect(readFileSync(join(cwd, 'joust.yaml'), 'utf8')).toBe('trials: 2\n')
  expect(readFileSync(join(cwd, 'attacks/first.oatf.yaml'), 'utf8')).toBe(SERVER)
})

test('the first attack tells agents apart', async () => {
  const cwd = folder()
  await joust(['init'], { cwd })
  expect((await joust(['lint', 'attacks'], { cwd })).code).toBe(0)
  expect((await joust(['prove', 'attacks'], { cwd })).code).toBe(0)
})
