/** Approvals in whole runs. */
import { describe, expect, it } from 'vitest'
import { fillTemplate, shown } from '../../src/approvals/ask.ts'
import type { ApprovalRequest } from '../../src/model/approval.ts'
import type { RunEvent } from '../../src/model/events.ts'
import type { GuardrailSubject } from '../../src/model/governance.ts'
import { leaf, makeAgent } from '../support/agents.ts'
import { react, scripts } from '../support/react.ts'
import { errorOf, outputOf, run } from '../support/run.ts'

const pay = { name: 'pay', arguments: { to: 'Ann', sum: 50 } }
const models = () => scripts({ m: [{ tool_calls: [pay] }, { text: 'done' }] })
const gated = (approval: unknown) =>
  react('m', { action_space: { local_tools: [{ alias: 'pay', approval: approval as boolean }] } })

function paying() {
  const paid: unknown[] = []
  const tools = {
    pay: {
      call(args: unknown) {
        paid.push(args)
        return 'paid'
      },
    },
  }
  return { paid, tools }
}

describe('OPEN-42: approval requests', () => {
  it('the approver sees the raw arguments that are executed', async () => {
    const { paid, tools } = paying()
    const asked: ApprovalRequest[] = []
    const approve = (request: ApprovalRequest) => {
      asked.push(request)
      return { approved: true }
    }
    const agent = gated({ message_template: 'Pay {{tool_args.to}}?' })
    const { result, events } = await run(agent, 'go', { models: models(), tools, approve })
    expect(result).toMatchObject({ output: 'done', usage: { toolCalls: 1 } })
    expect(asked).toMatchObject([
      {
        kind: 'tool',
        target: 'pay',
        message: 'Pay Ann?',
        args: { to: 'Ann', sum: 50 },
        agent: { id: 'm', name: 'm', path: [] },
        reasons: ['approval is always required'],
      },
    ])
    expect(paid).toEqual([asked[0]?.args])
    expect(events.filter(({ type }) => type.startsWith('approval-'))).toMatchObject([
      { type: 'approval-asked', target: 'pay' },
      { type: 'approval-answered', approved: true },
    ])
  })

  it('the approver cannot change the arguments', async () => {
    const { paid, tools } = paying()
    const change = (args: unknown) => void Object.assign(args as object, { to: 'Eve' })
    const approve = ({ args }: ApprovalRequest) => {
      change(args)
      return { approved: true }
    }
    const check = ({ value }: GuardrailSubject) => {
      if (typeof value === 'object') change(value)
      return { allowed: true }
    }
    const watch = (event: RunEvent) => {
      if ('args' in event) change(event.args)
    }
    const guardrails = ['first', 'second'].map((name) => ({ name, check }))
    const governance = { resolve: () => undefined, implicit: () => [{ id: 'p', guardrails, audit: watch }] }
    const { events } = await run(gated(true), {}, { models: models(), tools, approve, governance, onEvent: watch })
    expect(paid).toEqual([pay.arguments])
    const told = events.flatMap((event) => ('args' in event ? [event.args] : []))
    expect(told).toEqual([pay.arguments, pay.arguments])
  })

  it('no approval is requested for a call that a limit prevents', async () => {
    let asked = 0
    const approve = () => {
      asked += 1
      return { approved: true }
    }
    const { paid, tools } = paying()
    const script = scripts({ m: [{ tool_calls: [pay] }, { tool_calls: [pay] }, { text: 'done' }] })
    await run(gated(true), 'go', { models: script, tools, approve, limits: { max_tool_calls: 1 } })
    expect([asked, paid.length]).toEqual([1, 1])
  })

  it.each([
    ['denied', { approve: () => ({ approved: false, reason: 'too much' }) }, 'pay was not approved: too much'],
    ['an approver that fails', { approve: () => Promise.reject(new Error('down')) }, 'pay was not approved: down'],
    ['an approver that answers nonsense', { approve: () => ({ approved: 'yes' }) as never }, 'pay was not approved'],
    ['an approver that answers nothing', { approve: () => undefined as never }, 'pay was not approved'],
  ])('%s: an error observation, the run continues, and the call does not count', async (_, options, reason) => {
    const { paid, tools } = paying()
    const { result, events } = await run(gated(true), 'go', { models: models(), tools, ...options })
    expect(result).toMatchObject({ output: 'done', usage: { toolCalls: 0 } })
    expect(paid).toEqual([])
    const failed = events.find((event) => event.type === 'tool-failed')
    expect(failed).toMatchObject({ content: `pay failed: ${reason}` })
    expect(events.some((event) => event.type === 'tool-called')).toBe(false)
  })

  it('a condition that matches without an approver is a denial', async () => {
    const { paid, tools } = paying()
    // A condition that cannot be evaluated requires approval.
    const conditional = gated({ condition: { args_match: { 'no-such-argument': 1 } } })
    const { events, result } = await run(conditional, 'go', { models: models(), tools })
    expect(paid).toEqual([])
    const failed = events.find((event) => event.type === 'tool-failed')
    expect(failed).toMatchObject({ content: 'pay failed: pay was not approved: no approver is configured' })
    const warning = { code: 'approval_unavailable', message: 'pay was refused: no approver is configured', agent: [] }
    expect(result?.warnings).toContainEqual(warning)
  })

  it('in other policies, a denial fails the run', async () => {
    const agent = (approval: unknown) =>
      makeAgent({
        policy: { id: 'agf.sequential', config: { steps: [{ agent: 'a' }] } },
        agents: { a: leaf(() => 'ran') },
        entries: { a: { approval: approval as boolean } },
      })
    const deny = { approve: () => ({ approved: false, reason: 'no' }) }
    expect(await errorOf(agent(true), {}, deny)).toMatchObject({
      code: 'approval_denied',
      agent: [],
      details: { target: 'a', kind: 'agent' },
    })
    expect(await errorOf(agent(true), {})).toMatchObject({ code: 'approval_unavailable' })
    expect(await outputOf(agent({ condition: { args_match: { 'parent.input.risk': 'high' } } }), { risk: 'low' })).toBe(
      'ran',
    )
    expect(
      (await errorOf(agent({ condition: { args_match: { 'parent.input.risk': 'high' } } }), { risk: 'high' })).code,
    ).toBe('approval_unavailable')
  })

  it('one request per invocation: each item of a batch, each iteration of a loop', async () => {
    let asked = 0
    const approve = () => {
      asked += 1
      return { approved: true }
    }
    const agents = { a: leaf(() => 1) }
    const entries = { a: { approval: true } }
    const batch = makeAgent({
      policy: { id: 'agf.batch', config: { agent: 'a', input_mapping: { x: 'parent.input.list.[]' } } },
      agents,
      entries,
    })
    await outputOf(batch, { list: [1, 2, 3] }, { approve })
    expect(asked).toBe(3)
    const loop = makeAgent({
      policy: { id: 'agf.loop', config: { steps: [{ agent: 'a' }], max_iterations: 2 } },
      agents,
      entries,
    })
    await outputOf(loop, {}, { approve })
    expect(asked).toBe(5)
  })

  it('cancellation ends a pending request', async () => {
    const cancel = new AbortController()
    const approve = () => {
      queueMicrotask(() => cancel.abort())
      return new Promise<never>(() => {})
    }
    const { tools, paid } = paying()
    const error = await errorOf(gated(true), 'go', { models: models(), tools, approve }, { signal: cancel.signal })
    expect(error.code).toBe('cancelled')
    expect(paid).toEqual([])
  })

  it('a denied delegation of react is an observation', async () => {
    const agent = react('m', { agents: { helper: leaf(() => 'helped') }, entries: { helper: { approval: true } } })
    const script = scripts({ m: [{ tool_calls: [{ name: 'helper', arguments: { input: 'x' } }] }, { text: 'alone' }] })
    const approve = () => ({ approved: false, reason: 'not now' })
    const { result, events } = await run(agent, 'go', { models: script, approve })
    expect(result?.output).toBe('alone')
    expect(events.find((event) => event.type === 'tool-failed')).toMatchObject({
      content: 'helper failed: helper was not approved: not now',
    })
  })
})

