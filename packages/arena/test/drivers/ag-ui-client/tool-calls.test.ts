/** Which calls the client answers, and how the conversation continues. */
import type { Value } from '@joust/source'
import { describe, expect, it } from 'vitest'
import { call, finished, input, play, runOf, started, streams } from './support.ts'

const pay = { name: 'pay', description: 'Pays.', parameters: {} }
const result = (toolCallId: string) => ({ type: 'TOOL_CALL_RESULT', messageId: 'own', toolCallId, content: 'done' })

async function answered(state: Value, ...events: readonly Value[]) {
  const { perform, contents, codes, bodies } = await play(state, streams(runOf(...events), runOf()))
  await perform()
  const ids = contents('tool_call_result').flatMap((one) =>
    Object(one).type === undefined ? [Object(one).toolCallId] : [],
  )
  return { ids, codes: codes(), runs: bodies.length }
}

describe('a call is answered', () => {
  it('when its tool was declared', async () => {
    const state = { run_agent_input: { ...input, tools: [pay] } }
    expect(await answered(state, ...call('c', 'pay'))).toEqual({ ids: ['c'], codes: [], runs: 2 })
  })

  it('when no tool was declared, since the agent may know it otherwise', async () => {
    expect(await answered({ run_agent_input: input }, ...call('c', 'pay'))).toEqual({ ids: ['c'], codes: [], runs: 2 })
  })

  it('when an entry matches it, declared or not', async () => {
    const tool_responses = [{ when: { toolCallName: 'search' }, content: 'found' }]
    const state = { run_agent_input: { ...input, tools: [pay] }, tool_responses }
    expect(await answered(state, ...call('c', 'search'))).toEqual({ ids: ['c'], codes: [], runs: 2 })
  })

  it('wire 3: by a catch-all or the default result, also where only other tools were offered', async () => {
    const state = { run_agent_input: { ...input, tools: [pay] } }
    const all = { ...state, tool_responses: [{ when: { toolCallName: 'pay' }, content: 'paid' }, { content: 'x' }] }
    expect(await answered(all, ...call('c', 'search'))).toEqual({ ids: ['c'], codes: [], runs: 2 })
    expect(await answered(state, ...call('c', 'search'))).toEqual({ ids: ['c'], codes: [], runs: 2 })
  })

  it('false pass 3: once when it came in chunks, by the entry for the start that they stand for', async () => {
    const chunk = (more: Value) => ({ type: 'TOOL_CALL_CHUNK', ...Object(more) })
    const chunks = [chunk({ toolCallId: 'c', toolCallName: 'pay', delta: '{' }), chunk({ delta: '}' })]
    const when = { type: 'TOOL_CALL_START', toolCallName: 'pay' }
    const state = { run_agent_input: input, tool_responses: [{ when, content: 'paid' }] }
    const { perform, contents, bodies } = await play(state, streams(runOf(...chunks), runOf()))
    await perform()
    expect(contents('tool_call_result')).toMatchObject([{ toolCallId: 'c', content: 'paid' }])
    expect(Object(bodies[1]?.messages)[0].toolCalls).toMatchObject([
      { id: 'c', function: { name: 'pay', arguments: '{}' } },
    ])
  })

  it('when the stream just ends after it', async () => {
    const { perform, contents, codes, bodies } = await play(
      { run_agent_input: input },
      streams([started, ...call('c', 'pay')], runOf()),
    )
    await perform()
    expect(contents('tool_call_result')).toHaveLength(1)
    expect(codes()).toEqual(['connection-lost'])
    expect(bodies).toHaveLength(2)
  })

  it('once, however often it is begun', async () => {
    expect(await answered({ run_agent_input: input }, ...call('c', 'pay'), ...call('c', 'pay'))).toMatchObject({
      ids: ['c'],
    })
  })

  it('together with the others of its run', async () => {
    const events = [...call('a', 'pay'), ...call('b', 'pay'), result('b'), ...call('c', 'pay')]
    expect(await answered({ run_agent_input: input }, ...events)).toMatchObject({ ids: ['a', 'c'], runs: 2 })
  })
})

describe('a call is not answered', () => {
  it('when the agent shows a result of its own', async () => {
    expect(await answered({ run_agent_input: input }, ...call('c', 'pay'), result('c'))).toEqual({
      ids: [],
      codes: [],
      runs: 1,
    })
  })

  it('when the agent shows the result in a snapshot', async () => {
    const messages = [{ id: '1', role: 'tool', toolCallId: 'c', content: 'done' }]
    const snapshot = { type: 'MESSAGES_SNAPSHOT', messages }
    expect(await answered({ run_agent_input: input }, ...call('c', 'pay'), snapshot)).toMatchObject({
      ids: [],
      runs: 1,
    })
  })

  it('when the run failed', async () => {
    const { perform, bodies, codes } = await play(
      { run_agent_input: input },
      streams([started, ...call('c', 'pay'), { type: 'RUN_ERROR', message: 'no' }]),
    )
    await perform()
    expect(bodies).toHaveLength(1)
    expect(codes()).toEqual(['agent-failed', 'action-dropped'])
  })
})

