/** The cost of agent runs by the price table, and their spans at a collector over a real socket. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../../../io/test/loopback.ts'
import { agentText, GREET, greeter } from '../../agents.ts'
import { spawnJoust } from '../../spawned.ts'
import { folder, joust } from '../../world.ts'

const scripted = agentText().replace('sim/cautious', 'sim/scripted')
const turn = '- { text: done, usage: { input_tokens: 2000000, output_tokens: 100000 } }\n'

function priced(prices: string, ...argv: string[]) {
  const files = { 'a.agf.yaml': scripted, 'script.yaml': turn, 'joust.yaml': `bindings: { prices: ${prices} }\n` }
  const all = ['agent', 'run', 'a.agf.yaml', '-i', 'tea', '--script', 'script.yaml', ...argv]
  return joust(all, { cwd: folder(files) })
}

describe('cost', () => {
  test('is that of the input and output tokens', async () => {
    const { stdout } = await priced('{ sim/scripted: "1.25,10" }', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, cost_usd: 2 * 1.25 + 0.1 * 10 })
    expect((await priced('{ sim/scripted: "1.25,10" }')).stderr).toContain('joust: cost: $3.50\n')
  })

  test('is not printed for a model without a price', async () => {
    const { stdout, stderr } = await priced('{ sim/cautious: "1.25,10" }', '--json')
    expect(JSON.parse(stdout)).not.toHaveProperty('cost_usd')
    expect(stderr).not.toContain('cost')
  })

  test.each([
    ['"1.25"', '"1.25,10"'],
    ['"-1,2"', '"1.25,10"'],
    ['"free"', '"1.25,10"'],
    ['"1,2,3"', '"1.25,10"'],
    ['5', 'an integer (5)'],
    ['[1, 2]', 'a list'],
  ])('a price of %s is an error with its place', async (price, message) => {
    const { code, stdout, stderr } = await priced(`{ sim/scripted: ${price} }`)
    expect([code, stdout]).toEqual([64, ''])
    expect(stderr).toMatch(/joust\.yaml:1:\d+ {2}error \w+ .*price/)
    expect(stderr).toContain(message)
  })
})

type Pair = { readonly key: string; readonly value: unknown }
interface Request {
  readonly path: string | undefined
  readonly type: string | undefined
  readonly body: {
    readonly resourceSpans: readonly {
      readonly resource: { readonly attributes: readonly Pair[] }
      readonly scopeSpans: readonly {
        readonly spans: readonly {
          readonly name: string
          readonly traceId: string
          readonly attributes: readonly Pair[]
        }[]
      }[]
    }[]
  }
}

/** A collector on loopback. */
async function collector(): Promise<{ readonly url: string; readonly requests: Request[] }> {
  const requests: Request[] = []
  const server = createServer(async (request, response) => {
    requests.push({ path: request.url, type: request.headers['content-type'], body: JSON.parse(await textOf(request)) })
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  // A server on a port has this kind of address.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

describe('OpenTelemetry', () => {
  const argv = ['agent', 'run', 'a.agf.yaml', '-i', GREET, '--approve', 'all', '--quiet']

  test('the command sends the spans of a run to a collector', async () => {
    const { url, requests } = await collector()
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', url)
    vi.stubEnv('OTEL_SERVICE_NAME', 'desk')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await spawnJoust(argv, folder(greeter))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('hello Ann'),
    })
    expect(requests.map(({ path, type }) => [path, type])).toEqual([['/v1/traces', 'application/json']])
    const [{ resource, scopeSpans } = { resource: { attributes: [] }, scopeSpans: [] }] =
      requests[0]?.body.resourceSpans ?? []
    expect(resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'desk' } })
    const spans = scopeSpans.flatMap((scope) => scope.spans)
    expect(spans.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['invoke_agent helper', 'chat cautious', 'execute_tool greet']),
    )
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
    const attributes = (wanted: string) =>
      Object.fromEntries(
        (spans.find(({ name }) => name === wanted)?.attributes ?? []).map(({ key, value }) => [key, value]),
      )
    expect(attributes('chat cautious')).toMatchObject({
      'gen_ai.operation.name': { stringValue: 'chat' },
      'gen_ai.provider.name': { stringValue: 'sim' },
      'gen_ai.request.model': { stringValue: 'cautious' },
      'gen_ai.usage.input_tokens': { intValue: expect.stringMatching(/^\d+$/) },
    })
    expect(attributes('execute_tool greet')).toMatchObject({ 'gen_ai.tool.name': { stringValue: 'greet' } })
  })

  test('an unreachable collector is one warning, and the run is unaffected', async () => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://127.0.0.1:${await freePort()}`)
    onTestFinished(() => void vi.unstubAllEnvs())
    const { code, stdout, stderr } = await spawnJoust(argv, folder(greeter))
    expect([code, stdout]).toEqual([0, expect.stringContaining('hello Ann')])
    expect(stderr.match(/^joust: OpenTelemetry: .*\/v1\/traces did not accept the spans/gm)).toHaveLength(1)
    expect(stderr).toContain('ECONNREFUSED')
  })
})
