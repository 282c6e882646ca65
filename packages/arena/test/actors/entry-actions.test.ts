import type { Action } from '@joust/oatf'
import { expect, test } from 'vitest'
import { enterPhase } from '../../src/actors/entry-actions.ts'
import type { Driver } from '../../src/drivers/driver.ts'
import { createFakeStage } from '../support/fake-stage.ts'

test('wire 11: log keeps its level', async () => {
  const stage = createFakeStage('mcp_server', {})
  stage.values.set('who', 'ada')
  const actions: Action[] = [
    { log: { message: 'hello {{who}}' } },
    { log: { message: 'careful', level: 'warn' } },
    { log: { message: 'bad', level: 'error' } },
  ]
  const driver = { open: async () => {}, send: async () => ({}), close: async () => {} }
  await enterPhase(actions, stage.scene(), driver, stage, 'phase').written
  expect(stage.reports.map(({ code, message }) => `${code} ${message}`)).toEqual([
    'log-info hello ada',
    'log-warn careful',
    'log-error bad',
  ])
})

test('headers beside an action are those of its request', async () => {
  const stage = createFakeStage('a2a_client', {})
  const headers = { 'x-who': '{{who}}' }
  const seen: unknown[] = []
  const driver: Driver = {
    open: async () => {},
    close: async () => {},
    send: async (entry) => {
      seen.push(entry)
      return {}
    },
    enact: async (name, value) => {
      seen.push({ name, value })
      return true
    },
  }
  stage.values.set('who', 'mallory')
  const actions: Action[] = [
    { send: { method: 'tasks/get' }, 'x-joust-headers': headers },
    { send_push_notification: { payload: 1 }, 'x-joust-headers': headers },
    { send_push_notification: { payload: 2, 'x-joust-headers': { a: 'b' } } },
  ]
  await enterPhase(actions, stage.scene(), driver, stage, 'phase').written
  expect(seen).toEqual([
    { method: 'tasks/get', headers: { 'x-who': 'mallory' } },
    { name: 'send_push_notification', value: { payload: 1, 'x-joust-headers': { 'x-who': 'mallory' } } },
    { name: 'send_push_notification', value: { payload: 2, 'x-joust-headers': { a: 'b' } } },
  ])
})
