/** `joust init`, and what `joust run` does with it. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { agentText } from '../agents.ts'
import { reviewAttack } from '../review-attack.ts'
import { SERVER } from '../run/documents.ts'
import { binary } from '../spawned.ts'
import { folder, joust } from '../world.ts'

const AI = '{ "type": "module", "dependencies": { "ai": "^6.0.0" } }'
const home = mkdtempSync(join(tmpdir(), 'joust-init-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const review = join(home, 'review.oatf.yaml')
writeFileSync(review, reviewAttack)

const options = ['--grace', '0', '--report', 'json', '--out', 'out']
/** An attack that needs no tools, which the stand-ins for frameworks do not have. */
const run = ['run', review, ...options]

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
    expect(stdout).toBe(`found no agent, so the file attacks simulated ones
wrote attacks/first.oatf.yaml
wrote .joust/joust.schema.json
wrote joust.yaml

Next: joust run                 attacks naive, careful
`)
    expect((await joust(['run', 'attacks', ...options], { cwd })).code).toBe(3)
    expect(outcomes(cwd)).toEqual([
      ['naive', 'exploited'],
      ['careful', 'resisted'],
    ])
    const text = readFileSync(join(cwd, 'joust.yaml'), 'utf8')
    expect(text).toMatch(/^# yaml-language-server: \$schema=\.joust\/joust/)
    expect(text).toContain('\nattacks: [attacks] # add library')
  })

  const ai = { 'package.json': AI }
  // Stands in for the package, through which the agent would ask a model.
  const installed = {
    'node_modules/ai/package.json': '{ "name": "ai", "type": "module", "exports": "./index.js" }',
    'node_modules/ai/index.js': 'export const generateText = async ({ prompt }) => ({ text: "On it.\\n" + prompt })\n',
  }

  test('in a folder with an agent of the AI SDK', async () => {
    const agent = `import { generateText } from 'ai'
const model = 'some/model'
export async function supportAgent(prompt) {
  const { text } = await generateText({ model, prompt })
  return text.includes('4127') ? 'It is 7515.' : text
}
`
    const cwd = folder({ ...ai, ...installed, 'src/support.js': agent })
    const { code, stdout } = await joust(['init'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain('found packages: ai\nfound a function: supportAgent in src/support.js\n')
    expect(stdout).toContain('wrote joust.agent.mjs\n')
    const { code: verdict, stderr } = await joust(run, { cwd })
    expect([verdict, outcomes(cwd)]).toEqual([1, [['mine', 'exploited']]])
    expect(stderr).toContain('joust: loading code: joust.agent.mjs, specified in joust.yaml\n')
  })

  /** A package that runs TypeScript, in place of the real one. */
  const tsx = {
    'node_modules/tsx/package.json': '{ "name": "tsx", "type": "module", "exports": "./index.js" }',
    'node_modules/tsx/index.js': `import { register } from 'node:module'\nregister('./hooks.js', import.meta.url)\n`,
    'node_modules/tsx/hooks.js': `import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context)
  const source = readFileSync(fileURLToPath(url), 'utf8').replaceAll(': string', '')
  return { format: 'module', source, shortCircuit: true }
}
`,
  }
  const loop = {
    'node_modules/ai/package.json': '{ "name": "ai", "type": "module", "exports": "./index.js" }',
    'node_modules/ai/index.js': `export class ToolLoopAgent {
  constructor(settings) { this.settings = settings }
  get tools() { return this.settings.tools }
  async generate({ messages }) {
    const text = this.settings.reads(messages.map(({ content }) => content).join(' '))
    return { text, response: { messages: [{ role: 'assistant', content: text }] } }
  }
}
`,
    'node_modules/@ai-sdk/mcp/package.json': '{ "name": "@ai-sdk/mcp", "type": "module", "exports": "./index.js" }',
    'node_modules/@ai-sdk/mcp/index.js': 'export const createMCPClient = async () => ({ tools: async () => ({}) })\n',
    'src/desk.ts': `import { ToolLoopAgent } from 'ai'
const reads = (text: string): string => (text.includes('4127') ? 'It is 7515.' : 'Hello.')
export const desk = new ToolLoopAgent({ model: 'some/model', reads })
`,
  }

  test('in a folder with an agent in TypeScript', async () => {
    const cwd = folder({ ...ai, ...tsx, ...loop })
    const { stdout } = await joust(['init'], { cwd })
    expect(stdout).toContain('found an agent built with AI SDK: desk in src/desk.ts\n')
    expect(stdout).toMatch(/\nNext: joust init --yes .*\n +joust run +attacks mine\n$/)
    const { code, stderr } = await joust(run, { cwd })
    expect([code, outcomes(cwd)], stderr).toEqual([1, [['mine', 'exploited']]])
  })

  const keyless = `const never = () => { throw new Error('the key is missing: GOOGLE_GENERATIVE_AI_API_KEY') }
const unused = (text: string): string => text
const reads = never; const other`
  const fixed = `const never = () => { throw new Error('Cannot connect to API') }
const provider = { baseURL: 'https://api.example.com/v1' }
const reads = never; const other`

  test.each([
    ['passes its servers to nothing', {}, /\nmine: pass the MCP servers to the agent: line \d+ of joust\.agent\.mjs\n/],
    [
      'is not exported',
      { 'src/desk.ts': loop['src/desk.ts'].replace('export ', '') },
      /\ndesk in src\/desk\.ts is not exported: write export at the beginning of line 3\n/,
    ],
    [
      'raises an exception when it is loaded',
      { 'src/desk.ts': `${loop['src/desk.ts']}\nthrow new Error('no settings')\n` },
      /no settings[\s\S]*\nit raised an exception: change line 5 of src\/desk\.ts\n/,
    ],
    [
      'is run when its module is loaded',
      { 'src/desk.ts': `${loop['src/desk.ts']}\nconst first = await desk.generate({ prompt: 'Hello' })\n` },
      /\nsrc\/desk\.ts runs the agent when it is loaded: move line 5 and the lines that use its result into a function\n/,
    ],
    [
      'is not exported and run when its module is loaded',
      {
        'src/desk.ts': `${loop['src/desk.ts'].replace('export ', '')}const first = await desk.generate(\n  { prompt: 'Hi' },\n)\n`,
      },
      /\ndesk in src\/desk\.ts is not exported: write export at .* 3; src\/desk\.ts runs the .*: move line 4 and the .*\n/,
    ],
    [
      'has no key for its library',
      { 'src/desk.ts': loop['src/desk.ts'].replace('const reads', keyless) },
      /\nmine: set GOOGLE_GENERATIVE_AI_API_KEY: /,
    ],
    [
      'has a fixed address for its model',
      { 'src/desk.ts': loop['src/desk.ts'].replace('const reads', fixed) },
      /\nmine: the address of the model is fixed, .*: remove it from line 3 of src\/desk\.ts\n/,
    ],
    [
      'forbids tool calls',
      { 'src/desk.ts': loop['src/desk.ts'].replace('reads })', `reads, toolChoice: 'none' })`) },
      /\nmine: the agent forbids its model to call tools: change line 3 of src\/desk\.ts\n/,
    ],
    [
      'has no package for MCP',
      { 'node_modules/@ai-sdk/mcp/package.json': '{}', 'node_modules/@ai-sdk/mcp/index.js': '' },
      /\nthe package @ai-sdk\/mcp is not installed: npm install "@ai-sdk\/mcp"\n/,
    ],
  ])('init runs an agent in TypeScript that %s', async (_, files, advice) => {
    const cwd = folder({ ...ai, ...tsx, ...loop, ...files })
    if ('node_modules/@ai-sdk/mcp/package.json' in files) rmSync(join(cwd, 'node_modules/@ai-sdk'), { recursive: true })
    const { code, stdout } = await joust(['init', '--yes'], { cwd })
    expect([code, stdout]).toEqual([1, expect.stringMatching(advice)])
    expect(stdout).toMatch(/\nNext: joust init --yes +checks again after the change\n$/)
  })

  test.skipIf('typescript' in process.features)('missing TypeScript support is reported', async () => {
    const cwd = folder({ ...ai, ...loop })
    const { stdout } = await joust(['init'], { cwd })
    expect(stdout).toContain(
      '\nsrc/desk.ts is TypeScript, which this Node does not run: npm install --save-dev tsx\nNext: joust init --yes ',
    )
    // Once it can run, the next command attacks the agent and no simulation.
    expect(readFileSync(join(cwd, 'joust.yaml'), 'utf8')).toMatch(
      /\nattacks: \[library, attacks\]\ntargets:\n {2}mine:\n/,
    )
  })

  test.skipIf(spawnSync('python3', ['--version']).status !== 0)('in a folder with an agent in Python', async () => {
    const cwd = folder({
      'requirements.txt': 'pydantic-ai\n',
      // Stands in for the package.
      'pydantic_ai/__init__.py': `import asyncio


class Agent:
    def __init__(self, model):
        self.loop = asyncio.get_event_loop()

    async def run(self, prompt, toolsets, message_history):
        # Connections that were opened at import belong to the loop of that time.
        assert asyncio.get_running_loop() is self.loop
        self.output = "It is 7515." if "4127" in prompt else "Hello."
        return self

    def all_messages(self):
        return []
`,
      'pydantic_ai/mcp.py': 'class MCPServerStreamableHTTP:\n    pass\n',
      'desk/helper.py': 'from pydantic_ai import Agent\n\nhelper: Agent = Agent("some:model")\n',
    })
    const { stdout } = await joust(['init'], { cwd })
    expect(stdout).toContain('found an agent built with Pydantic AI: helper in desk/helper.py\n')
    const { code, stderr } = await joust(run, { cwd })
    expect([code, outcomes(cwd)], stderr).toEqual([1, [['mine', 'exploited']]])
  })

  const says = `console.log(said.includes('4127') ? 'It is 7515.' : 'Hello.')`
  const reads = `let said = ''\nfor await (const chunk of process.stdin) said += chunk`
  test.each([
    ['its arguments', `const said = process.argv[2] ?? ''`, '"node src/main.mjs {prompt}"'],
    ['standard input', reads, '"node src/main.mjs"'],
  ])('in a folder with a script that reads %s', async (how, line, exec) => {
    const cwd = folder({ ...ai, ...installed, 'src/main.mjs': `import { generateText } from 'ai'\n${line}\n${says}\n` })
    const { stdout } = await joust(['init'], { cwd })
    expect(stdout).toContain(`found a program: src/main.mjs, which reads ${how}\n`)
    expect(stdout).toMatch(
      /\nNext: joust init --yes .*\n +joust run +attacks mine\n +src\/main.mjs is started for each user message;/,
    )
    expect(readFileSync(join(cwd, 'joust.yaml'), 'utf8')).toContain(`exec: ${exec}\n`)
    expect(readdirSync(cwd)).not.toContain('joust.agent.mjs')
    const { code, stderr } = await joust(run, { cwd })
    expect([code, outcomes(cwd)], stderr).toEqual([1, [['mine', 'exploited']]])
  })

  test('a handler of an HTTP route is not called with a prompt', async () => {
    const route = `import { streamText } from 'ai'\nexport async function POST(request) { return streamText({}) }\n`
    const { stdout } = await joust(['init'], { cwd: folder({ ...ai, 'app/api/chat/route.js': route }) })
    expect(stdout).not.toContain('POST')
    expect(stdout).toContain('of joust.agent.mjs to call your agent\n')
  })

  test('with a framework and no function: the simulations run, the line to fill in is named', async () => {
    const cwd = folder(ai)
    const { stdout: told } = await joust(['init'], { cwd })
    expect(told).toContain('joust run --on mine')
    expect(readFileSync(join(cwd, 'joust.yaml'), 'utf8')).toContain('\nattacks: [attacks] # add library')
    const [, line = ''] = /fill in line (\d+) of joust\.agent\.mjs to call your agent\n/.exec(told) ?? []
    expect(readFileSync(join(cwd, 'joust.agent.mjs'), 'utf8').split('\n')[Number(line) - 1]).toContain(
      'throw new Error',
    )
    await joust(run, { cwd })
    expect(outcomes(cwd)).toEqual([
      ['naive', 'exploited'],
      ['careful', 'resisted'],
    ])
    const { code, stdout } = await joust(['run', review, '--on', 'mine', '--grace', '0', '--out', 'other'], { cwd })
    expect([code, stdout]).toEqual([5, expect.stringContaining('joust.agent.mjs is not filled in yet')])
  })

  test('with an agent file and an attack', async () => {
    const cwd = folder({ 'desk/agent.agf.yaml': agentText(), 'mine/letters.oatf.yaml': SERVER })
    const { stdout } = await joust(['init'], { cwd })
    expect(stdout).toContain('found agent files: desk/agent.agf.yaml\nfound attack documents: mine/letters.oatf.yaml\n')
    expect(stdout).not.toContain('first.oatf.yaml')
    expect(readFileSync(join(cwd, 'joust.yaml'), 'utf8')).toContain('attacks: [library, mine/letters.oatf.yaml]\n')
    await joust(['run', 'mine', ...options, '--prompt', 'What is the weather in Oslo?'], { cwd })
    expect(outcomes(cwd)).toEqual([['desk', 'exploited']])
  })
})

