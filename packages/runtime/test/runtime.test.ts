import { getActiveResourcesInfo } from 'node:process'
import { deferred, systemClock } from '@joust/io'
import { describe, expect, it } from 'vitest'
import { createInMemory } from '../src/memory/memory.ts'
import type { RunEvent } from '../src/model/events.ts'
import { createRuntime } from '../src/runtime.ts'
import { leaf, leafPolicy, makeAgent, object } from './support/agents.ts'
import { react, scripts } from './support/react.ts'
import { errorOf, outputOf, run } from './support/run.ts'

const policies = { 'x-test.leaf': leafPolicy }
const sequence = (agents: Parameters<typeof makeAgent>[0]['agents'] = {}) =>
  makeAgent({
    policy: { id: 'agf.sequential', config: { steps: Object.keys(agents).map((agent) => ({ agent })) } },
    agents,
  })

describe('interfaces', () => {
  const strict = { input: object({ n: { type: 'integer' } }), output: object({ n: { type: 'integer' } }) }

  it('are checked for input and output', async () => {
    let ran = false
    const agent = leaf(() => {
      ran = true
      return { n: 'one' }
    }, strict)
    expect(await errorOf(agent, { n: '1' })).toMatchObject({
      code: 'input_validation',
      agent: [],
      details: [{ path: 'n' }],
    })
    expect(ran).toBe(false)
    expect((await errorOf(agent, { n: 1 })).code).toBe('output_validation')
  })

  it.each([{ n: '1' }, { n: 1.5 }, { n: null }, { n: true }, {}, [], null, 'n'])(
    'nothing is coerced: %j',
    async (input) => {
      expect(
        (
          await errorOf(
            leaf(() => ({ n: 1 }), strict),
            input as never,
          )
        ).code,
      ).toBe('input_validation')
    },
  )

  it('of a sub-agent are checked too, and errors contain its path', async () => {
    const error = await errorOf(sequence({ a: leaf(() => ({ n: 1 }), strict) }), { n: 'x' })
    expect(error).toMatchObject({ code: 'agent_failed', agent: [], cause: { code: 'input_validation', agent: ['a'] } })
  })

  it.each([
    ['a function', () => {}],
    ['a big integer', 10n],
    ['infinity', { n: Number.POSITIVE_INFINITY }],
  ])('an input that is not JSON: %s', async (_, input) => {
    expect(
      (
        await errorOf(
          leaf(() => 1),
          input as never,
        )
      ).code,
    ).toBe('input_validation')
  })
})

describe('failures', () => {
  it("a child's failure contains all causes", async () => {
    const crash = leaf(() => {
      throw new TypeError('x is not a function')
    })
    const error = await errorOf(sequence({ a: sequence({ b: sequence({ c: crash }) }) }), null)
    expect(error.message).toBe(
      'a (step 0) failed: b (step 0) failed: c (step 0) failed: the agent failed: x is not a function',
    )
    const paths: (readonly string[])[] = []
    for (
      let at: unknown = error;
      typeof at === 'object' && at !== null && 'agent' in at;
      at = (at as { cause?: unknown }).cause
    ) {
      paths.push(at.agent as string[])
    }
    expect(paths).toEqual([[], ['a'], ['a', 'b'], ['a', 'b', 'c']])
    expect(JSON.parse(JSON.stringify(error))).toEqual(error)
  })

  it.each([undefined, null, 'text', 42, {}, Object.create(null)])(
    'any thrown value (%s) is a failure with a message',
    async (thrown) => {
      const error = await errorOf(
        leaf(() => Promise.reject(thrown)),
        null,
      )
      expect(error.code).toBe('agent_failed')
      expect(error.message).not.toContain('undefined')
    },
  )
})

describe('invalid agents', () => {
  it.each<[unknown, string]>([
    [undefined, 'config_invalid'],
    [null, 'config_invalid'],
    [1, 'config_invalid'],
    [{}, 'config_invalid'],
    [{ document: {} }, 'agent_failed'],
  ])('%j is a failure, not a rejection', async (agent, code) => {
    expect((await errorOf(agent as never, null)).code).toBe(code)
  })

  it('the value of loadAgent is not the agent in it', async () => {
    const agent = leaf(() => 1)
    const expected = { code: 'config_invalid', message: expect.stringContaining('pass its field "agent"') }
    expect(await errorOf({ agent, warnings: [] } as never, null)).toMatchObject(expected)
    const runtime = createRuntime({ env: {} })
    expect(await runtime.prepare({ agent, warnings: [] } as never)).toMatchObject({ ok: false, error: expected })
  })
})

