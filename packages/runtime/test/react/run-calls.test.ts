/** Calls of one answer, side by side. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { type ScriptedCall, scriptedModel } from '@joust/sim'
import type { Value } from '@joust/source'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ApprovalRequest } from '../../src/model/approval.ts'
import type { LanguageModel } from '../../src/model/language-model.ts'
import type { RuntimeOptions } from '../../src/model/options.ts'
import { type AgentParts, leaf } from '../support/agents.ts'
import { react, scripts } from '../support/react.ts'
import { recorded } from '../support/recorded.ts'
import { run } from '../support/run.ts'

const call = (name: string, args: Value = {}): ScriptedCall => ({ name, arguments: args })
const script = (...calls: readonly ScriptedCall[]) => [{ tool_calls: calls }, { text: 'done' }]

/** Counts what is under way; each takes as many turns of the event loop as it says. */
function counter() {
  const counts = { now: 0, most: 0, ended: [] as unknown[] }
  const work = async <T>(id: T, turns = 1): Promise<T> => {
    counts.now += 1
    counts.most = Math.max(counts.most, counts.now)
    for (let passed = 0; passed < turns; passed++) await turn()
    counts.now -= 1
    counts.ended.push(id)
    return id
  }
  return { counts, work }
}

const wait = { action_space: { local_tools: [{ alias: 'wait' }] } } satisfies AgentParts

async function waiting(turns: readonly number[], more: RuntimeOptions = {}, parts: AgentParts = {}) {
  const { counts, work } = counter()
  const { model, asked } = recorded(script(...turns.map((each, id) => call('wait', { id, turns: each }))))
  const tools = {
    wait: { call: (args: Value) => work((args as { id: number }).id, (args as { turns: number }).turns) },
  }
  const ran = await run(react('m', { ...wait, ...parts }), 'x', { models: { m: model }, tools, ...more })
  const [, second] = asked
  return { ...ran, counts, results: second?.prompt.find(({ role }) => role === 'tool')?.content }
}

describe('the calls of one answer', () => {
  it('run concurrently, with results in the order of the calls', async () => {
    const { result, counts, results } = await waiting([5, 3, 1])
    expect(result?.output).toBe('done')
    expect(counts).toMatchObject({ most: 3, ended: [2, 1, 0] })
    expect(results).toMatchObject(
      [0, 1, 2].map((id) => ({ toolCallId: `scripted-1-${id + 1}`, output: { type: 'json', value: id } })),
    )
  })

  it.each([
    ['eight by default', {}, 8],
    ['as many as the host says', { callConcurrency: 2 }, 2],
    ['one after the other, if it says so', { callConcurrency: 1 }, 1],
  ])('are limited: %s', async (_, options, most) => {
    const { counts } = await waiting(
      Array.from({ length: 12 }, () => 2),
      options,
    )
    expect([counts.most, counts.ended.length]).toEqual([most, 12])
  })

  it('are counted before they start: calls over the limit are not made', async () => {
    const constraints = { limits: { max_tool_calls: 2 } }
    const { result, counts, results } = await waiting([3, 3, 3, 3], {}, { constraints })
    expect(counts).toMatchObject({ most: 2, ended: [0, 1] })
    expect(result).toMatchObject({ output: 'done', usage: { toolCalls: 2 } })
    expect(results).toMatchObject([
      { output: { value: 0 } },
      { output: { value: 1 } },
      { output: { type: 'error-text', value: expect.stringMatching(/^wait was not called: .*max_tool_calls/) } },
      { output: { type: 'error-text', value: expect.stringMatching(/^not called: .*max_tool_calls/) } },
    ])
  })

  it('have all ended when one of them stops the run', async () => {
    const { counts, work } = counter()
    const stop = new AbortController()
    const tools = {
      wait: { call: () => work('waited', 3) },
      stop: { call: () => stop.abort() as never },
    }
    const parts = { action_space: { local_tools: [{ alias: 'wait' }, { alias: 'stop' }] } }
    const models = scripts({ m: script(call('wait'), call('stop'), call('wait')) })
    const { error, events } = await run(react('m', parts), 'x', { models, tools }, { signal: stop.signal })
    expect(error?.code).toBe('cancelled')
    expect(counts.most).toBe(1)
    expect(events.at(-1)?.type).toBe('run-failed')
  })

  it('of one remote agent run one after the other', async () => {
    const { counts, work } = counter()
    const connection = {
      skills: [],
      send: async ({ text }: { readonly text: string }) => ({ content: await work(text, 2), isError: false }),
      close: async () => {},
    }
    const parts = { action_space: { ...wait.action_space, remote_agents: [{ alias: 'far' }] } }
    const calls = [call('far', { message: 'a' }), call('far', { message: 'b' }), call('wait')]
    const tools = { wait: { call: () => work('waited') } }
    await run(react('m', parts), 'x', {
      ...{ models: scripts({ m: script(...calls) }), tools },
      remoteAgents: { far: { connect: async () => connection } },
    })
    expect(counts).toMatchObject({ most: 2, ended: ['waited', 'a', 'b'] })
  })
})

