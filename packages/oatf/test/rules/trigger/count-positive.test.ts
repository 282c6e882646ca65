import { testRule } from '../harness.ts'

const trigger = (text: string) => `attack: {execution: {phases: [{trigger: ${text}}]}}`

testRule('W-102', {
  valid: [trigger('{event: x}'), trigger('{event: x, count: 1}'), trigger('{event: x, count: many}'), trigger('text')],
  invalid: [
    [trigger('{event: x, count: 0}'), 'attack.execution.phases[0].trigger.count'],
    [trigger('{event: x, count: -3}'), 'attack.execution.phases[0].trigger.count'],
  ],
  message: 'expected at least 1, got 0',
})
