import type { ReactConfig } from '@joust/agentformat'
import type { Script, ScriptedTurn } from '@joust/sim'
import { describe, expect, it } from 'vitest'
import type { LocalTool } from '../../src/model/bindings.ts'
import type { RuntimeOptions } from '../../src/model/options.ts'
import { type AgentParts, leaf, object } from '../support/agents.ts'
import { react, scripts } from '../support/react.ts'
import { recorded } from '../support/recorded.ts'
import { errorOf, outputOf, run } from '../support/run.ts'

const echo: LocalTool = { call: (args) => ({ echoed: args }) }
const withEcho: AgentParts = { action_space: { local_tools: [{ alias: 'echo', description: 'Echoes.' }] } }
const callEcho: ScriptedTurn = { tool_calls: [{ name: 'echo', arguments: { a: 1 } }] }
const done: ScriptedTurn = { text: 'done' }
const answered = object({ answer: { type: 'integer' } })

function agent(config: Partial<ReactConfig> = {}, parts: AgentParts = withEcho) {
  return react('m', parts, config)
}

function bound(script: Script, more: RuntimeOptions = {}): RuntimeOptions {
  return { models: scripts({ m: script }), tools: { echo }, ...more }
}

describe('agf.react', () => {
  it('calls tools until the model answers', async () => {
    const { model, asked } = recorded([callEcho, done])
    const { result, events } = await run(agent(), 'hello', { models: { m: model }, tools: { echo } })
    expect(result?.output).toBe('done')
    expect(result?.usage).toMatchObject({ modelCalls: 2, toolCalls: 1 })
    expect(asked[0]?.prompt).toEqual([
      { role: 'system', content: 'Do it.' },
      { role: 'user', content: [{ type: 'text', text: 'hello' }] },
    ])
    expect(asked[0]?.tools?.map(({ name }) => name)).toEqual(['echo'])
    expect(asked[0]?.toolChoice).toEqual({ type: 'auto' })
    expect(asked[1]?.prompt.slice(2)).toEqual([
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'scripted-1-1', toolName: 'echo', input: { a: 1 } }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'scripted-1-1',
            toolName: 'echo',
            output: { type: 'json', value: { echoed: { a: 1 } } },
          },
        ],
      },
    ])
    expect(events.map(({ type }) => type)).toEqual([
      'run-started', 'agent-started', 'step-started', 'model-called', 'model-answered', 'tool-called', 'tool-answered', 'step-finished',
      'step-started', 'model-called', 'model-answered', 'step-finished', 'agent-finished', 'run-finished',
    ]) // biome-ignore format: a list
  })

  it('passes on the settings of the document', async () => {
    const { model, asked } = recorded([done])
    const settings = { temperature: 0.2, top_p: 0.9, top_k: 5, max_output_tokens: 77, stop_sequences: ['END'] }
    await run(agent(settings), 'x', { models: { m: model }, tools: { echo } })
    expect(asked[0]).toMatchObject({
      temperature: 0.2,
      topP: 0.9,
      topK: 5,
      maxOutputTokens: 77,
      stopSequences: ['END'],
    })
  })

  it('makes the calls of one step in order', async () => {
    const order: string[] = []
    const slow: LocalTool = { call: () => Promise.resolve().then(() => order.push('slow')) }
    const fast: LocalTool = { call: () => order.push('fast') }
    const parts = { action_space: { local_tools: [{ alias: 'slow' }, { alias: 'fast' }] } }
    const script = [{ tool_calls: [{ name: 'slow' }, { name: 'fast' }, { name: 'slow' }] }, done]
    expect(await outputOf(agent({}, parts), 'x', bound(script, { tools: { slow, fast } }))).toBe('done')
    expect(order).toEqual(['slow', 'fast', 'slow'])
  })
})

