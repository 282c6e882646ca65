import type { TraceEntry } from '@joust/results'
import { expect, test } from 'vitest'
import { redacted } from '../../../results/test/support/redacted.ts'
import { attackOf, resultsOf, targetOf } from '../../../results/test/support/results.ts'
import { renderOtlp } from '../../src/index.ts'

test('pairs the responses to parallel calls with their tools', async () => {
  const entry = (seq: number, direction: 'request' | 'response', tool: string, content: object): TraceEntry => ({
    seq,
    at: new Date(seq * 1000).toISOString(),
    elapsed_ms: seq,
    actor: 'tools',
    mode: 'mcp_server',
    protocol: 'mcp',
    phase: 'only',
    direction,
    flow: direction === 'request' ? 'in' : 'out',
    surface: 'tools/call',
    content: content as TraceEntry['content'],
    ...(direction === 'response' && { about: tool }),
  })
  const entries = [
    entry(1, 'request', 'first', { name: 'first', arguments: {} }),
    entry(2, 'request', 'second', { name: 'second', arguments: {} }),
    entry(3, 'response', 'second', { text: 'of second' }),
    entry(4, 'response', 'first', { text: 'of first' }),
  ]
  async function* open() {
    for (const value of entries) yield { ok: true as const, value }
  }
  const results = redacted({ ...resultsOf([]), targets: [targetOf([attackOf('one', 'e')])] })
  const { resourceSpans } = JSON.parse(await renderOtlp(results, open))
  interface Span {
    readonly name: string
    readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[]
  }
  const spans: readonly Span[] = resourceSpans[0].scopeSpans[0].spans
  const texts = spans.map(({ name, attributes }) => [
    name,
    attributes.find(({ key }) => key === 'gen_ai.tool.call.result')?.value.stringValue,
  ])
  expect(texts).toEqual(
    expect.arrayContaining([
      ['execute_tool first', '{"text":"of first"}'],
      ['execute_tool second', '{"text":"of second"}'],
    ]),
  )
})
