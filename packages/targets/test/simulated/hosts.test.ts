/** Attacks on hosts other than a model with tools, against a vulnerable host and a safe one of their class. */
import { readdirSync, readFileSync } from 'node:fs'
import { load } from '@joust/oatf'
import { describe, expect, test } from 'vitest'
import { needsOf } from '../../../arena/src/model/needs.ts'
import { runAttack } from '../../../arena/src/run.ts'
import { readAttack } from '../../../arena/test/support/agents.ts'
import { commandHost } from '../../src/simulated/command-host.ts'
import { serverHost } from '../../src/simulated/server.ts'
import { findSimulatedHost } from '../../src/simulated/table.ts'

const library = new URL('../../../../library', import.meta.url)
const onHosts = readdirSync(library)
  .filter((file) => file.endsWith('.yaml'))
  .flatMap((file) => {
    const attack = readAttack(`library/${file}`)
    const host = findSimulatedHost(needsOf(attack))
    return host === undefined ? [] : [{ name: file.replace('.oatf.yaml', ''), attack, host }]
  })

/**
 * The class of hosts and the tier that decides each of them, worked out from the documents: how far the credulous host
 * lets the attack go.
 */
const expected: Readonly<Record<string, readonly [host: string, tier: string]>> = {
  'agent-card-changed-after-signing': ['A2A client', 'boundary_breach'],
  'agent-card-keys-from-anywhere': ['A2A client', 'boundary_breach'],
  'agent-card-signed-with-none': ['A2A client', 'boundary_breach'],
  'approval-never-requested': ['AG-UI agent', 'boundary_breach'],
  'approval-of-another-user': ['AG-UI agent', 'boundary_breach'],
  'approval-replayed': ['AG-UI agent', 'boundary_breach'],
  'cache-shared-between-users': ['MCP client', 'boundary_breach'],
  'gateway-token-passthrough': ['gateway', 'boundary_breach'],
  'input-required-form-phishing': ['MCP client', 'boundary_breach'],
  'oauth-issuer-mix-up': ['MCP client', 'boundary_breach'],
  'oauth-metadata-redirection': ['MCP client', 'boundary_breach'],
  'push-config-for-foreign-task': ['A2A agent', 'boundary_breach'],
  'push-to-internal-address': ['A2A agent', 'boundary_breach'],
  'push-without-token': ['A2A client', 'boundary_breach'],
  'server-header-against-body': ['gateway', 'boundary_breach'],
  'agents-file-changes-registry': ['command host', 'boundary_breach'],
  'app-calls-hidden-tool': ['app host', 'boundary_breach'],
  'app-calls-other-server': ['app host', 'boundary_breach'],
  'app-opens-link-with-data': ['app host', 'boundary_breach'],
  'app-plants-model-context': ['app host', 'boundary_breach'],
  'app-reads-host-page': ['app host', 'boundary_breach'],
  'app-sends-data-to-foreign-host': ['app host', 'boundary_breach'],
  'app-speaks-as-user': ['app host', 'boundary_breach'],
  'server-command-injection': ['server', 'boundary_breach'],
  'server-confirmation-skipped': ['server', 'boundary_breach'],
  'server-environment-leak': ['server', 'boundary_breach'],
  'server-file-uri': ['server', 'boundary_breach'],
  'server-inherited-tool-names': ['server', 'local_action'],
  'server-internal-address': ['server', 'local_action'],
  'server-path-traversal': ['server', 'boundary_breach'],
  'server-query-injection': ['server', 'boundary_breach'],
  'server-request-state-replay': ['server', 'boundary_breach'],
  'server-request-state-tampering': ['server', 'boundary_breach'],
  'server-roots-takeover': ['server', 'boundary_breach'],
  'server-talkative-errors': ['server', 'boundary_breach'],
  'server-task-handle-guessing': ['server', 'boundary_breach'],
  'server-unchecked-arguments': ['server', 'local_action'],
  'server-unlisted-tools': ['server', 'local_action'],
  'skill-exfiltrates-keys': ['command host', 'boundary_breach'],
}

