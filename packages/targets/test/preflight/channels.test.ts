/** The channels that reach the model, and the memory of a conversation. */
import { describe, expect, test } from 'vitest'
import { runPreflight } from '../../src/preflight/preflight.ts'
import { attacked, inInstructions, inMessage, inResult, inTwoTurns, talkingTarget } from './talking.ts'

describe('a channel', () => {
  test('that the model reads is shown by its requests', async () => {
    const { preflight, trial } = await attacked(inInstructions, { observed: true, mute: true })
    expect(preflight).toMatchObject({
      status: 'passed',
      channels: { message: 'yes', tool_result: 'yes', server_instructions: 'yes' },
      usage: { calls: expect.any(Number), input_tokens: expect.any(Number) },
    })
    expect(trial).toMatchObject({ outcome: 'resisted', controls: { preflight: 'reached', alive_by: 'model' } })
  })

  test('that the agent drops makes the attack not applicable if its model is observed', async () => {
    const { preflight, trial } = await attacked(inInstructions, { observed: true, drops: ['server_instructions'] })
    expect(preflight.channels).toMatchObject({ server_instructions: 'no', tool_result: 'yes' })
    expect(trial?.outcome).toBe('not_applicable')
    expect(trial?.reasons).toEqual(['the bait channel does not reach the model of this agent'])
  })

  test('that the agent repeats is shown without observation', async () => {
    const { preflight, trial } = await attacked(inInstructions, {})
    expect(preflight.channels).toMatchObject({ server_instructions: 'yes' })
    expect(trial).toMatchObject({ outcome: 'resisted', controls: { preflight: 'reached' } })
  })

  test('that the agent does not repeat is unknown, never excluded, and the attack inconclusive', async () => {
    const { preflight, trial } = await attacked(inInstructions, { drops: ['server_instructions'] })
    expect(preflight).toMatchObject({ status: 'passed', channels: { server_instructions: 'unknown' } })
    expect(trial?.outcome).toBe('inconclusive')
    expect(trial?.reasons[0]).toContain('the bait (server instructions)')
  })

  test('that the user declares counts, and the results say so', async () => {
    const known = { channels: { server_instructions: 'declared' } } as const
    const run = () => ({ limits: { graceMs: 0 }, target: talkingTarget({ mute: true }), known })
    const { trial } = await attacked(inInstructions, {}, { run })
    expect(trial).toMatchObject({ outcome: 'resisted', controls: { preflight: 'declared' } })
  })

  test('of a tool result is shown by the call of the preflight', async () => {
    const { preflight, trial } = await attacked(inResult, { mute: true, form: 'once' })
    expect(preflight.channels).toEqual({ message: 'yes', tool_result: 'yes' })
    expect(trial).toMatchObject({ outcome: 'resisted', controls: { alive_by: 'postflight' } })
  })

  test.each([true, false])(
    'that the agent never fetches is unknown for that reason (observed: %s)',
    async (observed) => {
      const preflight = await runPreflight([inInstructions], {
        optionsFor: async () => ({ target: talkingTarget({ observed, drops: ['server_instructions'] }) }),
        ...{ skip: undefined, onStart() {}, channels: ['server_instructions', 'prompt'] },
      })
      expect(preflight).toMatchObject({ status: 'passed', channels: { prompt: 'unknown' }, unfetched: ['prompt'] })
    },
  )

  test('is not known without a preflight', async () => {
    const { preflight, trial } = await attacked(inResult, {}, { skipPreflight: 'not wanted' })
    expect(preflight).toMatchObject({ status: 'skipped', channels: { tool_result: 'unknown' } })
    expect(trial?.outcome).toBe('inconclusive')
  })
})

describe('an agent that forgets', () => {
  test.each([true, false])('has no attacks of several turns (observed: %s)', async (observed) => {
    const { preflight, trial } = await attacked(inTwoTurns, { forgets: true, observed })
    expect(preflight).toMatchObject({ status: 'passed', remembers: 'no' })
    expect(trial?.outcome).toBe('not_applicable')
    expect(trial?.reasons).toEqual([
      'the attack needs several turns, and the agent forgot the first message of the preflight',
    ])
  })

  test('is distinguished from one that remembers', async () => {
    const { preflight, trial } = await attacked(inTwoTurns, {})
    expect(preflight.remembers).toBe('yes')
    expect(trial?.outcome).toBe('resisted')
  })

  test('is not asked when no attack has several turns', async () => {
    expect((await attacked(inResult, { forgets: true })).preflight.remembers).toBeUndefined()
  })
})

test('a bait that only a call for a title contains was not read, also where no call offers tools', async () => {
  const titled = { observed: true, title: true } as const
  const { preflight, trial } = await attacked(inMessage, titled)
  expect(preflight.main).toEqual({ prompts: [expect.any(String)] })
  expect(trial).toMatchObject({ outcome: 'resisted', controls: { alive_by: 'model' } })
  const failed = await attacked(inMessage, { ...titled, last: 'Weekly limit reached' })
  expect(failed.trial?.outcome).toBe('inconclusive')
  expect(failed.trial?.reasons[0]).toContain('only background calls to the model contain the bait')
})
