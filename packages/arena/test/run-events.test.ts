import { expect, test } from 'vitest'
import type { RunEvent } from '../src/model/options.ts'
import { runEvents } from '../src/run-events.ts'
import { loadedAttack, selfPlay } from './support/attacks.ts'

const attack = loadedAttack(selfPlay('x', ['x']))
const options = { wire: { client: 'server' }, limits: { graceMs: 0 } }

test('the events of a run in order, then the run', async () => {
  const heard: RunEvent[] = []
  const events = runEvents(attack, { ...options, onEvent: (event) => heard.push(event) })
  const types: string[] = []
  let next = await events.next()
  for (; next.done !== true; next = await events.next()) types.push(next.value.type)
  expect(next.value.outcome).toBe('exploited')
  expect(types).toEqual(heard.map(({ type }) => type))
  expect(types.at(0)).toBe('actor-ready')
  expect(types).toContain('message-recorded')
  expect(types.at(-1)).toBe('run-ended')
})

test('events do not depend on an onEvent that throws', async () => {
  const onEvent = () => {
    throw new Error('out of order')
  }
  const types: string[] = []
  for await (const { type } of runEvents(attack, { ...options, onEvent })) types.push(type)
  expect(types).toContain('message-recorded')
  expect(types.at(-1)).toBe('run-ended')
})

test('leaving the loop stops the run', async () => {
  const heard: RunEvent[] = []
  const slow = { ...options, limits: { graceMs: 60_000 }, onEvent: (event: RunEvent) => heard.push(event) }
  for await (const { type } of runEvents(attack, slow)) if (type === 'grace-started') break
  expect(heard.at(-1)).toEqual({ type: 'run-ended', reason: 'interrupted' })
})
