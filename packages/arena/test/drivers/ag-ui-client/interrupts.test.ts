/** Interrupts and outcomes of AG-UI 1.0: what ends a run, and what answers it. */
import type { Value } from '@joust/source'
import { describe, expect, it } from 'vitest'
import { call, input, play, started, streams } from './support.ts'

const approval = { id: 'i-1', reason: 'tool_approval', toolCallId: 'c', message: 'Pay 90?' }
const finished = (outcome: Value) => ({ type: 'RUN_FINISHED', threadId: 't', runId: 'r', outcome })
const interrupted = [started, ...call('c', 'pay'), finished({ type: 'interrupt', interrupts: [approval] })]
const done = [started, finished({ type: 'success' })]

describe('x-joust-resume', () => {
  it('answers an interrupt with the next run, in place of the call that it concerns', async () => {
    const entries = [
      { when: { reason: 'login' }, content: { status: 'cancelled' } },
      { when: { reason: 'tool_approval' }, content: { payload: { approved: true, said: '{{response.message}}' } } },
    ]
    const state = { run_agent_input: input, 'x-joust-resume': entries }
    const { perform, bodies, lines, codes } = await play(state, streams(interrupted, done))
    await perform()
    expect(bodies).toHaveLength(2)
    expect(bodies[0]).not.toHaveProperty('resume')
    const payload = { approved: true, said: 'Pay 90?' }
    expect(bodies[1]).toMatchObject({ threadId: 't', resume: [{ interruptId: 'i-1', status: 'resolved', payload }] })
    expect(lines()).not.toContain('out request tool_call_result')
    expect(codes()).toEqual([])
  })

  it('may claim anything, such as the interrupt of another run', async () => {
    const forged = { interruptId: 'other', status: 'resolved', extra: 1 }
    const state = { run_agent_input: input, 'x-joust-resume': [{ content: forged }] }
    const { perform, bodies } = await play(state, streams(interrupted, done))
    await perform()
    expect(bodies[1]).toMatchObject({ resume: [forged] })
  })

  it('without a matching entry leaves the run as it is', async () => {
    const state = { run_agent_input: input, 'x-joust-resume': [{ when: { reason: 'login' }, content: {} }] }
    const { perform, bodies } = await play(state, streams(interrupted, done))
    await perform()
    expect(bodies).toHaveLength(1)
  })

  it('gives up on an agent that interrupts every run', async () => {
    const state = { run_agent_input: input, 'x-joust-resume': [{ content: {} }] }
    const { perform, codes } = await play(state, streams(interrupted))
    await perform()
    expect(codes()).toEqual(['reply-missing'])
  })
})

it('answers of the document itself are not repeated in later runs', async () => {
  const resume = [{ interruptId: 'i-0', status: 'resolved' }]
  const { perform, bodies } = await play(
    { run_agent_input: { ...input, resume } },
    streams([started, ...call('c', 'pay'), finished({ type: 'success' })], done),
  )
  await perform()
  expect(bodies.map((body) => Object.hasOwn(body, 'resume'))).toEqual([true, false])
})

it('a cancelled run is no answer', async () => {
  const { perform, codes } = await play({ run_agent_input: input }, streams([started, finished({ type: 'cancelled' })]))
  await perform()
  expect(codes()).toEqual(['agent-failed'])
})

it('events of subagents are recorded as events of their names', async () => {
  const events = [
    { type: 'SUBAGENT_STARTED', subagentRunId: 's', name: 'payer' },
    { type: 'SUBAGENT_FINISHED', subagentRunId: 's', outcome: { type: 'success' } },
  ]
  const { perform, contents } = await play({ run_agent_input: input }, streams([started, ...events, done[1] ?? null]))
  await perform()
  expect([contents('subagent_started'), contents('subagent_finished')]).toMatchObject([[events[0]], [events[1]]])
})