describe('the next run', () => {
  const state = { run_agent_input: { ...input, messages: [{ id: 'u', role: 'user', content: 'Hi' }] } }

  it('has text, calls and results in order', async () => {
    const events = [
      { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'Let me ' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'see.' },
      { type: 'TEXT_MESSAGE_END', messageId: 'm' },
      ...call('a', 'look', '{"x":1}'),
      result('a'),
      ...call('b', 'pay', ''),
    ]
    const { perform, bodies } = await play(state, streams(runOf(...events), runOf()))
    await perform()
    const asked = (id: string, name: string, args: string) => ({
      id,
      type: 'function',
      function: { name, arguments: args },
    })
    expect(bodies[1]?.messages).toEqual([
      { id: 'u', role: 'user', content: 'Hi' },
      { id: 'm', role: 'assistant', content: 'Let me see.', toolCalls: [asked('a', 'look', '{"x":1}')] },
      { id: 'own', role: 'tool', toolCallId: 'a', content: 'done' },
      { id: 'id-1', role: 'assistant', toolCalls: [asked('b', 'pay', '')] },
      { id: 'id-2', role: 'tool', toolCallId: 'b', content: '' },
    ])
  })

  it('starts with the history and state of the agent’s snapshots', async () => {
    const snapshot = {
      type: 'MESSAGES_SNAPSHOT',
      messages: [{ id: 's', role: 'assistant', toolCalls: [{ id: 'c', type: 'function', function: {} }], xEvil: 1 }],
    }
    const events = [{ type: 'STATE_SNAPSHOT', snapshot: { n: 1 } }, ...call('c', 'pay'), snapshot]
    const { perform, bodies } = await play(state, streams(runOf(...events), runOf()))
    await perform()
    expect(bodies[1]).toMatchObject({ threadId: 't', state: { n: 1 } })
    expect(bodies[1]?.messages).toEqual([
      ...snapshot.messages,
      { id: expect.any(String), role: 'tool', toolCallId: 'c', content: '' },
    ])
  })

  it('has no result without its call, even after a snapshot', async () => {
    const { perform, bodies } = await play(
      state,
      streams(runOf(...call('c', 'pay'), { type: 'MESSAGES_SNAPSHOT', messages: [] }), runOf()),
    )
    await perform()
    expect(bodies[1]?.messages).toMatchObject([{ role: 'assistant', toolCalls: [{ id: 'c' }] }, { role: 'tool' }])
  })

  it('follows until the agent has no open calls, with values extracted in between', async () => {
    const more = { ...state, tool_responses: [{ content: '{{word}}' }] }
    const { stage, perform, bodies } = await play(
      more,
      streams(runOf(...call('a', 'pay')), runOf(...call('b', 'pay')), runOf()),
    )
    stage.enter(more, [{ name: 'word', source: 'response', type: 'json_path', selector: '$.toolCallId' }])
    await perform()
    expect(bodies).toHaveLength(3)
    const results = Object(bodies[2]?.messages).filter(({ role }: { role: string }) => role === 'tool')
    expect(results.map(({ content }: { content: string }) => content)).toEqual(['a', 'b'])
    expect(new Set(bodies.map(({ runId }) => runId)).size).toBe(3)
    expect(new Set(bodies.map(({ threadId }) => threadId))).toEqual(new Set(['t']))
  })

  it('occurs at most 25 times', async () => {
    const { perform, bodies, codes } = await play(state, streams(runOf(...call('c', 'pay'))))
    await perform()
    expect(bodies).toHaveLength(26)
    // The final answer is unknown.
    expect(codes()).toEqual(['reply-missing'])
  })

  it('is reported when a result has no content', async () => {
    const poor = { ...state, tool_responses: [{ content: { balance: 5 } }] }
    const { perform, bodies, codes } = await play(poor, streams(runOf(...call('c', 'pay')), [started, finished]))
    await perform()
    expect(Object(bodies[1]?.messages).at(-1)).toEqual({ id: 'id-2', role: 'tool', toolCallId: 'c', balance: 5 })
    expect(codes()).toEqual(['content-malformed'])
  })
})