describe('events', () => {
  it('of a run as they happen, then its result', async () => {
    const heard: RunEvent[] = []
    const runtime = createRuntime({ env: {}, models: scripts({ m: [{ text: 'done' }] }) })
    const events = runtime.events(react('m'), 'go', { onEvent: (event) => heard.push(event) })
    const types: string[] = []
    let next = await events.next()
    for (; next.done !== true; next = await events.next()) types.push(next.value.type)
    expect(next.value).toMatchObject({ ok: true, value: { output: 'done' } })
    expect(types).toEqual(heard.map(({ type }) => type))
    expect([types.at(0), types.at(-1)]).toEqual(['run-started', 'run-finished'])
  })

  it('leaving the loop cancels the run', async () => {
    const heard: RunEvent[] = []
    const agent = leaf(
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    )
    const runtime = createRuntime({ env: {}, policies, onEvent: (event) => heard.push(event) })
    for await (const { type } of runtime.events(agent, null)) if (type === 'agent-started') break
    expect(heard.at(-1)).toMatchObject({ type: 'run-failed', error: { code: 'cancelled' } })
  })
})

describe('cancellation', () => {
  const waiting = (log: string[], name: string) =>
    leaf(
      ({ signal }) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => {
            log.push(name)
            reject(new Error('aborted'))
          }),
        ),
    )

  it('reaches every child', async () => {
    const log: string[] = []
    const group = (names: string[]) =>
      makeAgent({
        policy: { id: 'agf.parallel', config: { agents: names.map((agent) => ({ agent })) } },
        agents: Object.fromEntries(names.map((name) => [name, waiting(log, name)])),
      })
    const root = makeAgent({
      policy: { id: 'agf.parallel', config: { agents: [{ agent: 'x' }, { agent: 'y' }] } },
      agents: { x: group(['a', 'b']), y: group(['c', 'd']) },
    })
    const cancel = new AbortController()
    let started = 0
    const onEvent = (event: RunEvent) => {
      if (event.type === 'agent-started' && event.agent.length === 2 && ++started === 4)
        setImmediate(() => cancel.abort(new Error('user left')))
    }
    const error = await errorOf(root, null, { onEvent }, { signal: cancel.signal })
    expect(error).toMatchObject({ code: 'cancelled', agent: [], cause: { message: 'user left' } })
    expect(log.toSorted()).toEqual(['a', 'b', 'c', 'd'])
  })

  it('before the start prevents the run', async () => {
    let ran = false
    const agent = leaf(() => {
      ran = true
      return 1
    })
    expect((await errorOf(agent, null, {}, { signal: AbortSignal.abort() })).code).toBe('cancelled')
    expect(ran).toBe(false)
  })

  it('reaches a model', async () => {
    const cancel = new AbortController()
    let aborted = false
    const model = {
      specificationVersion: 'v4',
      provider: 'test',
      modelId: 'stuck',
      supportedUrls: {},
      doGenerate: ({ abortSignal }: { abortSignal: AbortSignal }) =>
        new Promise((_, reject) => {
          abortSignal.addEventListener('abort', () => {
            aborted = true
            reject(abortSignal.reason)
          })
          setImmediate(() => cancel.abort())
        }),
      doStream: () => Promise.reject(new Error('not used')),
    }
    const error = await errorOf(react('m'), 'go', { models: { m: model as never } }, { signal: cancel.signal })
    expect(error.code).toBe('cancelled')
    expect(aborted).toBe(true)
  })

  it('reaches a tool', async () => {
    const cancel = new AbortController()
    let aborted = false
    const tools = {
      wait: {
        call: (_: unknown, { signal }: { signal: AbortSignal }) =>
          new Promise<never>(() => {
            signal.addEventListener('abort', () => {
              aborted = true
            })
            setImmediate(() => cancel.abort())
          }),
      },
    }
    const agent = react('m', { action_space: { local_tools: [{ alias: 'wait' }] } })
    const models = scripts({ m: [{ tool_calls: [{ name: 'wait' }] }] })
    const error = await errorOf(agent, 'go', { models, tools }, { signal: cancel.signal })
    expect(error.code).toBe('cancelled')
    expect(aborted).toBe(true)
  })

  it('after the last step still counts', async () => {
    const cancel = new AbortController()
    const onEvent = (event: RunEvent) => {
      if (event.type === 'agent-finished' && event.agent.length === 1) cancel.abort()
    }
    const error = await errorOf(sequence({ a: leaf(() => 1) }), null, { onEvent }, { signal: cancel.signal })
    expect(error.code).toBe('cancelled')
  })

  it('closing a runtime waits until its runs have ended', async () => {
    const types: string[] = []
    const runtime = createRuntime({ policies, env: {}, onEvent: ({ type }) => types.push(type) })
    const started = deferred()
    const agent = sequence({ a: sequence({ b: waiting([], 'b') }) })
    void runtime.run(agent, null, { onEvent: (event) => event.agent.length === 2 && started.resolve() })
    await started.promise
    await runtime.close()
    expect(types.at(-1)).toBe('run-failed')
  })

  it('closing a runtime cancels its runs; closing again does nothing, and later runs fail', async () => {
    const runtime = createRuntime({ policies, env: {} })
    const agent = waiting([], 'a')
    const pending = runtime.run(agent, null, {
      onEvent: (event) => {
        if (event.type === 'agent-started') setImmediate(() => void runtime.close())
      },
    })
    expect(await pending).toMatchObject({ ok: false, error: { code: 'cancelled' } })
    await runtime.close()
    await runtime.close()
    expect(
      await runtime.run(
        leaf(() => 1),
        null,
      ),
    ).toMatchObject({ ok: false, error: { code: 'cancelled' } })
  })
})