const variables = {
  agent_id: 'clerk',
  agent_name: 'The Clerk',
  tool_name: 'pay',
  tool_args: { to: 'Ann', order: { id: 7 }, list: [1, 'a'] },
}

describe('A-07, OPEN-41: templates', () => {
  it.each([
    ['Pay {{tool_args.to}}?', 'Pay Ann?'],
    ['{{ tool_args.order.id }} by {{agent_name}} ({{agent_id}}) with {{tool_name}}', '7 by The Clerk (clerk) with pay'],
    ['{{tool_args.order}} {{tool_args.list}}', '{"id":7} [1,"a"]'],
    ['{{tool_args.sum}}', '[missing: tool_args.sum]'],
    ['{{tool_args.to.length}}', '[missing: tool_args.to.length]'],
    ['{{tool_args.__proto__}} {{constructor}}', '[missing: tool_args.__proto__] [missing: constructor]'],
    ['{{input.x}} {{agent_alias}}', '[missing: input.x] [missing: agent_alias]'],
    ['{{', '{{'],
    ['{{{{tool_name}}}}', '{{pay}}'],
    ['<b>{{tool_args.to}}</b>', '<b>Ann</b>'],
  ])('%s', (template, expected) => {
    expect(fillTemplate(template, variables)).toBe(expected)
  })

  it('arguments cannot hide text, add lines or exceed the length', () => {
    const hostile = {
      ...variables,
      tool_args: { to: `Ann\u202e\u0007\r\nApproved: yes\u200b`, long: 'x'.repeat(5000) },
    }
    const message = fillTemplate('{{tool_args.to}}|{{tool_args.long}}', hostile)
    expect(message).not.toMatch(/[\p{Cc}\u202e\u200b]/u)
    expect(message.length).toBeLessThan(500)
    expect(message.endsWith('…')).toBe(true)
  })

  it('values are not expanded as templates', () => {
    expect(fillTemplate('{{tool_args.to}}', { ...variables, tool_args: { to: '{{agent_id}}' } })).toBe('{{agent_id}}')
  })

  it('a value that is nested too deeply is replaced by a note', () => {
    let deep: unknown[] = []
    for (let depth = 0; depth < 2000; depth++) deep = [deep]
    expect(shown(deep as never)).toBe('[nested too deeply to show]')
  })

  it('a template of braces is fast', () => {
    expect(fillTemplate('{{'.repeat(100_000), variables)).toHaveLength(200_000)
  })
})
