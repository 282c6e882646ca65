import { expect, test } from 'vitest'
import { createSpanExporter } from '../../src/events/otlp.ts'
import { react, scripts } from '../support/react.ts'
import { run } from '../support/run.ts'

interface Sent {
  readonly url: string
  readonly headers: Headers
  readonly body: {
    readonly resourceSpans: readonly [
      {
        readonly resource: { readonly attributes: readonly { readonly key: string; readonly value: unknown }[] }
        readonly scopeSpans: readonly [{ readonly spans: readonly Readonly<Record<string, unknown>>[] }]
      },
    ]
  }
}

async function exported(env: Record<string, string>, status = 200) {
  const sent: Sent[] = []
  const faults: string[] = []
  const exporter = createSpanExporter({
    env,
    onFault: (message) => void faults.push(message),
    fetch: async (url, init) => {
      sent.push({ url: String(url), headers: new Headers(init?.headers), body: JSON.parse(String(init?.body)) })
      return new Response(null, { status })
    },
  })
  const usage = { input_tokens: 3, output_tokens: 1 }
  const models = scripts({
    m: [
      { tool_calls: [{ name: 'look' }], usage },
      { text: 'done', usage },
    ],
  })
  const agent = react('m', { action_space: { local_tools: [{ alias: 'look' }] } })
  await run(agent, 'go', { models, tools: { look: { call: () => 1 } }, ...(exporter && { onEvent: exporter.onEvent }) })
  await exporter?.close()
  return { sent, faults, exporter }
}

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318/' }

test('a run becomes one trace, by the conventions for generative AI', async () => {
  const { sent, faults } = await exported({
    ...ENDPOINT,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b,x-team=red',
    OTEL_SERVICE_NAME: 'desk',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
  })
  expect(faults).toEqual([])
  expect(sent.map(({ url }) => url)).toEqual(['http://collector.example:4318/v1/traces'])
  expect([sent[0]?.headers.get('x-key'), sent[0]?.headers.get('x-team')]).toEqual(['a b', 'red'])
  const [{ resource, scopeSpans } = { resource: undefined, scopeSpans: undefined }] = sent[0]?.body.resourceSpans ?? []
  expect(resource?.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'desk' } })
  const spans = scopeSpans?.[0].spans ?? []
  expect(spans.map(({ name }) => name)).toEqual([
    'chat scripted',
    'execute_tool look',
    'chat scripted',
    'invoke_agent m',
    'run m',
  ])
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
  const [, , chat, agent, root] = spans
  expect(chat).toMatchObject({
    parentSpanId: agent?.spanId,
    kind: 3,
    startTimeUnixNano: expect.stringMatching(/^\d+$/),
  })
  expect(agent).toMatchObject({ parentSpanId: root?.spanId, kind: 1 })
  expect(chat?.attributes).toEqual(
    expect.arrayContaining([
      { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
      { key: 'gen_ai.provider.name', value: { stringValue: 'sim' } },
      { key: 'gen_ai.request.model', value: { stringValue: 'scripted' } },
      { key: 'gen_ai.usage.input_tokens', value: { intValue: '3' } },
      { key: 'gen_ai.response.finish_reasons', value: { arrayValue: { values: [{ stringValue: 'stop' }] } } },
    ]),
  )
})

test.each([[{}], [{ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }], [{ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }]])(
  '%j exports nothing',
  async (env) => {
    expect((await exported(env)).exporter).toBeUndefined()
  },
)

test('the address of traces is used as it is', async () => {
  const { sent } = await exported({ ...ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://other.example/spans' })
  expect(sent[0]?.url).toBe('http://other.example/spans')
})

test('the exporter by name sends to the default collector', async () => {
  const { sent } = await exported({ OTEL_TRACES_EXPORTER: 'otlp' })
  expect(sent[0]?.url).toBe('http://localhost:4318/v1/traces')
})

test('a collector that fails is reported once and does not disturb the run', async () => {
  const { faults } = await exported(ENDPOINT, 500)
  expect(faults).toEqual([
    'OpenTelemetry: http://collector.example:4318/v1/traces did not accept the spans: status 500',
  ])
})
