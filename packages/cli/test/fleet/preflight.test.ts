/** One worker runs the preflight of a target and measures its judge, before its runs. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Results } from '@joust/results'
import { expect, test } from 'vitest'
import { withPostgres } from '../../../fleet/test/server.ts'
import { listenForTest } from '../../../io/test/loopback.ts'
import { PROMPT, SERVER } from '../run/documents.ts'
import { folder } from '../world.ts'
import { campaignAt } from './campaign.ts'

const TIMEOUT = 180_000
const PATH = { PATH: process.env.PATH }
const agent = fileURLToPath(new URL('../../../targets/test/fixtures/preflight-agent.mjs', import.meta.url))
const able = `${process.execPath} ${agent} {mcp_config}`
const BOUNDS = ['--prompt', PROMPT, '--grace', '0', '--observe', '0']

const SEMANTIC = `${SERVER}    - id: TEST-001-02
      surface: tools/call
      direction: request
      target: arguments.town
      semantic: { intent: names a town, examples: { positive: [Oslo, Bergen], negative: [a hammer] } }
`

withPostgres('before the runs of a target', (server) => {
  const campaign = (name: string, text = SERVER) => {
    const cwd = folder({ 'a.oatf.yaml': text })
    const own = campaignAt(server().database(name), cwd)
    const exported = async (): Promise<Results> => {
      await own.look('results', '--out', 'out')
      return JSON.parse(readFileSync(join(cwd, 'out/results.json'), 'utf8'))
    }
    return { ...own, exported, submit: (...words: string[]) => own.submit(['a.oatf.yaml', ...BOUNDS, ...words]) }
  }

  test(
    'a preflight that fails ends them with its reason, in status, results and what is exported',
    async () => {
      const { submit, work, status, exported } = campaign('deaf')
      expect(await submit('--exec', `${able} deaf`, '--trials', '3')).toMatchObject({ code: 0 })
      const { stderr } = await work(['--allow-exec'], PATH)
      expect(stderr).toContain('preflight: failed: the agent never connected')
      expect(stderr).toContain('0 results recorded')
      expect(await status()).toMatch(/3\/3 · 3 inconclusive[\s\S]*deaf, preflight: failed: the agent never connected/)
      const { stopped, targets } = await exported()
      expect(stopped).toEqual({ reason: 'preflight', message: expect.stringContaining('the agent never connected') })
      expect(targets[0]).toMatchObject({ preflight: { status: 'failed' }, attacks: [{ outcome: 'inconclusive' }] })
    },
    TIMEOUT,
  )

  test(
    'one that passes is made once, and the version of MCP that it found holds for all',
    async () => {
      const { submit, work, exported } = campaign('old')
      expect(await submit('--exec', `${able} old`, '--trials', '2')).toMatchObject({ code: 0 })
      const { stderr } = await work(['--allow-exec'], PATH)
      expect(stderr.match(/preflight: passed.*with MCP 2025-06-18 as requested by the agent/g)).toHaveLength(1)
      expect(stderr).toContain('2 results recorded')
      const { stopped, targets } = await exported()
      expect(stopped).toBeUndefined()
      expect(targets[0]).toMatchObject({ mcp_version: '2025-06-18', preflight: { status: 'passed' } })
    },
    TIMEOUT,
  )

  test(
    '--no-preflight is told in what is exported',
    async () => {
      const { submit, work, exported } = campaign('skipped')
      expect(await submit('--exec', `${able} deaf`, '--no-preflight')).toMatchObject({ code: 0 })
      expect((await work(['--allow-exec'], PATH)).stderr).toContain('1 result recorded')
      const [target] = (await exported()).targets
      expect(target?.preflight).toMatchObject({
        status: 'skipped',
        reasons: [expect.stringContaining('--no-preflight')],
      })
    },
    TIMEOUT,
  )

  test(
    'a judge travels by its name; who lacks its address says so and leaves the runs to others',
    async () => {
      const judge = await provider()
      const { submit, work, status, exported } = campaign('judge', SEMANTIC)
      const given = ['--model', 'sim/credulous', '--judge', 'openai-compatible/judge', '--budget-calls', '100']
      expect(await submit(...given)).toMatchObject({ code: 0 })
      const poor = await work()
      expect(poor.stderr).toMatch(
        /this worker cannot attack model sim\/credulous: --judge openai-compatible\/judge: .*OPENAI_COMPATIBLE_BASE_URL/,
      )
      expect(poor.stderr).toContain('0 results recorded')
      const { stderr } = await work([], judge.env)
      expect(stderr).toContain('TEST-001-02: 3 of 3 examples classified as in the document')
      expect(stderr).toContain('1 result recorded')
      const [target] = (await exported()).targets
      expect(target?.judge).toMatchObject({ model: 'openai-compatible/judge' })
      const [attack] = target?.attacks ?? []
      expect(attack?.attack.indicators[1]?.agreement).toEqual({ right: 3, of: 3 })
      expect(attack?.trials[0]?.verdict.indicator_verdicts.map(({ result }) => result)).toEqual(['matched', 'matched'])
      // The judge's calls count against the budget, in addition to those of the target's model.
      const { calls = 0, input_tokens = 0, output_tokens = 0 } = attack?.trials[0]?.usage ?? {}
      expect(judge.asked()).toBeGreaterThanOrEqual(3)
      const tokens = input_tokens + output_tokens + 6 * judge.asked()
      expect(await status()).toContain(`models   ${calls + judge.asked()} calls, ${tokens} tokens`)
    },
    TIMEOUT,
  )
})

/** A model that finds a town in everything but hammers. */
async function provider() {
  let asked = 0
  const http = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      asked += 1
      const [, observed = ''] = /BEGIN OBSERVED \S+\\n(.*?)\\n/.exec(body) ?? []
      const message = { role: 'assistant', content: JSON.stringify({ score: observed.includes('hammer') ? 0.1 : 0.9 }) }
      const usage = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 }
      const choices = [{ index: 0, message, finish_reason: 'stop' }]
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ id: 'x', created: 1, model: 'm', choices, usage }))
    })
  })
  const origin = await listenForTest(http)
  return { asked: () => asked, env: { OPENAI_COMPATIBLE_BASE_URL: `${origin}/v1` } }
}
