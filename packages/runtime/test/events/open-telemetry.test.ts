import { own, type Value } from '@joust/source'
import * as api from '@opentelemetry/api'
import { describe, expect, it } from 'vitest'
import { spanListener, tracerApi } from '../../src/events/open-telemetry.ts'
import type { EventListener } from '../../src/model/events.ts'
import { createRuntime } from '../../src/runtime.ts'
import { leaf, leafPolicy, makeAgent } from '../support/agents.ts'
import { react, scripts } from '../support/react.ts'
import { run } from '../support/run.ts'

interface Recorded {
  readonly name: string
  readonly parent: string | undefined
  readonly attributes: Record<string, unknown>
  status?: string
  ended: boolean
}

/** A tracer that records its calls. */
function recorder(): { listener: EventListener; spans: Recorded[] } {
  const spans: Recorded[] = []
  const names = new Map<unknown, string>()
  const tracer = {
    startSpan(name: string, { attributes = {} }: { attributes?: object }, context: api.Context) {
      const record: Recorded = {
        name,
        parent: names.get(api.trace.getSpan(context)),
        attributes: { ...attributes },
        ended: false,
      }
      spans.push(record)
      const span = {
        setAttributes: (more: object) => Object.assign(record.attributes, more),
        setStatus: ({ message }: { message: string }) => {
          record.status = message
        },
        end: () => {
          record.ended = true
        },
      }
      names.set(span, name)
      return span
    },
  }
  const trace = Object.create(api.trace, { getTracer: { value: () => tracer } })
  return { listener: spanListener(tracerApi({ ...api, trace } as never)), spans }
}

describe('spans', () => {
  it('nest as agents, models and tools do', async () => {
    const { listener, spans } = recorder()
    const agent = makeAgent({
      id: 'root',
      policy: { id: 'agf.sequential', config: { steps: [{ agent: 'a' }] } },
      agents: { a: react('m', { action_space: { local_tools: [{ alias: 'look' }] } }) },
    })
    const usage = { input_tokens: 3, output_tokens: 1 }
    const models = scripts({
      m: [
        { tool_calls: [{ name: 'look' }], usage },
        { text: 'done', usage },
      ],
    })
    await run(agent, 'go', { models, tools: { look: { call: () => 1 } }, onEvent: listener })
    expect(spans.map(({ name, parent }) => [name, parent])).toEqual([
      ['run root', undefined],
      ['invoke_agent root', 'run root'],
      ['invoke_agent m', 'invoke_agent root'],
      ['chat scripted', 'invoke_agent m'],
      ['execute_tool look', 'invoke_agent m'],
      ['chat scripted', 'invoke_agent m'],
    ])
    expect(spans.every(({ ended }) => ended)).toBe(true)
    expect(spans[0]?.attributes).toMatchObject({ 'gen_ai.usage.input_tokens': 6, 'gen_ai.usage.output_tokens': 2 })
  })

  it('belong to their own execution in a batch', async () => {
    const { listener, spans } = recorder()
    const item = { type: 'object', properties: { n: { type: 'number' } } } as const
    const work = async ({ input }: { readonly input: Value }) => {
      if (own(input, 'n') === 0) throw new Error('the first item failed')
      await new Promise((resolve) => setTimeout(resolve, 20))
      return input
    }
    const one = leaf(work, { id: 'one', input: item })
    const agent = makeAgent({
      id: 'root',
      input: { type: 'object', properties: { items: { type: 'array', items: item } } },
      output: { type: 'array' },
      policy: { id: 'agf.batch', config: { agent: 'one', input_mapping: { n: 'parent.input.items.[].n' } } },
      agents: { one },
    })
    await run(agent, { items: [{ n: 0 }, { n: 1 }] }, { onEvent: listener, batchConcurrency: 2 })
    const items = spans.filter(({ name }) => name === 'invoke_agent one')
    expect(items.map(({ parent, status }) => [parent, status])).toEqual([
      ['invoke_agent root', 'the agent failed: the first item failed'],
      ['invoke_agent root', expect.stringContaining('cancelled')],
    ])
  })

  it('contain the error', async () => {
    const { listener, spans } = recorder()
    await run(
      leaf(() => Promise.reject(new Error('broken'))),
      null,
      { onEvent: listener },
    )
    expect(spans.map(({ status, ended }) => [status, ended])).toEqual([
      ['the agent failed: broken', true],
      ['the agent failed: broken', true],
    ])
  })

  it('go to a tracer that is registered after the runtime has started', async () => {
    const agent = leaf(() => Promise.resolve('done'))
    const runtime = createRuntime({ policies: { 'x-test.leaf': leafPolicy } })
    const names: string[] = []
    const startSpan = (name: string) => {
      names.push(name)
      return api.trace.wrapSpanContext(api.INVALID_SPAN_CONTEXT)
    }
    await runtime.run(agent, null)
    api.trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) as never })
    try {
      await runtime.run(agent, null)
    } finally {
      api.trace.disable()
    }
    await runtime.run(agent, null)
    await runtime.close()
    expect(names).toEqual(['run agent', 'invoke_agent agent'])
  })
})
