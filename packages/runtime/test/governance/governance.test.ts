import { deferred } from '@joust/io'
import { describe, expect, it } from 'vitest'
import { toolDenial } from '../../src/governance/governance.ts'
import type { RunEvent } from '../../src/model/events.ts'
import type { GovernancePolicy, GuardrailSubject } from '../../src/model/governance.ts'
import { leaf, makeAgent } from '../support/agents.ts'
import { react, scripts } from '../support/react.ts'
import { errorOf, outputOf, run } from '../support/run.ts'

const ref = (policy_ref: string, required?: boolean) => ({
  policy_ref,
  ...(required === undefined ? {} : { required }),
})
const registry = (...policies: GovernancePolicy[]) => ({
  resolve: (id: string) => policies.find((policy) => policy.id === id),
})
const bound = (...refs: { policy_ref: string }[]) => ({ constraints: { governance_policies: refs } })
const calling = (name: string) => scripts({ m: [{ tool_calls: [{ name, arguments: {} }] }, { text: 'done' }] })
const looking = { action_space: { local_tools: [{ alias: 'look' }, { alias: 'touch' }] } }
const tools = { look: { call: () => 'seen' }, touch: { call: () => 'felt' } }

const steps = (...agents: string[]) => ({ id: 'agf.sequential', config: { steps: agents.map((agent) => ({ agent })) } })

describe('R-34, R-35: references', () => {
  let ran = false
  const agent = (...refs: { policy_ref: string }[]) =>
    leaf(
      () => {
        ran = true
        return 'ran'
      },
      bound(...refs),
    )

  it.each([
    ['no provider', {}],
    ['a registry that does not know it', { governance: registry() }],
    ['a registry that is down', { governance: { resolve: () => Promise.reject(new Error('down')) } }],
    [
      'a policy whose limit is not a number',
      { governance: { resolve: () => ({ id: 'org.a', limits: { max_llm_calls: '3' } }) as never } },
    ],
    ['what is not a policy at all', { governance: { resolve: () => 'allow' as never } }],
  ])('a required one stops the run: %s', async (_, options) => {
    ran = false
    const error = await errorOf(agent(ref('org.a')), null, options)
    expect(error.code).toBe('policy_unresolved')
    expect(error.message).toContain('org.a')
    expect(ran).toBe(false)
  })

  it('an advisory one is a warning', async () => {
    const { result } = await run(agent(ref('org.a', false)), null)
    expect(result?.output).toBe('ran')
    expect(result?.warnings).toEqual([
      { code: 'policy_unresolved', message: 'org.a: no governance provider is configured', agent: [] },
    ])
  })

  it('OPEN-47: references of sub-agents are resolved before the root starts, each of them once', async () => {
    const asked: string[] = []
    const governance = {
      resolve(id: string) {
        asked.push(id)
        return id === 'org.b' ? undefined : { id }
      },
    }
    const child = leaf(() => null, bound(ref('org.a'), ref('org.b')))
    const root = makeAgent({ policy: { id: 'x-test.leaf', config: {} }, agents: { child }, ...bound(ref('org.a')) })
    const error = await errorOf(root, null, { governance })
    expect(error).toMatchObject({ code: 'policy_unresolved', agent: ['child'] })
    expect(asked).toEqual(['org.a', 'org.b'])
  })

  it('implicit policies are found by metadata without annotations; a registry that fails stops the run', async () => {
    const labels = { team: 'red' }
    const root = leaf(() => 1, { metadata: { labels, annotations: { note: 'x' } } })
    let seen: object = {}
    const implicit = (metadata: object) => {
      seen = metadata
      return [{ id: 'org.all', limits: { max_delegation_depth: 0 } }]
    }
    await outputOf(root, null, { governance: { resolve: () => undefined, implicit } })
    expect(seen).toMatchObject({ id: 'agent', labels })
    expect(seen).not.toHaveProperty('annotations')
    const failing = { resolve: () => undefined, implicit: () => Promise.reject(new Error('down')) }
    expect((await errorOf(root, null, { governance: failing })).code).toBe('policy_unresolved')
  })
})