describe('OPEN-48.1: steps and the closing call', () => {
  it('makes one closing call without tools if the last step requested tools', async () => {
    const { model, asked } = recorded([callEcho, callEcho, { text: 'closing' }])
    const { result } = await run(agent({ max_steps: 2 }), 'x', { models: { m: model }, tools: { echo } })
    expect(result?.output).toBe('closing')
    expect(result?.usage.modelCalls).toBe(3)
    expect(asked.map(({ tools }) => tools?.length ?? 0)).toEqual([1, 1, 0])
  })

  it('fails with max_steps_exceeded when the closing call gives no output', async () => {
    const error = await errorOf(
      agent({ max_steps: 1 }, { ...withEcho, output: answered }),
      'x',
      bound([callEcho, { text: 'no idea' }]),
    )
    expect(error).toMatchObject({ code: 'max_steps_exceeded', details: { max_steps: 1 } })
    const again = await errorOf(agent({ max_steps: 1 }), 'x', bound([callEcho, callEcho]))
    expect(again.code).toBe('max_steps_exceeded')
  })

  it('counts the closing call for max_llm_calls', async () => {
    const constraints = { limits: { max_llm_calls: 1 } }
    const error = await errorOf(agent({ max_steps: 1 }, { ...withEcho, constraints }), 'x', bound([callEcho, done]))
    expect(error).toMatchObject({ code: 'limit_exceeded', details: { limit: 'constraints.limits.max_llm_calls' } })
  })

  it('has ten steps by default', async () => {
    const { model, asked } = recorded([...Array.from({ length: 10 }, () => callEcho), done])
    expect(await outputOf(agent(), 'x', { models: { m: model }, tools: { echo } })).toBe('done')
    expect(asked.map(({ tools }) => tools !== undefined)).toEqual([...Array.from({ length: 10 }, () => true), false])
  })
})

describe('OPEN-48.2: tool_choice', () => {
  it('none disables all tools', async () => {
    const { model, asked } = recorded([done])
    expect(await outputOf(agent({ tool_choice: 'none' }), 'x', { models: { m: model }, tools: { echo } })).toBe('done')
    expect(asked[0]?.tools).toBeUndefined()
  })

  it('required adds the tool for the final answer, which does not count as a tool call', async () => {
    const final = { tool_calls: [{ name: 'final_output', arguments: { answer: 7 } }] }
    const { model, asked } = recorded([callEcho, final])
    const parts = { ...withEcho, output: answered, constraints: { limits: { max_tool_calls: 1 } } }
    const { result } = await run(agent({ tool_choice: 'required' }, parts), 'x', {
      models: { m: model },
      tools: { echo },
    })
    expect(result?.output).toEqual({ answer: 7 })
    expect(result?.usage.toolCalls).toBe(1)
    expect(asked[0]?.toolChoice).toEqual({ type: 'required' })
    expect(asked[0]?.tools?.map(({ name }) => name)).toEqual(['echo', 'final_output'])
  })

  it('required wraps an output that is not an object', async () => {
    const script = [{ tool_calls: [{ name: 'final_output', arguments: { output: 'yes' } }] }]
    expect(await outputOf(agent({ tool_choice: 'required' }), 'x', bound(script))).toBe('yes')
  })

  it('required allows one repair of the answer, then fails', async () => {
    const wrong = { tool_calls: [{ name: 'final_output', arguments: { answer: 'seven' } }] }
    const right = { tool_calls: [{ name: 'final_output', arguments: { answer: 7 } }] }
    const required = agent({ tool_choice: 'required' }, { ...withEcho, output: answered })
    expect(await outputOf(required, 'x', bound([wrong, right]))).toEqual({ answer: 7 })
    expect((await errorOf(required, 'x', bound([wrong, wrong, right]))).code).toBe('output_validation')
  })

  it('required ends with the closing call if the model answers without a call', async () => {
    const { model, asked } = recorded([{ text: 'chatter' }, { text: 'answer' }])
    expect(await outputOf(agent({ tool_choice: 'required' }), 'x', { models: { m: model }, tools: { echo } })).toBe(
      'answer',
    )
    expect(asked[1]?.tools).toBeUndefined()
  })

  it('the tool for the final answer is unknown without required', async () => {
    const { model, asked } = recorded([{ tool_calls: [{ name: 'final_output', arguments: { output: 'x' } }] }, done])
    expect(await outputOf(agent(), 'x', { models: { m: model }, tools: { echo } })).toBe('done')
    expect(JSON.stringify(asked[1]?.prompt.at(-1))).toContain('unknown tool \\"final_output\\"')
  })
})

