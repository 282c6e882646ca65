import type { Action } from '@joust/oatf'
import { expect, test } from 'vitest'
import { enterPhase } from '../../src/actors/entry-actions.ts'
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