test('files and folders of any name become targets that a command line can name', async () => {
  const files = ['Ärger.agf.yaml', 'a: [b #/agent.agf.yaml', '代理/agent.agf.yaml', '7/agent.agf.yaml']
  const cwd = folder({ ...Object.fromEntries(files.map((file) => [file, agentText()])), 'bin/codex': '#!/bin/sh\n' })
  chmodSync(join(cwd, 'bin/codex'), 0o755)
  await joust(['init'], { cwd, env: { PATH: join(cwd, 'bin') } })
  const { code, stdout } = await joust(['run', '--dry-run'], { cwd })
  expect(code).toBe(0)
  for (const name of ['Arger', 'a-b', 'agent', '7']) expect(stdout).toContain(`agent ${name}`)
})

test('if a file cannot be written, none is left behind, and the reason is reported', async () => {
  const cwd = folder()
  const command = `ulimit -f 1; exec "${process.execPath}" "${binary}" init`
  const { status, stderr } = spawnSync('sh', ['-c', command], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
  })
  expect([status, stderr]).toEqual([
    10,
    expect.stringContaining('joust: .joust/joust.schema.json cannot be written: EFBIG'),
  ])
  expect(readdirSync(join(cwd, '.joust'))).toEqual([])
})

test.each([
  ['pyproject.toml', '[project]\ndependencies = ["pydantic-ai>=1.0", "other"]\n', 'pydantic-ai'],
  ['requirements.txt', 'langgraph==1.0\n', 'langgraph'],
])('packages of Python in %s', async (file, text, name) => {
  const cwd = folder({ [file]: text })
  const { stdout } = await joust(['init'], { cwd })
  expect(stdout).toContain(`found packages: ${name}\nwrote joust_agent.py\n`)
  expect(stdout).toMatch(/fill in line \d+ of joust_agent\.py to call your agent\n/)
  // The example is exactly what is written.
  const example = new URL('../../../../examples/targets/python/joust_agent.py', import.meta.url)
  expect(readFileSync(join(cwd, 'joust_agent.py'), 'utf8')).toBe(readFileSync(example, 'utf8'))
  expect(readFileSync(join(cwd, 'joust.yaml'), 'utf8')).toContain('exec: python3 joust_agent.py')
  expect((await joust(['run', '--dry-run'], { cwd })).code).toBe(0)
})