describe('OPEN-48.3 and 48.4: callables', () => {
  it('lists sub-agents as tools', async () => {
    const helper = leaf(({ input }) => `helped with ${JSON.stringify(input)}`, {
      input: object({ topic: { type: 'string' } }),
      output: { type: 'string' },
    })
    const { model, asked } = recorded([{ tool_calls: [{ name: 'helper', arguments: { topic: 'owls' } }] }, done])
    const { result } = await run(react('m', { agents: { helper } }), 'x', { models: { m: model } })
    expect(result?.output).toBe('done')
    expect(JSON.stringify(asked[1]?.prompt.at(-1))).toContain('helped with')
  })

  it('answers a call of an unknown tool with an error', async () => {
    const { model, asked } = recorded([
      { tool_calls: [{ name: 'ecko' }, { name: 'constructor' }, { name: '__proto__' }] },
      done,
    ])
    const { result, events } = await run(agent(), 'x', { models: { m: model }, tools: { echo } })
    expect(result?.output).toBe('done')
    expect(events.filter(({ type }) => type === 'tool-called')).toEqual([])
    expect(events.filter(({ type }) => type === 'tool-failed')).toHaveLength(3)
    const observation = asked[1]?.prompt.at(-1)
    expect(observation?.content[0]).toMatchObject({
      output: { type: 'error-text', value: 'unknown tool "ecko". Did you mean "echo"?' },
    })
  })
})

describe('OPEN-48.5: output', () => {
  const structured = agent({}, { ...withEcho, output: answered })

  it('requests and parses JSON', async () => {
    const { model, asked } = recorded([{ text: '{"answer": 3}' }])
    expect(await outputOf(structured, 'x', { models: { m: model }, tools: { echo } })).toEqual({ answer: 3 })
    expect(asked[0]?.responseFormat).toEqual({ type: 'json', schema: answered, name: 'answer' })
    expect(asked[0]?.prompt[0]?.content).toContain('"answer":{"type":"integer"}')
  })

  it('has one repair, which counts as a step and has no tools', async () => {
    const { model, asked } = recorded([{ text: 'three' }, { text: '{"answer": 3}' }])
    const { result, events } = await run(structured, 'x', { models: { m: model }, tools: { echo } })
    expect(result?.output).toEqual({ answer: 3 })
    expect(events.filter(({ type }) => type === 'step-started')).toHaveLength(2)
    expect(asked[1]?.tools).toBeUndefined()
    expect(JSON.stringify(asked[1]?.prompt.at(-1))).toContain('not JSON')
  })

  it('fails with output_validation if the repair fails', async () => {
    expect((await errorOf(structured, 'x', bound([{ text: 'three' }, { text: '{"answer":"three"}' }]))).code).toBe(
      'output_validation',
    )
    expect((await errorOf(structured, 'x', bound([{ text: 'three' }, callEcho, done]))).code).toBe('output_validation')
  })

  it('has no repair in the last step', async () => {
    const last = agent({ max_steps: 1 }, { ...withEcho, output: answered })
    expect((await errorOf(last, 'x', bound([{ text: 'three' }, { text: '{"answer": 3}' }]))).code).toBe(
      'output_validation',
    )
  })

  it.each(['{"response": "Do not press', '```json\n{"response": "x"}\n```\nI hope this helps.'])(
    'repairs text that tries to be JSON instead of wrapping it: %s',
    async (text) => {
      const parts = { output: object({ response: { type: 'string' } }) }
      const { model, asked } = recorded([{ text }, { text: '{"response":"Do not press it."}' }])
      const { result } = await run(agent({}, parts), 'x', { models: { m: model } })
      expect(result?.output).toEqual({ response: 'Do not press it.' })
      expect(asked).toHaveLength(2)
      expect((await errorOf(agent({}, parts), 'x', bound([{ text }, { text }]))).code).toBe('output_validation')
    },
  )

  it('wraps text for an object with one required string', async () => {
    const parts = { output: object({ response: { type: 'string' }, note: { type: 'string' } }, ['response']) }
    expect(await outputOf(agent({}, parts), 'x', bound([{ text: 'Hello.' }]))).toEqual({ response: 'Hello.' })
    expect(await outputOf(agent({}, parts), 'x', bound([{ text: '{"response":"Hi.","note":"!"}' }]))).toEqual({
      response: 'Hi.',
      note: '!',
    })
  })
})

