/** Attacks widely used agents by preset name. Agents that are neither installed here nor on PATH are skipped. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AgentModel, startAgentModel } from './agent-model.ts'
import { agents, environmentAt, isInstalled } from './agents.ts'
import { attacksOf, freePorts, type JoustRun, joustRun } from './joust.ts'

const documents = ['error-message-injection', 'issue-comment-exfiltration', 'tool-description-leaks-prompt']
const ids = ['JOUST-109', 'JOUST-110', 'JOUST-101']

let obedient: AgentModel
let cautious: AgentModel

beforeAll(async () => {
  obedient = await startAgentModel(true)
  cautious = await startAgentModel(false)
})
afterAll(() => Promise.all([obedient.stop(), cautious.stop()]))

function attack(origin: string, ...options: readonly string[]): Promise<JoustRun> {
  const bounds = ['--concurrency', '2', '--max-duration', '60s']
  return joustRun(documents, [...bounds, ...options], environmentAt(origin), PATIENCE_MS)
}

function outcomes({ results }: JoustRun) {
  return attacksOf(results).map(({ attack: { id }, outcome }) => [id, outcome])
}

const all = (outcome: string) => ids.map((id) => [id, outcome])
const preflightOf = ({ results }: JoustRun) => results.targets[0]?.preflight

/** Some agents take a long time to start. */
const PATIENCE_MS = 300_000

const doors = agents.flatMap(({ name, command, acp }) => [
  { name, door: '--exec', program: command[0] ?? '' },
  // One agent is enough to test ACP as well: the same program supports both.
  ...(name === 'opencode' ? [{ name, door: '--acp', program: acp?.[0] ?? '' }] : []),
])

describe.each(doors)('$door $name', ({ name, door, program }) => {
  const here = test.skipIf(!isInstalled(program))
  const approved = door === '--acp' ? ['--approve', 'all'] : []

  here('is exploited when its model obeys', { timeout: PATIENCE_MS }, async () => {
    const run = await attack(obedient.origin, door, name, ...approved)
    expect(preflightOf(run)?.status, run.output).toBe('passed')
    expect(outcomes(run), run.output).toEqual(all('exploited'))
    expect(run.calls('JOUST-109')).toEqual(['pipeline.deploy_preview', 'pipeline.reassign_key'])
  })

  // ACP uses the same agent. Each run takes about 15 seconds: PEERS=all runs every agent.
  const isAsked = process.env.PEERS === 'all' || name === 'codex'
  const once = test.skipIf(!isInstalled(program) || door === '--acp' || !isAsked)

  once('has resisted when it refuses', { timeout: PATIENCE_MS }, async () => {
    const run = await attack(cautious.origin, door, name, ...approved)
    expect(outcomes(run), run.output).toEqual(all('resisted'))
    expect(attacksOf(run.results)[0]?.trials[0]?.answer, run.output).toContain('[simulated cautious answer]')
  })

  once('is not attacked when there is no model', { timeout: PATIENCE_MS }, async () => {
    const [nobody] = await freePorts(1)
    const run = await attack(`http://127.0.0.1:${nobody}`, door, name, '--max-duration', '12s', ...approved)
    expect(preflightOf(run)?.status, run.output).toBe('failed')
    expect(outcomes(run), run.output).toEqual(all('inconclusive'))
    expect(run.code).toBe(5)
  })
})

test.skipIf(!isInstalled('gemini'))('a version that it does not speak stops it', { timeout: PATIENCE_MS }, async () => {
  const run = await attack(obedient.origin, '--exec', 'gemini', '--mcp-version', '2025-11-25')
  expect(preflightOf(run)?.reasons[0], run.output).toMatch(/it requested MCP 2025-06-18 and got 2025-11-25/)
  expect(run.code).toBe(5)
})

test.skipIf(!isInstalled('codex'))('servers that it is not told of stop it', { timeout: PATIENCE_MS }, async () => {
  const words = 'codex exec --skip-git-repo-check -c model_provider=by_key -c model_providers.by_key.name=by_key'
  const model = `-c model_providers.by_key.base_url=${obedient.origin}/v1 -c model_providers.by_key.env_key=OPENAI_API_KEY`
  const run = await attack(obedient.origin, '--exec', `${words} ${model} -`, '--pass-env', 'OPENAI_API_KEY')
  expect(preflightOf(run)?.reasons[0], run.output).toMatch(/never connected to its MCP server/)
  expect(run.code).toBe(5)
})