test('an agent in Python is found by its imports if there is no manifest', async () => {
  const agent = 'from agents import Agent\n\nassistant = Agent(name="a")\n'
  const { stdout } = await joust(['init'], { cwd: folder({ 'main.py': agent }) })
  expect(stdout).toContain('found an agent built with OpenAI Agents: assistant in main.py\n')
  expect(stdout).toContain('attacks mine\n')
  const own = folder({ 'main.py': agent, 'agents/__init__.py': 'class Agent: pass\n' })
  expect((await joust(['init'], { cwd: own })).stdout).toContain('found no agent')
})

test('an agent that hands over to others is called before them', async () => {
  const agents = ['math_agent', 'history_agent'].map((name) => `${name} = Agent(name="a")\n`).join('')
  const text = `from agents import Agent\n\n${agents}triage_agent = Agent(\n    handoffs=[history_agent, math_agent],\n)\n`
  const { stdout } = await joust(['init'], { cwd: folder({ 'requirements.txt': 'openai_agents', 'main.py': text }) })
  expect(stdout).toContain('found an agent built with OpenAI Agents: triage_agent in main.py\n')
})

test.each([
  ['an agent', 'researcher = Agent(role="r")\n', 'researcher'],
  ['a crew', 'team: Crew = Crew(agents=[])\n', 'team'],
  ['a class of a project', '@CrewBase\nclass Latest():\n    pass\n', 'Latest'],
])('CrewAI: %s', async (_, text, name) => {
  const cwd = folder({
    'requirements.txt': 'crewai[tools]>=1\n',
    'src/team.py': `from crewai import Agent, Crew\n\n${text}`,
  })
  const { stdout } = await joust(['init'], { cwd })
  expect(stdout).toContain(`found packages: crewai\nfound an agent built with CrewAI: ${name} in src/team.py\n`)
  expect(readFileSync(join(cwd, 'joust_agent.py'), 'utf8')).toContain(`\nfrom src.team import ${name} as agent\n`)
})