describe('approvals', () => {
  it('of tools, delegations and sub-agents are requested one at a time, in order', async () => {
    const { counts, work } = counter()
    const approve = async ({ target }: ApprovalRequest) => ({ approved: (await work(target, 3)) !== 'no' })
    const pay = { action_space: { local_tools: [{ alias: 'pay', approval: true }] } }
    const clerk = () => react('clerk', pay)
    const entries = { first: { approval: true }, second: { approval: true } }
    const parts: AgentParts = {
      ...{ agents: { first: leaf(() => 'ran'), second: clerk(), third: clerk() }, entries },
      action_space: {
        local_tools: [
          { alias: 'pay', approval: true },
          { alias: 'no', approval: true },
        ],
      },
    }
    const calls = ['pay', 'first', 'no', 'second', 'third'].map((name) =>
      call(name, name === 'pay' || name === 'no' ? {} : { input: name }),
    )
    const paid = counter()
    const tool = { call: () => paid.work('paid') }
    const { result, events } = await run(react('m', parts), 'x', {
      models: scripts({ m: script(...calls), clerk: script(call('pay')) }),
      tools: { pay: tool, no: tool },
      approve,
    })
    expect(result?.output).toBe('done')
    expect(counts.most).toBe(1)
    expect(counts.ended).toHaveLength(6)
    expect(counts.ended.slice(0, 4)).toEqual(['pay', 'first', 'no', 'second'])
    expect(paid.counts.ended).toHaveLength(3)
    const asking = events.flatMap(({ type }) => (type.startsWith('approval-') ? [type] : []))
    expect(asking).toEqual(Array.from({ length: 6 }, () => ['approval-asked', 'approval-answered']).flat())
  })

  it('that are cancelled while they wait are never requested', async () => {
    const asked: string[] = []
    const stop = new AbortController()
    const approve = ({ target }: ApprovalRequest) => {
      asked.push(target)
      stop.abort()
      return new Promise<never>(() => {})
    }
    const agents = { a: leaf(() => 'ran'), b: leaf(() => 'ran') }
    const agent = react('m', { agents, entries: { a: { approval: true }, b: { approval: true } } })
    const models = scripts({ m: script(call('a', { input: 1 }), call('b', { input: 1 })) })
    const { error } = await run(agent, 'x', { models, approve }, { signal: stop.signal })
    expect([error?.code, asked]).toEqual(['cancelled', ['a']])
  })
})

describe('the journal', () => {
  function journal() {
    const folder = mkdtempSync(join(tmpdir(), 'joust-calls-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    return { file: join(folder, 'run.journal') }
  }

  it('contains calls that ended while another was running', async () => {
    const kept = journal()
    const made: string[] = []
    const processOf = () => {
      const stop = new AbortController()
      const tools = {
        hang: {
          call: () => {
            made.push('hang')
            return new Promise<never>(() => {})
          },
        },
        wait: { call: () => made.push('wait') },
        stop: {
          async call(): Promise<never> {
            made.push('stop')
            await turn()
            stop.abort()
            return new Promise<never>(() => {})
          },
        },
      }
      const models = scripts({ m: script(call('hang'), call('wait'), call('stop'), call('wait')) })
      return run(agent, 'x', { models, tools }, { signal: stop.signal, journal: kept })
    }
    const local_tools = ['hang', 'wait', 'stop'].map((alias) => ({ alias }))
    const agent = react('m', { action_space: { local_tools } })
    expect((await processOf()).error?.code).toBe('cancelled')
    expect(made).toEqual(['hang', 'wait', 'stop', 'wait'])
    const { result, events } = await processOf()
    // None of them is made a second time: two are recorded, and the ends of the other two are unknown.
    expect(made).toHaveLength(4)
    expect(result).toMatchObject({ output: 'done', usage: { toolCalls: 4 } })
    const ends = events.flatMap((event) =>
      event.type === 'tool-answered' || event.type === 'tool-failed' ? [[event.call, event.content]] : [],
    )
    expect(ends.toSorted()).toEqual([
      ['scripted-1-1', expect.stringContaining('the outcome of hang is unknown')],
      ['scripted-1-2', 2],
      ['scripted-1-3', expect.stringContaining('the outcome of stop is unknown')],
      ['scripted-1-4', 4],
    ])
  })

  it('replays the results of two equal delegations in the right order', async () => {
    const kept = journal()
    const agent = react('m', {
      agents: { child: react('child', { action_space: { local_tools: [{ alias: 'pick' }] } }) },
    })
    const processOf = async (first: boolean) => {
      const stop = new AbortController()
      const counts = { asked: 0, picked: 0 }
      const child: LanguageModel = {
        ...scriptedModel([]),
        async doGenerate(given) {
          const results = given.prompt.find(({ role }) => role === 'tool')
          if (results !== undefined) return scriptedModel([{ text: JSON.stringify(results.content) }]).doGenerate(given)
          counts.asked += 1
          if (counts.asked === 1) for (let passed = 0; passed < 6; passed++) await turn()
          return scriptedModel([{ tool_calls: [call('pick')] }]).doGenerate(given)
        },
      }
      const { model, asked } = recorded(script(call('child', { input: 'x' }), call('child', { input: 'x' })))
      const doGenerate: LanguageModel['doGenerate'] = (given) => {
        const answer = model.doGenerate(given)
        if (asked.length === 1 || !first) return answer
        stop.abort()
        return new Promise<never>(() => {})
      }
      const tools = { pick: { call: () => `picked ${++counts.picked}` } }
      const options = { models: { child, m: { ...model, skip: Reflect.get(model, 'skip'), doGenerate } }, tools }
      const { result } = await run(agent, 'x', options, { signal: stop.signal, journal: kept })
      return { result, counts, seen: asked.at(-1)?.prompt.find(({ role }) => role === 'tool')?.content }
    }
    const first = await processOf(true)
    expect(first.counts).toEqual({ asked: 2, picked: 2 })
    expect(JSON.stringify(first.seen)).toMatch(/picked 2.*picked 1/)
    const second = await processOf(false)
    expect(second).toMatchObject({ counts: { asked: 0, picked: 0 }, result: { output: 'done' } })
    expect(second.seen).toEqual(first.seen)
  })
})
