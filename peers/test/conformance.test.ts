/** Runs the official conformance suite against `mcp_server` and `mcp_client`. No failures are expected. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runAttack } from '@joust/arena'
import { expect, onTestFinished, test } from 'vitest'
import { read, runNode } from './documents.ts'

/** The package of a suite. `conformance-next` is the alpha for MCP 2026-07-28. */
type Suite = 'conformance' | 'conformance-next'

interface Check {
  readonly id: string
  readonly status: string
  readonly errorMessage?: string
}

/**
 * The suite's output, and its checks by scenario. On failed checks, it exits with an error; they are compared below.
 */
interface Judgement {
  readonly output: string
  readonly checks: readonly Check[][]
}

async function judge(suite: Suite, args: readonly string[]): Promise<Judgement> {
  const folder = mkdtempSync(join(tmpdir(), 'joust-conformance-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const program = `node_modules/@modelcontextprotocol/${suite}/dist/index.js`
  const command = ['--import', './conformance-node20.mjs', program, ...args, '--output-dir', folder]
  const output = await runNode(command).catch(({ message }: Error) => message)
  const checks = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('checks.json'))
    .map((file): Check[] => JSON.parse(readFileSync(join(folder, file), 'utf8')))
  return { output, checks }
}

const count = (checks: readonly Check[], status: string) => checks.filter((check) => check.status === status).length

/** Returns failures, warnings and skipped checks, without the skipped checks of the alpha. */
const complaints = (checks: readonly Check[], suite: Suite = 'conformance') =>
  checks
    .filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO')
    .filter(({ status }) => suite === 'conformance' || status !== 'SKIPPED')
    .map(({ id, errorMessage }) => [id, errorMessage])

/** Runs a suite against a server, the honest one by default, with a version of MCP. */
async function judgeServer(suite: Suite, args: readonly string[], mcpVersion?: string, document = HONEST) {
  let judged: Judgement = { output: 'not run', checks: [] }
  const run = await runAttack(read(document), {
    ...(mcpVersion !== undefined && { mcpVersion }),
    target: {
      name: 'conformance',
      async start({ servers }) {
        const turn = async () => {
          judged = await judge(suite, ['server', ...args, '--url', servers[0]?.address ?? ''])
        }
        return { endpoints: {}, turn, stop: async () => {} }
      },
    },
  })
  return { ...judged, run }
}

const HONEST = '../../packages/arena/test/fixtures/honest-server.oatf.yaml'

// `all` is `active` and the pending scenarios.
test.each([
  { suite: 'active', scenarios: 30, successes: 39 },
  { suite: 'all', scenarios: 32, successes: 45 },
])('server: nothing to complain of in suite $suite, $scenarios scenarios', async (expected) => {
  const { suite, scenarios, successes } = expected
  const { output, checks, run } = await judgeServer('conformance', ['--suite', suite])
  expect(complaints(checks.flat())).toEqual([])
  expect(checks, output).toHaveLength(scenarios)
  expect(checks.map((scenario) => count(scenario, 'SUCCESS'))).not.toContain(0)
  expect(count(checks.flat(), 'SUCCESS')).toBe(successes)
  expect(output).toContain(`Total: ${successes} passed, 0 failed`)
  // The suite uses a foreign host name once per run, which is the only expected diagnostic.
  expect(run.diagnostics).toMatchObject([{ code: 'message-malformed', message: expect.stringContaining('403') }])
})

test.each([
  { version: '2025-11-25', successes: 82 },
  { version: '2026-07-28', successes: 152 },
])('server: nothing to complain of in the alpha for MCP $version', { timeout: 120_000 }, async (expected) => {
  const { version, successes } = expected
  const args = ['--suite', 'all', '--spec-version', version]
  const { output, checks } = await judgeServer('conformance-next', args, version)
  expect(complaints(checks.flat(), 'conformance-next')).toEqual([])
  expect(output).toContain(`Total: ${successes} passed, 0 failed`)
})

// `tasks-lifecycle` requires a crash, which a document cannot cause.
test.each([
  'tasks-capability-negotiation',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-dispatch-and-envelope',
])('server: %s of the extension for tasks', async (scenario) => {
  const args = ['--scenario', scenario, '--force', '--spec-version', '2026-07-28']
  const { checks } = await judgeServer('conformance-next', args, undefined, '../documents/tasks-server.oatf.yaml')
  expect(complaints(checks.flat(), 'conformance-next')).toEqual([])
  expect(count(checks.flat(), 'SUCCESS')).toBeGreaterThan(0)
})

/** Expects that all checks of a `mcp_client` scenario succeed. */
async function expectContent(scenario: string, successes: number): Promise<void> {
  const command = 'node play.mjs documents/honest-client.oatf.yaml'
  const { output, checks } = await judge('conformance', ['client', '--command', command, '--scenario', scenario])
  expect(complaints(checks.flat())).toEqual([])
  expect(count(checks.flat(), 'SUCCESS'), output).toBe(successes)
  expect(output).toContain('OVERALL: PASSED')
}

test.each([
  { scenario: 'initialize', successes: 1 },
  { scenario: 'tools_call', successes: 1 },
  { scenario: 'elicitation-sep1034-client-defaults', successes: 5 },
])('client: $scenario', ({ scenario, successes }) => expectContent(scenario, successes))

// The suite expects the next stream within 200 ms of the announced time, which a busy machine may miss.
test('client: sse-retry', { retry: 2 }, () => expectContent('sse-retry', 3))

test.each([
  'tools_call',
  'http-standard-headers',
  'http-custom-headers',
  'http-invalid-tool-headers',
  'sep-2322-client-request-state',
  'json-schema-ref-no-deref',
])('client: %s of MCP 2026-07-28', { timeout: 60_000 }, async (scenario) => {
  const command = 'node play.mjs documents/stateless-client.oatf.yaml'
  const args = ['client', '--command', command, '--scenario', scenario, '--spec-version', '2026-07-28']
  const { output, checks } = await judge('conformance-next', args)
  expect(complaints(checks.flat(), 'conformance-next')).toEqual([])
  expect(output).toContain('OVERALL: PASSED')
})
