import { describe, expect, it } from 'vitest'
import { childScope, createInMemory, rootScope } from '../../src/memory/memory.ts'
import type { LanguageModel } from '../../src/model/language-model.ts'
import type { MemoryProvider } from '../../src/model/memory.ts'
import { leaf, makeAgent } from '../support/agents.ts'
import { react, scripts } from '../support/react.ts'
import { errorOf, outputOf, run } from '../support/run.ts'

const required = { memory: { required: true } }
const steps = (...agents: string[]) => ({ id: 'agf.sequential', config: { steps: agents.map((agent) => ({ agent })) } })

describe('R-30 to R-32, OPEN-43: an agent that requires a memory', () => {
  it.each([
    ['no provider', {}, { memoryScope: 's' }],
    ['no scope', { memory: createInMemory() }, {}],
    ['an empty scope', { memory: createInMemory() }, { memoryScope: '' }],
  ])('does not run without it: %s', async (_, options, runOptions) => {
    let ran = false
    const agent = leaf(() => {
      ran = true
      return null
    }, required)
    const root = makeAgent({ policy: steps('a', 'b'), agents: { a: leaf(() => 1), b: agent } })
    expect((await errorOf(agent, null, options, runOptions)).code).toBe('memory_required')
    // A deterministic policy leads there, so nothing starts at all.
    const { error, events } = await run(root, null, options, runOptions)
    expect(error).toMatchObject({ code: 'memory_required', agent: ['b'] })
    expect(events.some((event) => event.type === 'agent-started')).toBe(false)
    expect(ran).toBe(false)
  })

  it('the strategy none removes the scope', async () => {
    const root = makeAgent({
      policy: steps('a'),
      agents: { a: leaf(() => 1, required) },
      entries: { a: { memory_scope_strategy: 'none' } },
    })
    const options = { memory: createInMemory() }
    expect((await errorOf(root, null, options, { memoryScope: 's' })).code).toBe('memory_required')
  })

  it('below react, the delegation fails', async () => {
    const agent = react('m', { agents: { keeper: leaf(() => 1, required) } })
    const models = scripts({ m: [{ tool_calls: [{ name: 'keeper', arguments: { input: 1 } }] }, { text: 'alone' }] })
    const { result, events } = await run(agent, 'go', { models })
    expect(result?.output).toBe('alone')
    expect(events.find((event) => event.type === 'agent-failed')).toMatchObject({ error: { code: 'memory_required' } })
  })

  it('does not run when the memory cannot be read', async () => {
    const memory: MemoryProvider = { recall: () => Promise.reject(new Error('gone')), remember: () => {} }
    const error = await errorOf(
      leaf(() => 1, required),
      null,
      { memory },
      { memoryScope: 's' },
    )
    expect(error).toMatchObject({ code: 'memory_required', message: 'cannot read the memory: gone' })
    const { result } = await run(
      leaf(() => 1, { memory: {} }),
      null,
      { memory },
      { memoryScope: 's' },
    )
    expect(result).toMatchObject({ output: 1, warnings: [{ code: 'memory_failed' }] })
  })
})

describe('turns', () => {
  it('of earlier runs in the same scope are recalled', async () => {
    const memory = createInMemory()
    const agent = react('m', required)
    const say = async (text: string, answer: string, memoryScope: string) => {
      let prompt: unknown
      const scripted = scripts({ m: [{ text: answer }] })
      const models = (reference: string, node: typeof agent) => {
        const model = scripted(reference, node) as LanguageModel
        const spy: typeof model = Object.create(model, {
          doGenerate: {
            value: (options: { prompt: unknown }) => {
              prompt = options.prompt
              return model.doGenerate(options as never)
            },
          },
        })
        return spy
      }
      await outputOf(agent, text, { models, memory }, { memoryScope })
      return JSON.stringify(prompt)
    }
    expect(await say('I am Ann', 'Hello Ann', 'a')).not.toContain('Bob')
    const second = await say('Who am I?', 'Ann', 'a')
    expect(second.indexOf('I am Ann')).toBeGreaterThan(0)
    expect(second.indexOf('Hello Ann')).toBeGreaterThan(second.indexOf('I am Ann'))
    expect(second.indexOf('Who am I?')).toBeGreaterThan(second.indexOf('Hello Ann'))
    expect(await say('Who am I?', 'no idea', 'b')).not.toContain('Ann')
  })

  it('R-33: an agent that declares no memory stores no turns', async () => {
    const memory = createInMemory()
    await outputOf(
      leaf(() => 1),
      'x',
      { memory },
      { memoryScope: 's' },
    )
    expect(memory.recall('s')).toEqual([])
    await outputOf(
      leaf(() => 1, { memory: {} }),
      'x',
      { memory },
      { memoryScope: 's' },
    )
    expect(memory.recall('s')).toEqual([{ agent: 'agent', input: 'x', output: 1 }])
  })

  it('a memory that cannot be written is a warning', async () => {
    const memory: MemoryProvider = { recall: () => [], remember: () => Promise.reject(new Error('full')) }
    const { result } = await run(
      leaf(() => 1, required),
      null,
      { memory },
      { memoryScope: 's' },
    )
    expect(result).toMatchObject({
      output: 1,
      warnings: [{ code: 'memory_failed', message: 'cannot store the turn: full' }],
    })
  })

  it('inherit shares the scope, isolated has its own in every run', async () => {
    const memory = createInMemory()
    const keeper = () => leaf(() => 1, { id: 'keeper', ...required })
    const root = makeAgent({
      policy: steps('shared', 'apart'),
      agents: { shared: keeper(), apart: keeper() },
      entries: { apart: { memory_scope_strategy: 'isolated' } },
    })
    for (let count = 0; count < 2; count++) await outputOf(root, null, { memory }, { memoryScope: 's' })
    expect(memory.recall('s')).toHaveLength(2)
    expect(memory.recall('s/apart')).toHaveLength(2)
  })
})

describe('scopes', () => {
  it('of isolated sub-agents cannot be passed by a caller', () => {
    const isolated = childScope(rootScope('a'), 'isolated', 'x')
    expect(rootScope('a/x')).not.toBe(isolated)
    expect(rootScope('a%2Fx')).not.toBe(rootScope('a/x'))
  })

  it('without a parent scope there is none', () => {
    expect(childScope(undefined, 'inherit', 'x')).toBeUndefined()
    expect(childScope(undefined, 'isolated', 'x')).toBeUndefined()
    expect(childScope('a', undefined, 'x')).toBe('a')
  })
})

describe('the in-memory provider', () => {
  it('keeps the latest turns and returns copies', async () => {
    const memory = createInMemory({ turns: 2 })
    for (const n of [1, 2, 3]) memory.remember('s', { agent: 'a', input: { n }, output: n })
    const turns = (await memory.recall('s')) as unknown as readonly { input: { n: number } }[]
    expect(turns.map(({ input }) => input.n)).toEqual([2, 3])
    for (const turn of turns) turn.input.n = 99
    expect(memory.recall('s')).toMatchObject([{ input: { n: 2 } }, { input: { n: 3 } }])
    expect(memory.recall('__proto__')).toEqual([])
  })
})
