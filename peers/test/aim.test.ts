/**
 * Tests `joust aim` on published servers with a real agent, and its inventory on the tools of AgentDojo, which requires
 * `pip install agentdojo==0.1.35` in `.venv`.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { classifySession, type SessionTool } from '@joust/authoring'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAgentModel } from './agent-model.ts'
import { environmentAt, isInstalled } from './agents.ts'
import { peers } from './documents.ts'
import { attacksOf, joust, joustRun } from './joust.ts'

describe('published servers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'joust-aim-'))
  const published = (name: string, ...args: readonly string[]) => ({
    command: process.execPath,
    args: [join(peers, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
    env: { MEMORY_FILE_PATH: join(folder, 'memory.json') },
  })
  let documents: readonly string[] = []

  beforeAll(async () => {
    const mcpServers = {
      files: published('filesystem', folder),
      memory: published('memory'),
      everything: published('everything', 'stdio'),
    }
    writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers }))
    const techniques = ['poisoned-result', 'tool-description', 'error-text']
    const argv = ['aim', '--mcp-config', 'mcp.json', '--max', '3', '--technique', ...techniques]
    const { code, output } = await joust(argv, {}, 60_000, folder)
    expect(code, output).toBe(0)
    const out = join(folder, 'attacks/aimed')
    documents = readdirSync(out).map((name) => join(out, name))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('become proven documents that mirror them', () => {
    const texts = documents.map((file) => readFileSync(file, 'utf8')).join('\n')
    expect(documents).toHaveLength(3)
    for (const server of ['files', 'memory', 'everything']) expect(texts).toContain(`- name: ${server}\n`)
  })

  const here = test.skipIf(!isInstalled('codex'))
  here.each([
    { obeys: true, outcome: 'exploited' },
    { obeys: false, outcome: 'resisted' },
  ])(
    'Codex: $outcome, if its model obeys: $obeys',
    async ({ obeys, outcome }) => {
      const names = documents.flatMap((file) => readFileSync(file, 'utf8').match(/\b[a-z]+(?:-[a-z]+)+$/gm) ?? [])
      const model = await startAgentModel(obeys, names)
      try {
        const options = ['--exec', 'codex', '--concurrency', '2', '--max-duration', '60s']
        const run = await joustRun(documents, options, environmentAt(model.origin), 120_000)
        expect(
          attacksOf(run.results).map((attack) => attack.outcome),
          run.output,
        ).toEqual([outcome, outcome, outcome])
      } finally {
        await model.stop()
      }
    },
    120_000,
  )
})

interface Suite {
  readonly server: string
  readonly tools: readonly SessionTool[]
  /** Tools with an effect that injections call. */
  readonly abused: readonly string[]
  /** Tools whose results contain injections in a user task. */
  readonly entries: readonly string[]
}

const library = join(peers, '.venv/lib')
const hasDojo =
  existsSync(library) && readdirSync(library).some((name) => existsSync(join(library, name, 'site-packages/agentdojo')))

describe.skipIf(!hasDojo)('AgentDojo', () => {
  test('every tool that injections abuse is a sink, every tool through which they enter a source', () => {
    const output = execFileSync(join(peers, '.venv/bin/python'), ['servers/dojo-tools.py'], {
      cwd: peers,
      encoding: 'utf8',
    })
    const suites: readonly Suite[] = JSON.parse(output)
    expect(suites.map(({ server }) => server)).toEqual(['workspace', 'travel', 'banking', 'slack'])
    for (const { server, tools, abused, entries } of suites) {
      const labelled = classifySession({ joust_session: 1, servers: [{ name: server, protocol: 'mcp', tools }] })
      const having = (label: string) =>
        labelled.filter(({ labels }) => labels.some((one) => one.label === label)).map(({ tool }) => tool)
      expect(having('sink'), server).toEqual(expect.arrayContaining([...abused]))
      expect(having('source'), server).toEqual(expect.arrayContaining([...entries]))
      expect(abused.length * entries.length, server).toBeGreaterThan(0)
    }
  }, 120_000)
})
