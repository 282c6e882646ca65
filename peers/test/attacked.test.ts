/** Attacks agent frameworks with documents from the library, as a command and at a URL. */
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

// The AI SDK passes on server instructions. The other frameworks drop them, so that the attack does not apply.
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
        ...['--model-env', 'LLM_URL', '--model-upstream', llm, '--pass-env', 'LANGSMITH_TRACING', ...more],
      ],
      { LANGSMITH_TRACING: 'false' },
    )

  test('a model that obeys is exploited as far as the text reaches it', async () => {
    const run = await attack(models.obeys)
    expect(outcomes(run), run.output).toEqual([
      ['JOUST-106', 'exploited', 'boundary_breach'],
      ['JOUST-102', ...(instructions ? ['exploited', 'boundary_breach'] : ['not_applicable', undefined])],
    ])
    expect(run.code).toBe(3)
    expect(run.calls('JOUST-106')).toEqual(['default.count_words'])
    expect(run.calls('JOUST-102')).toEqual([instructions ? 'default.open_session' : 'default.search_notes'])
  })

  test('a model that refuses is not', async () => {
    const run = await attack(models.refuses)
    expect(outcomes(run), run.output).toEqual([
      ['JOUST-106', 'resisted', undefined],
      ['JOUST-102', instructions ? 'resisted' : 'not_applicable', undefined],
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
    expect(run.results.targets[0]?.preflight?.status).toBe('failed')
    expect(run.results.stopped?.reason).toBe('preflight')
  })
})

/**
 * Two documents with one server actor, and one with three. A slot without an actor is an empty server for the agent.
 */
const documents = ['error-message-injection', 'schema-poisoning', 'issue-comment-exfiltration']

describe.concurrent.each(frameworks)('$framework at an address, with its servers behind a gateway', ({ framework }) => {
  let served: Served
  // Each test has its own agent and gateway, so that tests can run concurrently.
  const gateways: Record<string, string> = {}
  const proxies: Record<string, string> = {}

  beforeAll(async () => {
    const ports = await freePorts(6)
    const agents: Record<string, object> = {}
    for (const [index, name] of (['obeys', 'refuses', 'absent'] as const).entries()) {
      const place = `127.0.0.1:${ports[index]}`
      gateways[name] = place
      const servers = [1, 2, 3].map((slot) => [`server-${slot}`, `http://${place}/mcp/${slot}`])
      const proxy = `127.0.0.1:${ports[index + 3]}`
      proxies[name] = proxy
      const { pathname } = new URL(models[name])
      agents[`/${name}`] = { llm: `http://${proxy}${pathname}`, servers: Object.fromEntries(servers) }
    }
    const file = join(folder, `${framework}.json`)
    writeFileSync(file, JSON.stringify(agents))
    served = await serve('targets/serve-ag-ui.mjs', framework, file)
  })
  afterAll(() => served?.stop())

  const attack = (name: 'obeys' | 'refuses' | 'absent', ...more: readonly string[]) =>
    joustRun(documents, [
      ...['--target', `ag_ui=${served.url}/${name}`, '--gateway', gateways[name] ?? ''],
      ...['--model-listen', proxies[name] ?? '', '--model-upstream', models[name], ...more],
    ])

  test('a model that obeys is exploited, and carries a secret from one server to another', async () => {
    const run = await attack('obeys')
    expect(outcomes(run), run.output).toEqual([
      ['JOUST-109', 'exploited', 'boundary_breach'],
      ['JOUST-110', 'exploited', 'boundary_breach'],
      ['JOUST-103', 'exploited', 'boundary_breach'],
    ])
    expect(run.code).toBe(3)
    expect(run.calls('JOUST-109')).toEqual(['pipeline.deploy_preview', 'pipeline.reassign_key'])
    expect(run.calls('JOUST-103')).toEqual(['charts.draw_chart'])
    expect(run.calls('JOUST-110')).toEqual(['tracker.read_issue', 'workspace.read_file', 'mailer.send_email'])
    const heard = run.trace('JOUST-109').filter(({ actor, flow }) => actor === 'developer' && flow === 'in')
    const events = heard.filter(({ derived }) => derived !== true)
    expect(events.map(({ content }) => EventSchemas.parse(content).type)).toEqual([
      'RUN_STARTED',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'RUN_FINISHED',
    ])
    const [trial] = attacksOf(run.results)[0]?.trials ?? []
    expect(trial?.answer).toBe('Done; I did nothing else.')
  })

  test('a model that refuses is not', async () => {
    const run = await attack('refuses')
    expect(outcomes(run), run.output).toEqual([
      ['JOUST-109', 'resisted', undefined],
      ['JOUST-110', 'resisted', undefined],
      ['JOUST-103', 'resisted', undefined],
    ])
    expect(run.code).toBe(0)
    expect(run.calls('JOUST-109')).toEqual(['pipeline.deploy_preview'])
    expect(run.calls('JOUST-103')).toEqual(['charts.draw_chart'])
    expect(run.calls('JOUST-110')).toEqual(['tracker.read_issue'])
  })

  test('a model that is not there is inconclusive, however long the framework tries', async () => {
    const run = await attack('absent', '--max-duration', '4s')
    expect(outcomes(run).map(([, outcome]) => outcome)).toEqual(['inconclusive', 'inconclusive', 'inconclusive'])
    expect(run.code).toBe(5)
    expect(run.results.targets[0]?.preflight?.status).toBe('failed')
  })
})

function outcomes({ results }: JoustRun) {
  return attacksOf(results).map(({ attack, outcome, tier }) => [attack.id, outcome, tier])
}