describe('composition', () => {
  it('allow lists intersect, deny lists unite', () => {
    const governance = {
      policies: [
        { id: 'a', allowed_tools: ['x', 'y'] },
        { id: 'b', allowed_tools: ['y', 'z'], deny_tools: ['w'] },
        { id: 'c', deny_tools: ['v'] },
      ],
    }
    const allowed = ['v', 'w', 'x', 'y', 'z'].filter((name) => toolDenial(governance, [name]) === undefined)
    expect(allowed).toEqual(['y'])
    expect(toolDenial({ policies: [] }, ['x'])).toBeUndefined()
    expect(toolDenial({ policies: [{ id: 'none', allowed_tools: [] }] }, ['x'])).toBe('not allowed by policy none')
  })

  it('a denied tool is neither listed nor executed', async () => {
    const agent = react('m', { ...looking, ...bound(ref('org.a')) })
    const governance = registry({ id: 'org.a', deny_tools: ['touch'] })
    const { result, events } = await run(agent, 'go', { models: calling('touch'), tools, governance })
    expect(result).toMatchObject({ output: 'done', usage: { toolCalls: 0 } })
    expect(events.find((event) => event.type === 'model-called')).toMatchObject({ tools: ['look'] })
    expect(events.some((event) => event.type === 'tool-called')).toBe(false)
  })

  it('the smallest budget applies, and policies of a parent apply to its children', async () => {
    const child = react('m', { ...looking, constraints: { limits: { max_tool_calls: 5 } } })
    const root = makeAgent({
      policy: { id: 'agf.sequential', config: { steps: [{ agent: 'child' }] } },
      agents: { child },
      ...bound(ref('org.a')),
    })
    const governance = registry({ id: 'org.a', limits: { max_tool_calls: 0 }, allowed_tools: ['look'] })
    const { result, events } = await run(root, 'go', { models: calling('look'), tools, governance })
    expect(result?.output).toBe('done')
    expect(events.find((event) => event.type === 'limit-reached')).toMatchObject({
      limit: 'governance.org.a.limits.max_tool_calls',
      agent: ['child'],
      owner: [],
    })
  })

  it('a policy of parent and child counts once', async () => {
    const child = leaf(() => 1, bound(ref('org.a')))
    const root = makeAgent({ policy: steps('child'), agents: { child }, ...bound(ref('org.a')) })
    let checks = 0
    const check = () => {
      checks += 1
      return { allowed: true }
    }
    await outputOf(root, null, { governance: registry({ id: 'org.a', guardrails: [{ name: 'g', check }] }) })
    expect(checks).toBe(4)
  })

  it('A-08: approval: false does not override governance', async () => {
    const agent = react('m', {
      action_space: { local_tools: [{ alias: 'look', approval: false }] },
      ...bound(ref('org.a')),
    })
    const governance = registry({ id: 'org.a', approvals: [{ message_template: 'May it {{tool_name}}?' }] })
    let message = ''
    const approve = (request: { message: string }) => {
      message = request.message
      return { approved: true }
    }
    await outputOf(agent, 'go', { models: calling('look'), tools, governance, approve })
    expect(message).toBe('May it look?')
  })
})

describe('guardrails', () => {
  const guarding = (stage: GuardrailSubject['stage'], answer: () => { allowed: boolean; reason?: string }) =>
    registry({
      id: 'org.a',
      guardrails: [{ name: 'g', check: (subject) => (subject.stage === stage ? answer() : { allowed: true }) }],
    })
  const deny = () => ({ allowed: false, reason: 'secret' })

  it.each(['input', 'output'] as const)('the %s of an agent', async (stage) => {
    const agent = leaf(() => 'x', bound(ref('org.a')))
    const error = await errorOf(agent, null, { governance: guarding(stage, deny) })
    expect(error).toMatchObject({
      code: 'guardrail_denied',
      message: `the ${stage} of agent: guardrail g of policy org.a denied it: secret`,
    })
  })

  it.each([
    ['tool_call', 'look was not called: guardrail g of policy org.a denied it: secret'],
    ['tool_result', 'the result of look is withheld: guardrail g of policy org.a denied it: secret'],
  ] as const)('%s', async (stage, content) => {
    const agent = react('m', { ...looking, ...bound(ref('org.a')) })
    const { result, events } = await run(agent, 'go', {
      models: calling('look'),
      tools,
      governance: guarding(stage, deny),
    })
    expect(result?.output).toBe('done')
    expect(events.find((event) => event.type === 'tool-failed')).toMatchObject({ content })
    expect(JSON.stringify(events)).not.toContain('seen')
  })

  it('a failing guardrail denies the value', async () => {
    const agent = leaf(() => 'x', bound(ref('org.a')))
    const broken = () => {
      throw new Error('broken')
    }
    expect((await errorOf(agent, null, { governance: guarding('output', broken) })).code).toBe('guardrail_denied')
    const odd = () => ({ allowed: 'yes' }) as never
    expect((await errorOf(agent, null, { governance: guarding('output', odd) })).code).toBe('guardrail_denied')
  })
})

describe('audit', () => {
  it('of the root receives the end of the run and limits', async () => {
    const heard: string[] = []
    const agent = react('m', { constraints: { limits: { max_llm_calls: 0 }, governance_policies: [ref('org.a')] } })
    const governance = registry({ id: 'org.a', audit: ({ type }) => void heard.push(type) })
    await run(agent, 'go', { models: calling('look'), governance })
    expect(heard).toEqual(['agent-started', 'step-started', 'limit-reached', 'agent-failed', 'run-failed'])
  })

  it('a failure after the run causes no warning', async () => {
    const later = deferred()
    const audit = async () => {
      await later.promise
      throw new Error('disk full')
    }
    const agent = leaf(() => 'a', bound(ref('org.a')))
    const { events } = await run(agent, null, { governance: registry({ id: 'org.a', audit: audit as never }) })
    later.resolve()
    await new Promise(setImmediate)
    expect(events.at(-1)?.type).toBe('run-finished')
  })

  it('receives the events of its agents and cannot break the run', async () => {
    const heard: RunEvent[] = []
    const audited = leaf(() => 'a', bound(ref('org.a')))
    const free = leaf(() => 'b')
    const root = makeAgent({
      policy: { id: 'agf.sequential', config: { steps: [{ agent: 'audited' }, { agent: 'free' }] } },
      agents: { audited, free },
    })
    const audit = (event: RunEvent) => {
      heard.push(event)
      throw new Error('disk full')
    }
    const { result } = await run(root, null, { governance: registry({ id: 'org.a', audit }) })
    expect(result?.output).toBe('b')
    expect(heard.map(({ type, agent }) => [type, agent.join('.')])).toEqual([
      ['agent-started', 'audited'],
      ['agent-finished', 'audited'],
    ])
    expect(result?.warnings.map(({ code }) => code)).toContain('audit_failed')
  })
})
