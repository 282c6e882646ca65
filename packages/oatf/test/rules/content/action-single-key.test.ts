import { testRule } from '../harness.ts'

const actions = (list: string) => `attack: {execution: {phases: [{on_enter: ${list}}]}}`
const path = 'attack.execution.phases[0].on_enter[0]'

testRule('V-041', {
  valid: [
    actions('[{send: {method: x}}, {log: {message: x}}, {custom_action: 5}]'),
    actions('[{send: {method: x}, x-note: y, x-other: z}]'),
    actions('[text, 5]'),
    actions('text'),
  ],
  invalid: [
    [actions('[{send: {method: x}, log: {message: y}}]'), path],
    [actions('[{}]'), path],
    [actions('[{x-note: y}]'), path],
    [actions('[{a: 1, b: 2, c: 3, d: 4}]'), path],
    [actions('[{a: 1}, {b: 1, xc: 2}]'), 'attack.execution.phases[0].on_enter[1]'],
    [
      'attack: {execution: {actors: [{phases: [{on_enter: [{a: 1, b: 2}]}]}]}}',
      'attack.execution.actors[0].phases[0].on_enter[0]',
    ],
  ],
  message: 'got "send" and "log"',
})