test('an agent that could not run at first is checked later, although it is not among the targets of on', async () => {
  const agent = `import { generateText } from 'ai'\nexport const agent = async () => 'Hello.'\n`
  const cwd = folder({
    'package.json': AI,
    'agent.js': agent,
    'joust.agent.mjs': `export default async () => 'Hello.'\n`,
    'joust.yaml':
      'attacks: library\ntargets:\n  naive: { model: sim/credulous }\n  mine: { module: ./joust.agent.mjs }\non: [naive]\n',
  })
  const { code, stdout } = await joust(['init', '--yes'], { cwd })
  expect([code, stdout]).toEqual([1, expect.stringMatching(/\nmine: .*MCP servers.*: line 1 of/)])
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
  const cwd = folder({ 'attacks/first.oatf.yaml': SERVER, 'joust.agent.mjs': '// mine', 'package.json': AI })
  expect((await joust(['init'], { cwd })).stdout).toContain('kept joust.agent.mjs\n')
  expect(readFileSync(join(cwd, 'joust.agent.mjs'), 'utf8')).toBe('// mine')
  expect(readFileSync(join(cwd, 'attacks/first.oatf.yaml'), 'utf8')).toBe(SERVER)
})

describe.skipIf(spawnSync('python3', ['--version']).status !== 0)('init runs the agent', () => {
  const agent = `from pydantic_ai import Agent

open("started", "w").close()
agent = Agent("some:model")
`
  // Stands in for the package: it never connects to its servers.
  const deaf = {
    'requirements.txt': 'pydantic-ai-slim[openai,mcp]>=2\n',
    'pydantic_ai/__init__.py': `class Agent:
    def __init__(self, model):
        self.output = "Hello."

    async def run(self, prompt, toolsets, message_history):
        return self

    def all_messages(self):
        return []
`,
    'pydantic_ai/mcp.py': 'def MCPToolset(url):\n    return url\n',
    'agent.py': agent,
  }

  test.each([
    ['without a terminal', {}],
    ['if the user declines', { ask: async () => 'n' }],
    ['if the user only presses Enter', { ask: async () => '' }],
  ])('never %s', async (_, world) => {
    const cwd = folder(deaf)
    const { code, stdout } = await joust(['init'], { cwd, ...world })
    expect([code, readdirSync(cwd).includes('started')]).toEqual([0, false])
    expect(stdout).toMatch(/\nNext: joust init --yes .*\n +joust run +attacks mine\n$/)
  })

  test.each([
    ['with --yes', ['init', '--yes'], {}],
    ['with the consent of the user', ['init'], { ask: async () => 'y' }],
  ])('%s, and names the line to change', async (_, argv, world) => {
    const cwd = folder(deaf)
    const { code, stdout } = await joust(argv, { cwd, ...world })
    expect(code).toBe(1)
    const [, line = ''] = /\nmine: .*MCP servers.*: line (\d+) of joust_agent\.py\n/.exec(stdout) ?? []
    expect(readFileSync(join(cwd, 'joust_agent.py'), 'utf8').split('\n')[Number(line) - 1]).toContain('mcp_servers()')
    expect(stdout).not.toContain('joust run ')
  })

  test('an exception at import is reported with its line', async () => {
    const cwd = folder({ ...deaf, 'agent.py': `${agent}\nraise RuntimeError("no settings")\n` })
    const { code, stdout } = await joust(['init', '--yes'], { cwd })
    expect(code).toBe(1)
    expect(stdout).toContain('no settings')
    expect(stdout).toContain('\nmine: it raised an exception: change line 6 of agent.py\n')
  })

  test('a missing package is reported with the command that installs it', async () => {
    const cwd = folder({ ...deaf, 'pydantic_ai/mcp.py': 'import a_package_that_is_missing\n' })
    const { stdout } = await joust(['init', '--yes'], { cwd })
    expect(stdout).toContain(
      'a_package_that_is_missing is not installed: python3 -m venv .venv && .venv/bin/pip install -r requirements.txt ' +
        '"pydantic-ai-slim[mcp]"; then, in line 6 of joust.yaml, write .venv/bin/python for python3\n',
    )
    expect(readFileSync(join(cwd, 'joust.yaml'), 'utf8').split('\n')[5]).toContain('exec: python3 joust_agent.py')
  })

  test('variables that the agent reads are passed on, and a missing one is named', async () => {
    const cwd = folder({ ...deaf, 'agent.py': `import os\n\nurl = os.environ["DESK_URL"]\n${agent}` })
    const { stdout } = await joust(['init', '--yes'], { cwd })
    expect(readFileSync(join(cwd, 'joust.yaml'), 'utf8')).toMatch(/pass_env: \[.*, DESK_URL\]\n/)
    expect(stdout).toContain('\nmine: set DESK_URL: the agent does not start without this variable\n')
    const kept = readFileSync(join(cwd, 'joust.yaml'), 'utf8').replace(', DESK_URL', '')
    writeFileSync(join(cwd, 'joust.yaml'), kept)
    const again = await joust(['init', '--yes'], { cwd, env: { PATH: process.env.PATH, DESK_URL: 'desk.example' } })
    expect(again.stdout).toContain('\nmine: add DESK_URL to pass_env in line 8 of joust.yaml: the agent does not ')
  })

  test('a missing login is explained by the empty home folder', async () => {
    const cwd = folder({ ...deaf, 'agent.py': `${agent}\nraise RuntimeError("Unable to locate credentials")\n` })
    const { stdout } = await joust(['init', '--yes'], { cwd })
    expect(stdout).toMatch(
      /\nmine: a command gets an empty home folder.*: add use_home: true below line 6 of joust\.yaml/,
    )
    const text = readFileSync(join(cwd, 'joust.yaml'), 'utf8')
    expect(text.split('\n')[5]).toContain('exec:')
    writeFileSync(join(cwd, 'joust.yaml'), text.replace(/ +exec:.*\n/, '$&    use_home: true\n'))
    const again = await joust(['init', '--yes'], { cwd })
    expect(again.stdout).toContain('\nmine: it raised an exception: change line 6 of agent.py\n')
  })

  test('without Python it prints an error', async () => {
    const cwd = folder(deaf)
    const { code, stdout } = await joust(['init', '--yes'], { cwd, env: { PATH: cwd } })
    expect([code, stdout]).toEqual([1, expect.stringContaining('agent.py is Python, and python3 is not on PATH')])
  })

  test('other agents are named', async () => {
    const cwd = folder({ ...deaf, 'other.py': 'from pydantic_ai import Agent\n\nhelper = Agent("some:model")\n' })
    expect((await joust(['init'], { cwd })).stdout).toContain('found other agents, not called: helper in other.py\n')
  })
})