describe('a thousand runs', () => {
  it('leak no timers, handles or listeners', async () => {
    const cancel = new AbortController()
    let listeners = 0
    const { signal } = cancel
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1
      remove(...args)
    }
    const agent = makeAgent({
      policy: { id: 'agf.parallel', config: { agents: [{ agent: 'a' }, { agent: 'b' }], output_from: 'first' } },
      constraints: { budget: { max_duration_seconds: 3600, max_token_usage: 1_000_000 } },
      agents: {
        a: react('m', {
          constraints: { budget: { max_duration_seconds: 60 } },
          action_space: { local_tools: [{ alias: 'look' }] },
        }),
        b: leaf(() => 'b', { memory: {} }),
      },
    })
    const script = [{ tool_calls: [{ name: 'look' }] }, { text: 'done' }]
    const runtime = createRuntime({
      policies,
      env: {},
      models: (reference, node) => scripts({ m: script })(reference, node),
      tools: { look: { call: () => 'seen' } },
      memory: createInMemory({ turns: 3 }),
    })
    const failing = leaf(() => Promise.reject(new Error('no')))
    const timers = () => getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    for (let count = 0; count < 1000; count++) {
      const result = await runtime.run(count % 10 === 0 ? failing : agent, 'go', { signal, memoryScope: 's' })
      expect(result.ok).toBe(count % 10 !== 0)
    }
    expect(listeners).toBe(0)
    expect(timers()).toBe(before)
    await runtime.close()
  })
})

describe('usage', () => {
  it('counts everything in the tree', async () => {
    const child = react('m', { action_space: { local_tools: [{ alias: 'look' }] } })
    const usage = { input_tokens: 10, output_tokens: 2 }
    const models = scripts({
      m: [
        { tool_calls: [{ name: 'look' }], usage },
        { text: 'x', usage },
      ],
    })
    const options = { models, tools: { look: { call: () => 1 } }, clock: { ...systemClock, now: () => 5 } }
    const { result } = await run(sequence({ child }), 'go', options)
    expect(result?.usage).toEqual({
      inputTokens: 20,
      outputTokens: 4,
      totalTokens: 24,
      estimated: false,
      modelCalls: 2,
      toolCalls: 1,
      durationMs: 0,
    })
  })
})

describe('sub-agents as tools', () => {
  it('OPEN-48.3: get their arguments, a scalar root wrapped, and do not count as tool calls', async () => {
    const add = leaf(({ input }) => (input as { a: number }).a + 1, { input: object({ a: { type: 'integer' } }) })
    const shout = leaf(({ input }) => `${input}!`, { input: { type: 'string' } })
    const agent = react('m', { agents: { add, shout }, constraints: { limits: { max_tool_calls: 0 } } })
    const calls = [
      { name: 'add', arguments: { a: 1 } },
      { name: 'shout', arguments: { input: 'hey' } },
    ]
    const { result, events } = await run(agent, 'go', {
      models: scripts({ m: [{ tool_calls: calls }, { text: 'done' }] }),
    })
    expect(result?.output).toBe('done')
    const answers = events.flatMap((event) => (event.type === 'tool-answered' ? [event.content] : []))
    expect(answers).toEqual([2, 'hey!'])
    expect(events.filter((event) => event.type === 'delegation-started')).toHaveLength(2)
  })

  it('a failing one is an observation', async () => {
    const agent = react('m', { agents: { bad: leaf(() => Promise.reject(new Error('broken'))) } })
    const models = scripts({ m: [{ tool_calls: [{ name: 'bad', arguments: { input: 1 } }] }, { text: 'done' }] })
    const { result, events } = await run(agent, 'go', { models })
    expect(result?.output).toBe('done')
    expect(events.find((event) => event.type === 'tool-failed')).toMatchObject({
      content: 'bad failed: bad failed: the agent failed: broken',
    })
  })
})

describe('client tools', () => {
  it('end the run with their calls and no output', async () => {
    const models = scripts({ m: [{ tool_calls: [{ id: 'c1', name: 'show', arguments: { page: 2 } }] }] })
    const events: RunEvent[] = []
    const runtime = createRuntime({ models, env: {}, onEvent: (event) => events.push(event) })
    const clientTools = [{ name: 'show', inputSchema: { type: 'object' } }]
    const result = await runtime.run(react('m'), 'go', { clientTools })
    await runtime.close()
    expect(result).toMatchObject({
      ok: true,
      value: { clientToolCalls: [{ id: 'c1', name: 'show', args: { page: 2 } }] },
    })
    expect(result.ok && 'output' in result.value).toBe(false)
    expect(events.slice(-2)).toMatchObject([
      { type: 'agent-finished', output: null },
      { type: 'run-finished', output: null },
    ])
  })
})

describe('the result', () => {
  it('is the output of the last step', async () => {
    expect(await outputOf(sequence({ a: leaf(() => 1), b: leaf(() => 2) }), null)).toBe(2)
  })
})
