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

describe('the text of a model as it comes', () => {
  const conversation = [{ role: 'user', text: 'hi' }] as const

  it('is told to a plain run that asks for it, that of sub-agents too', async () => {
    expect(await texts(inner, { stream: true })).toEqual([[[], 'hello']])
    expect(await texts(outer, { stream: true })).toEqual([[['inner'], 'hello']])
  })

  it('is told by default where there is a conversation only', async () => {
    expect(await texts(inner, {})).toEqual([])
    expect(await texts(inner, { conversation })).toEqual([[[], 'hello']])
  })

  it('is not told to a run that does not want it', async () => {
    expect(await texts(inner, { conversation, stream: false })).toEqual([])
  })
})
