/** Runs every example agent with the command. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { standardPolicyIds } from '@joust/agentformat'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { joust } from '../packages/cli/test/world.ts'
import { repositoryRoot } from '../scripts/repository.ts'

interface ExpectedRun {
  readonly name: string
  readonly input: unknown
  readonly arguments?: readonly string[]
  readonly agents: readonly string[]
  readonly calls: readonly string[]
  readonly warnings?: readonly string[]
  readonly output?: unknown
  readonly error?: string
}

interface Event {
  readonly type: string
  readonly agent: readonly string[]
  readonly name: string
  readonly code: string
}

const examples = join(repositoryRoot(), 'examples/agents')
const folders = readdirSync(examples, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
let work = ''

beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'joust-examples-'))
  // Their tools remember what they were asked, and other tests run them in this process, too.
  cpSync(examples, join(work, 'agents'), { recursive: true })
})
afterAll(() => rmSync(work, { recursive: true, force: true }))

test('there is one for each policy, one that combines them and one with all parts of a host', () => {
  const others = ['combined', 'enterprise']
  const policies = folders.filter((name) => !others.includes(name)).map((name) => `agf.${name}`)
  expect(policies).toEqual([...standardPolicyIds].sort())
  for (const policy of policies) expect(policiesIn(policy.slice('agf.'.length))).toContain(policy)
  expect(policiesIn('combined')).toEqual(policies)
})

describe.each(folders)('%s', (name) => {
  const folder = join(examples, name)
  const { runs }: { runs: readonly ExpectedRun[] } = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'))

  test('has neither errors nor warnings', async () => {
    expect(await run(name, ['check', 'agent.agf.yaml', '--strict'])).toMatchObject({ code: 0, stdout: '' })
  })

  test.each(runs)('$name', async (expected) => {
    const file = join(work, `${name}-${runs.indexOf(expected)}.jsonl`)
    const argv = ['--input', JSON.stringify(expected.input), '--json', '--events', file, ...(expected.arguments ?? [])]
    const { code, stdout } = await run(name, ['run', 'agent.agf.yaml', ...argv])
    const events = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line): Event => JSON.parse(line))
    const seen = events.filter(({ type, agent }) => type === 'agent-started' && agent.length > 0)
    expect(seen.map(({ agent }) => agent.join('/'))).toEqual(expected.agents)
    expect(of(events, 'tool-called').map((event) => event.name)).toEqual(expected.calls)
    expect(of(events, 'warning').map((event) => event.code)).toEqual(expected.warnings ?? [])
    const { ok, output, error } = JSON.parse(stdout)
    expect({ code, ok }).toEqual(expected.error === undefined ? { code: 0, ok: true } : { code: 1, ok: false })
    expect(output).toEqual(expected.output)
    expect(error?.code).toBe(expected.error)
  })
})

/** The policies of the agents below a folder, each once, in order. */
function policiesIn(name: string): string[] {
  const files = readdirSync(join(examples, name), { recursive: true, encoding: 'utf8' })
  const texts = files.filter((file) => file.endsWith('.agf.yaml')).map((file) => read(join(name, file)))
  return [...new Set(texts.flatMap((text) => /^ {2}id: (agf\.\w+)$/m.exec(text)?.[1] ?? []))].sort()
}

function read(file: string): string {
  return readFileSync(join(examples, file), 'utf8')
}

function of(events: readonly Event[], type: string): Event[] {
  return events.filter((event) => event.type === type)
}

function run(name: string, argv: readonly string[]) {
  return joust(['agent', ...argv], { cwd: join(work, 'agents', name), env: process.env })
}