describe('beside a joust.yaml', () => {
  test.each([
    ['attacks: [a]\ntargets: { desk: { model: sim/silent } }\n', 'Next: joust run                 attacks desk\n'],
    ['targets: { desk: { model: sim/silent } }\n', 'Next: joust run library         attacks desk\n'],
    [
      'trials: 2\n',
      `Next: add a target to joust.yaml, for example an agent in this folder:

targets:
  mine:
    module: ./joust.agent.mjs
`,
    ],
  ])('%j is kept, and says what comes next', async (text, next) => {
    const cwd = folder({ 'joust.yaml': text, 'package.json': AI })
    const { code, stdout } = await joust(['init'], { cwd })
    expect([code, stdout]).toEqual([0, `found packages: ai\nkept joust.yaml\n\n${next}`])
    expect(readdirSync(cwd).sort()).toEqual(['joust.yaml', 'package.json'])
    expect(readFileSync(join(cwd, 'joust.yaml'), 'utf8')).toBe(text)
  })

  const kept = (target: string) => `attacks: library\ntargets: { desk: { ${target} } }\n`

  test.each([
    ['module', 'module: ./mine.mjs'],
    ['exec', `exec: "node mine.mjs {prompt}"`],
    ['serve', 'serve: { command: node mine.mjs, timeout: 5s }, http: { url: "http://127.0.0.1:9/", answer: a }'],
  ])('a target with %s that cannot start is found before the run is announced', async (_, target) => {
    const files = { 'joust.yaml': kept(target), 'mine.mjs': `throw new Error('no settings')\n` }
    const { code, stdout, stderr } = await joust(['init', '--yes'], { cwd: folder(files) })
    expect(code).not.toBe(0)
    expect(stdout + stderr).toContain('no settings')
    expect(stdout).not.toContain('joust run ')
  })

  test('a target that was not started is announced as unchecked', async () => {
    const { stdout } = await joust(['init'], { cwd: folder({ 'joust.yaml': kept('module: ./mine.mjs') }) })
    expect(stdout).toMatch(/\nNext: joust init --yes .*\n +joust run +attacks desk\n$/)
    const cwd = folder({ 'joust.yaml': kept('http: { url: "http://127.0.0.1:9/", answer: a }') })
    expect((await joust(['init', '--yes'], { cwd })).stdout).toMatch(
      /\nNext: joust preflight +checks the other targets: desk\n +joust run +attacks desk\n$/,
    )
  })

  test.each([
    [{}, /attacks desk\n +set ANTHROPIC_API_KEY first, or add --with-model sim\/credulous, which needs no key\n$/],
    [{ ANTHROPIC_API_KEY: 'k' }, /attacks desk\n$/],
  ])('with the environment %j, a missing key is named', async (env, next) => {
    const cwd = folder({ 'joust.yaml': kept('model: anthropic/claude-sonnet-5') })
    expect((await joust(['init'], { cwd, env })).stdout).toMatch(next)
  })

  test('simulations are mentioned only if the file uses one', async () => {
    const cwd = folder({ 'joust.yaml': 'attacks: [a]\ntargets: { desk: { model: sim/silent } }\n' })
    expect((await joust(['init'], { cwd })).stdout).toMatch(/^found no agent\nkept joust.yaml\n/)
  })

  test('its errors are reported', async () => {
    const { code, stderr } = await joust(['init'], { cwd: folder({ 'joust.yaml': 'trails: 2\n' }) })
    expect([code, stderr]).toEqual([64, expect.stringContaining('Did you mean "trials"?')])
  })
})