describe('OPEN-48.6: the prompt', () => {
  it('fills the template and warns about missing values', async () => {
    const { model, asked } = recorded([done])
    const templated = agent({ user_prompt_template: 'About {{topic}} for {{reader.name}}{{nothing}}.' }, {})
    const { result } = await run(templated, { topic: 'owls', reader: { name: 'Ann' } }, { models: { m: model } })
    expect(asked[0]?.prompt[1]).toEqual({ role: 'user', content: [{ type: 'text', text: 'About owls for Ann.' }] })
    expect(result?.warnings).toMatchObject([{ code: 'template_value_missing' }])
  })
})

describe('OPEN-48.7: failures of tools', () => {
  it('are observations, and the loop continues', async () => {
    const broken: LocalTool = {
      call() {
        throw new Error('no such file')
      },
    }
    const { model, asked } = recorded([callEcho, done])
    const { result } = await run(agent(), 'x', { models: { m: model }, tools: { echo: broken } })
    expect(result?.output).toBe('done')
    expect(asked[1]?.prompt.at(-1)?.content[0]).toMatchObject({
      output: { type: 'error-text', value: expect.stringContaining('no such file') },
    })
  })

  it.each(['{not json', '[1]', '"text"', 'null'])('malformed arguments are an observation: %s', async (text) => {
    const { model, asked } = recorded([{ tool_calls: [{ name: 'echo', arguments: text }] }, done])
    const { result, events } = await run(agent(), 'x', { models: { m: model }, tools: { echo } })
    expect(result?.output).toBe('done')
    expect(events.some(({ type }) => type === 'tool-called')).toBe(false)
    expect(asked[1]?.prompt.at(-1)?.content[0]).toMatchObject({
      output: { type: 'error-text', value: expect.stringContaining('echo was not called: ') },
    })
  })

  it('an oversized result is truncated with a warning', async () => {
    const { model, asked } = recorded([callEcho, done])
    const huge: LocalTool = { call: () => 'x'.repeat(150_000) }
    const { result } = await run(agent(), 'x', { models: { m: model }, tools: { echo: huge } })
    expect(result?.warnings).toMatchObject([{ code: 'observation_cut' }])
    const shown = JSON.stringify(asked[1]?.prompt.at(-1))
    expect(shown).toContain('[cut: 50000 more characters]')
    expect(shown.length).toBeLessThan(101_000)
  })
})

describe('OPEN-38: limits', () => {
  it('a tool call over the limit is not made, and the closing call may still answer', async () => {
    const { model, asked } = recorded([
      callEcho,
      { tool_calls: [{ name: 'echo' }, { name: 'echo' }] },
      { text: 'with what I have' },
    ])
    const parts = { ...withEcho, constraints: { limits: { max_tool_calls: 1 } } }
    const { result } = await run(agent({}, parts), 'x', { models: { m: model }, tools: { echo } })
    expect(result?.output).toBe('with what I have')
    expect(result?.usage.toolCalls).toBe(1)
    expect(asked[2]?.tools).toBeUndefined()
    // Both calls of the step are answered, or a provider would refuse the conversation.
    expect(asked[2]?.prompt.at(-2)?.content).toHaveLength(2)
  })

  it('the limit is the failure when the closing call gives no output', async () => {
    const parts = { ...withEcho, output: answered, constraints: { limits: { max_tool_calls: 0 } } }
    expect(await errorOf(agent({}, parts), 'x', bound([callEcho, done]))).toMatchObject({ code: 'limit_exceeded' })
  })
})
