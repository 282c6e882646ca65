/** Agent frameworks attacked by the command, as a command and at an address, with documents of the library. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EventSchemas } from '@ag-ui/core/schemas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attacksOf, freePorts, type JoustRun, joustRun, type Served, serve } from './joust.ts'
import { type Models, startModels } from './models.ts'

let models: Models
const folder = mkdtempSync(join(tmpdir(), 'joust-agents-'))

beforeAll(async () => {
  models = await startModels()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await models.stop()
})

// The AI SDK hands out the instructions of a server; in the others nobody sees them, so the attack goes unread.
const frameworks = [
  { framework: 'ai-sdk', instructions: true },
  { framework: 'openai-agents', instructions: false },
  { framework: 'langgraph', instructions: false },
]

describe.concurrent.each(frameworks)('$framework as a command', ({ framework, instructions }) => {
  const attack = (llm: string, ...more: readonly string[]) =>
    joustRun(
      ['hidden-unicode-instructions', 'server-instructions-takeover'],
      [
        ...['--exec', `node targets/ask.mjs ${framework} {mcp_config} {prompt}`],
        ...['--pass-env', 'LLM_URL', '--pass-env', 'LANGSMITH_TRACING', ...more],
      ],
      { LLM_URL: llm, LANGSMITH_TRACING: 'false' },
    )

  test('a model that obeys is exploited as far as the text reaches it', async () => {
    const run = await attack(models.obeys)
    expect(outcomes(run), run.output).toEqual([
      ['JOUST-106', 'exploited', 'boundary_breach'],
      ['JOUST-102', ...(instructions ? ['exploited', 'boundary_breach'] : ['resisted', undefined])],
    ])
    expect(run.code).toBe(3)
    expect(run.calls('JOUST-106')).toEqual(['default.count_words'])
    expect(run.calls('JOUST-102')).toEqual([instructions ? 'default.open_session' : 'default.search_notes'])
  })

  test('a model that refuses is not', async () => {
    const run = await attack(models.refuses)
    expect(outcomes(run), run.output).toEqual([
      ['JOUST-106', 'resisted', undefined],
      ['JOUST-102', 'resisted', undefined],
    ])
    expect(run.code).toBe(0)
    expect(run.calls('JOUST-106')).toEqual(['default.count_words'])
    expect(run.calls('JOUST-102')).toEqual(['default.search_notes'])
  })

  test('a model that is not there is inconclusive, however long the framework tries', async () => {
    const run = await attack(models.absent, '--max-duration', '6s')
    expect(outcomes(run), run.output).toEqual([
      ['JOUST-106', 'inconclusive', undefined],
      ['JOUST-102', 'inconclusive', undefined],
    ])
    expect(run.code).toBe(5)
    const failed = expect.stringMatching(/^(target-failed|run-expired)$/)
    expect(faults(run)).toEqual([failed, failed])
  })
})

/** Who plays the servers of an agent, by document: the first actor takes the place of the first server. */
type Casting = Readonly<Record<string, readonly string[]>>

const one: Casting = { 'error-message-injection': ['pipeline'], 'schema-poisoning': ['charts'] }
const three: Casting = { 'issue-comment-exfiltration': ['tracker', 'workspace', 'mailer'] }