test('the first attack tells agents apart', async () => {
  const cwd = folder()
  await joust(['init'], { cwd })
  expect((await joust(['lint', 'attacks'], { cwd })).code).toBe(0)
  expect((await joust(['prove', 'attacks'], { cwd })).code).toBe(0)
})

test.each([
  ['package.json', '{ "dependencies": { "ai": "^6" }, }', 'line 1: not JSON: expected a key in double quotes'],
  ['package.json', '[]', 'not an object'],
  ['package.json', '', 'line 1: not JSON: expected a value'],
  ['pyproject.toml', '[project]\ndependencies = ["pydantic-ai"\n', 'line 3: ] is missing'],
  ['pyproject.toml', '[project]\nname = "desk\n', 'line 2: a string is not closed'],
  ['pyproject.toml', '[project]\n{ "name": "desk" }\n', 'line 2: expected a table or a key with a value'],
  ['pyproject.toml', 'a = 1]\n', 'line 1: unexpected ]'],
])('a %s that cannot be read is reported: %j', async (name, text, fault) => {
  const { code, stdout, stderr } = await joust(['init'], { cwd: folder({ [name]: text }) })
  expect(stderr).toBe(`${name} cannot be read, so its packages are unknown: ${fault}\n`)
  expect(stdout).toContain('wrote joust.yaml')
  expect(code).toBe(0)
})

test('a pyproject.toml as people write them is not complained about', async () => {
  const text = `# Desk
[project]
name = "desk" # the name
description = '''of [several
lines'''
dependencies = [
  "pydantic-ai>=2; python_version > '3'", # with a comment ]
]
[tool."a.b"]
"quoted key" = { x = 1, y = [1, 2] }
[[tool.list]]
text = """a "quoted" \\" text
= ["""
select = ["E", 'F']
empty = ""
when = 2026-11-17T00:00:00Z
`
  const { stderr } = await joust(['init'], { cwd: folder({ 'pyproject.toml': text, 'package.json': '{}' }) })
  expect(stderr).toBe('')
})