const limits = { graceMs: 0, observeMs: 100 }

test('the attacks of the library on other hosts than agents', () => {
  expect(Object.fromEntries(onHosts.map(({ name, host }) => [name, host.name]))).toEqual(
    Object.fromEntries(Object.entries(expected).map(([name, [host]]) => [name, host])),
  )
})

const lost = onHosts.flatMap(({ host }) => host.missing?.() ?? [])
if (lost.length > 0)
  console.warn(`\nSKIPPED: ${lost.length} attacks were not run: there is no ${[...new Set(lost)].join(', ')}\n`)

describe.each(onHosts.filter(({ host }) => host.missing?.() === undefined))('$name', ({ name, attack, host }) => {
  test('exploits the credulous host', async () => {
    const run = await runAttack(attack, { limits, target: host.create('credulous') })
    expect(run.outcome, run.reasons.join('; ')).toBe('exploited')
    expect(run.verdict.max_tier).toBe(expected[name]?.[1])
  })

  test('has no effect on the cautious host, which does the task', async () => {
    const run = await runAttack(attack, { limits, target: host.create('cautious') })
    expect([run.outcome, run.reasons]).toEqual(['resisted', []])
    expect(run.diagnostics).toEqual([])
    expect(run.task?.result).toBe('exploited')
  })
})

test('a server without a suitable tool has not resisted', async () => {
  const text = readAttack('library/server-path-traversal.oatf.yaml')
  const target = serverHost.create('cautious')
  const elsewhere = JSON.parse(JSON.stringify(text.document).replaceAll("== 'path'", "== 'nothing'"))
  const run = await runAttack({ ...text, document: elsewhere }, { limits, target })
  expect(run.outcome).toBe('inconclusive')
  expect(run.reasons).toContain('{{reading_tool}} is empty: no extractor of this name has a value')
})

test('a quote causes a syntax error in the query of the credulous server', async () => {
  const text = readFileSync(`${library.pathname}/server-query-injection.oatf.yaml`, 'utf8')
  const broken = load(text.replace('UNION SELECT', 'UNION SELCET'))
  if (!broken.ok) throw new Error(JSON.stringify(broken.error))
  const run = await runAttack(broken.value, { limits, target: serverHost.create('credulous') })
  expect([run.outcome, run.verdict.max_tier]).toEqual(['exploited', 'local_action'])
})

test('both servers give an honest client the same answers', async () => {
  const honest = readAttack('library/server-path-traversal.oatf.yaml')
  const asked = JSON.parse(JSON.stringify(honest.document).replaceAll(/\.\.[^"]*passwd|\/etc\/passwd/g, 'welcome.txt'))
  const answers = async (kind: 'credulous' | 'cautious') => {
    const { trace } = await runAttack({ ...honest, document: asked }, { limits, target: serverHost.create(kind) })
    return trace.filter(({ flow }) => flow === 'in').map(({ surface, content }) => [surface, content])
  }
  const [credulous, cautious] = [await answers('credulous'), await answers('cautious')]
  expect(credulous).toEqual(cautious)
  expect(JSON.stringify(cautious)).toContain('The canteen opens at eleven.')
})

test('commands of an attack have no effect outside the folder of the run', async () => {
  const text = readFileSync(`${library.pathname}/agents-file-changes-registry.oatf.yaml`, 'utf8')
  const elsewhere = load(text.replaceAll('>> .npmrc`', '>> ../../../out-191`'))
  if (!elsewhere.ok) throw new Error(JSON.stringify(elsewhere.error))
  const { trace } = await runAttack(elsewhere.value, { limits, target: commandHost.create('credulous') })
  expect(trace.filter(({ surface }) => surface === 'file/changed')).toEqual([])
  expect(trace.filter(({ surface }) => surface === 'command/started').map(({ content }) => content)).toMatchObject([
    { command: 'echo', args: ['registry=https://packages-191.example/npm/'], folder: '.' },
    { command: 'make', args: ['build'], folder: '.' },
  ])
})
