import { describe, expect, it } from 'vitest'
import type { RunOptions } from '../../src/model/options.ts'
import { makeAgent } from '../support/agents.ts'
import { react, scripts } from '../support/react.ts'
import { run } from '../support/run.ts'

const inner = react('inner')
const outer = makeAgent({
  policy: { id: 'agf.sequential', config: { steps: [{ agent: 'inner' }] } },
  agents: { inner },
})

async function texts(agent: typeof inner, options: Pick<RunOptions, 'stream' | 'conversation'>) {
  const models = scripts({ inner: [{ text: 'hello' }] })
  const { error, events } = await run(agent, 'hi', { models }, options)
  expect(error).toBeUndefined()
  return events.flatMap((event) => (event.type === 'model-text' ? [[event.agent, event.delta]] : []))
}

describe('streamed text of a model', () => {
  const conversation = [{ role: 'user', text: 'hi' }] as const

  it('is emitted on request, including text of sub-agents', async () => {
    expect(await texts(inner, { stream: true })).toEqual([[[], 'hello']])
    expect(await texts(outer, { stream: true })).toEqual([[['inner'], 'hello']])
  })

  it('is emitted by default only with a conversation', async () => {
    expect(await texts(inner, {})).toEqual([])
    expect(await texts(inner, { conversation })).toEqual([[[], 'hello']])
  })

  it('is not emitted if disabled', async () => {
    expect(await texts(inner, { conversation, stream: false })).toEqual([])
  })
})
