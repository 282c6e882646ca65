/** Attacks on MCP servers, against a vulnerable server and a safe one. */
import { readdirSync, readFileSync } from 'node:fs'
import { load } from '@joust/oatf'
import { describe, expect, test } from 'vitest'
import { lackingOfServed, needsOf } from '../../arena/src/model/needs.ts'
import { runAttack } from '../../arena/src/run.ts'
import { readAttack } from '../../arena/test/support/agents.ts'
import { simulatedServer } from '../src/simulated-server.ts'

const library = new URL('../../../library', import.meta.url)
const onServers = readdirSync(library)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => `library/${file}`)
  .filter((file) => lackingOfServed(needsOf(readAttack(file)), 'assistant').length > 0)

/**
 * The tier that decides each of them, worked out from the documents: how far the credulous server lets the client go.
 */
const tiers: Readonly<Record<string, string>> = {
  'server-command-injection': 'boundary_breach',
  'server-confirmation-skipped': 'boundary_breach',
  'server-environment-leak': 'boundary_breach',
  'server-file-uri': 'boundary_breach',
  'server-inherited-tool-names': 'local_action',
  'server-internal-address': 'local_action',
  'server-path-traversal': 'boundary_breach',
  'server-query-injection': 'boundary_breach',
  'server-request-state-replay': 'boundary_breach',
  'server-request-state-tampering': 'boundary_breach',
  'server-roots-takeover': 'boundary_breach',
  'server-talkative-errors': 'boundary_breach',
  'server-task-handle-guessing': 'boundary_breach',
  'server-unchecked-arguments': 'local_action',
  'server-unlisted-tools': 'local_action',
}

const nameOf = (file: string) => file.replace('library/', '').replace('.oatf.yaml', '')
const limits = { graceMs: 0 }

test('the attacks on servers of the library', () => {
  expect(onServers.map(nameOf)).toEqual(Object.keys(tiers))
})

describe.each(onServers)('%s', (file) => {
  const attack = readAttack(file)

  test('exploits the credulous server', async () => {
    const run = await runAttack(attack, { limits, target: simulatedServer('credulous') })
    expect(run.outcome, run.reasons.join('; ')).toBe('exploited')
    expect(run.verdict.max_tier).toBe(tiers[nameOf(file)])
  })

  test('is refused by the cautious server', async () => {
    const run = await runAttack(attack, { limits, target: simulatedServer('cautious') })
    expect([run.outcome, run.reasons]).toEqual(['resisted', []])
    expect(run.diagnostics).toEqual([])
  })
})

test('a server without a suitable tool has not resisted', async () => {
  const text = readAttack('library/server-path-traversal.oatf.yaml')
  const target = simulatedServer('cautious')
  const elsewhere = JSON.parse(JSON.stringify(text.document).replaceAll("== 'path'", "== 'nothing'"))
  const run = await runAttack({ ...text, document: elsewhere }, { limits, target })
  expect(run.outcome).toBe('inconclusive')
  expect(run.reasons).toContain('{{reading_tool}} is empty: no extractor of this name has a value')
})

test('a quote causes a syntax error in the query of the credulous server', async () => {
  const text = readFileSync(`${library.pathname}/server-query-injection.oatf.yaml`, 'utf8')
  const broken = load(text.replace('UNION SELECT', 'UNION SELCET'))
  if (!broken.ok) throw new Error(JSON.stringify(broken.error))
  const run = await runAttack(broken.value, { limits, target: simulatedServer('credulous') })
  expect([run.outcome, run.verdict.max_tier]).toEqual(['exploited', 'local_action'])
})

test('both servers give an honest client the same answers', async () => {
  const honest = readAttack('library/server-path-traversal.oatf.yaml')
  const asked = JSON.parse(JSON.stringify(honest.document).replaceAll(/\.\.[^"]*passwd|\/etc\/passwd/g, 'welcome.txt'))
  const answers = async (kind: 'credulous' | 'cautious') => {
    const { trace } = await runAttack({ ...honest, document: asked }, { limits, target: simulatedServer(kind) })
    return trace.filter(({ flow }) => flow === 'in').map(({ surface, content }) => [surface, content])
  }
  const [credulous, cautious] = [await answers('credulous'), await answers('cautious')]
  expect(credulous).toEqual(cautious)
  expect(JSON.stringify(cautious)).toContain('The canteen opens at eleven.')
})