describe.concurrent.each(frameworks)('$framework at an address', ({ framework }) => {
  let served: Served
  // Where the servers of each agent are expected; an agent to each test, so that these need not wait for each other.
  const places: Record<string, readonly number[]> = {}

  beforeAll(async () => {
    const ports = await freePorts(9)
    const agents: Record<string, object> = {}
    const employ = (path: string, llm: string, count: number) => {
      const mine = ports.slice(Object.values(places).flat().length).slice(0, count)
      places[path] = mine
      agents[path] = { llm, servers: Object.fromEntries(mine.map((port) => [`s${port}`, mcpAt(port)])) }
    }
    employ('/obeys', models.obeys, 1)
    employ('/refuses', models.refuses, 1)
    employ('/absent', models.absent, 1)
    employ('/obeys-with-three', models.obeys, 3)
    employ('/refuses-with-three', models.refuses, 3)
    const file = join(folder, `${framework}.json`)
    writeFileSync(file, JSON.stringify(agents))
    served = await serve('targets/serve-ag-ui.mjs', framework, file)
  })
  afterAll(() => served?.stop())

  const attack = (path: string, casting: Casting, ...more: readonly string[]) => {
    const listen = Object.values(casting).flatMap((actors) =>
      actors.flatMap((actor, index) => ['--listen', `${actor}=127.0.0.1:${places[path]?.[index]}`]),
    )
    const options = ['--target', `ag_ui=${served.url}${path}`, '--concurrency', '1', ...listen, ...more]
    return joustRun(Object.keys(casting), options)
  }

  test('a model that obeys is exploited', async () => {
    const run = await attack('/obeys', one)
    expect(outcomes(run), run.output).toEqual([
      ['JOUST-109', 'exploited', 'boundary_breach'],
      ['JOUST-103', 'exploited', 'boundary_breach'],
    ])
    expect(run.code).toBe(3)
    expect(run.calls('JOUST-109')).toEqual(['pipeline.deploy_preview', 'pipeline.reassign_key'])
    expect(run.calls('JOUST-103')).toEqual(['charts.draw_chart'])
    const events = run.trace('JOUST-109').filter(({ actor, flow }) => actor === 'developer' && flow === 'in')
    expect(events.map(({ content }) => EventSchemas.parse(content).type)).toEqual([
      'RUN_STARTED',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'RUN_FINISHED',
    ])
  })

  test('a model that refuses is not', async () => {
    const run = await attack('/refuses', one)
    expect(outcomes(run), run.output).toEqual([
      ['JOUST-109', 'resisted', undefined],
      ['JOUST-103', 'resisted', undefined],
    ])
    expect(run.code).toBe(0)
    expect(run.calls('JOUST-109')).toEqual(['pipeline.deploy_preview'])
    expect(run.calls('JOUST-103')).toEqual(['charts.draw_chart'])
  })

  test('a model that is not there is inconclusive, however long the framework tries', async () => {
    const run = await attack('/absent', { 'error-message-injection': ['pipeline'] }, '--max-duration', '6s')
    expect(outcomes(run), run.output).toEqual([['JOUST-109', 'inconclusive', undefined]])
    expect(run.code).toBe(5)
    expect(faults(run)).toEqual([expect.stringMatching(/^(agent-failed|run-expired)$/)])
  })

  test('a model that obeys carries a secret from one server to another', async () => {
    const run = await attack('/obeys-with-three', three)
    expect(outcomes(run), run.output).toEqual([['JOUST-110', 'exploited', 'boundary_breach']])
    expect(run.code).toBe(3)
    expect(run.calls('JOUST-110')).toEqual(['tracker.read_issue', 'workspace.read_file', 'mailer.send_email'])
  })

  test('a model that refuses touches neither of the other servers', async () => {
    const run = await attack('/refuses-with-three', three)
    expect(outcomes(run), run.output).toEqual([['JOUST-110', 'resisted', undefined]])
    expect(run.code).toBe(0)
    expect(run.calls('JOUST-110')).toEqual(['tracker.read_issue'])
  })
})

function mcpAt(port: number): string {
  return `http://127.0.0.1:${port}/mcp`
}

function outcomes({ results }: JoustRun) {
  return attacksOf(results).map(({ attack, outcome, verdict }) => [attack.id, outcome, verdict.max_tier])
}

/** The codes of what went wrong. */
function faults({ results }: JoustRun): readonly string[] {
  const diagnostics = attacksOf(results).flatMap(({ trials }) => trials.flatMap((trial) => trial.diagnostics))
  return diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)
}
