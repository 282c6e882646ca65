import { expect, test } from 'vitest'
import { findings, testRule } from '../harness.ts'

const indicator = (fields: string) => `attack: {indicators: [{${fields}}]}`
const path = 'attack.indicators[0]'

testRule('V-012', {
  valid: [
    indicator('pattern: {contains: x}'),
    indicator('pattern: {target: a, condition: {contains: x, regex: y, exists: true}}'),
    indicator('pattern: {condition: null}'),
    indicator('expression: {cel: "true"}'),
    indicator('semantic: {intent: x}'),
    indicator('semantic: {intent: x, examples: {negative: [y]}}'),
    indicator('semantic: {intent: x, examples: null}'),
  ],
  invalid: [
    [indicator('pattern: {contains: x}, expression: {cel: "true"}'), path],
    [indicator('pattern: {contains: x}, semantic: {intent: x}'), path],
    [indicator('expression: {cel: x}, semantic: {intent: x}'), path],
    [indicator('target: x'), path],
    ['attack: {indicators: [{}, text]}', path],
    [indicator('pattern: {}'), `${path}.pattern`],
    [indicator('pattern: {target: x}'), `${path}.pattern`],
    [indicator('pattern: {contains: x, condition: y}'), `${path}.pattern`],
    [indicator('pattern: {exists: true, condition: y}'), `${path}.pattern`],
    [indicator('pattern: {contains: x, regex: y}'), `${path}.pattern`],
    [indicator('pattern: {exists: true}'), `${path}.pattern`],
    [indicator('pattern: text'), `${path}.pattern`],
    [indicator('expression: null'), `${path}.expression`],
    [indicator('semantic: []'), `${path}.semantic`],
    [indicator('semantic: {intent: x, examples: {}}'), `${path}.semantic.examples`],
    [indicator('pattern: {}, semantic: {}'), path, `${path}.pattern`],
  ],
  message: 'expected one detection key, got pattern and expression',
})

test.each([
  ['{}', 'missing condition'],
  ['{gt: 1, lt: 5}', 'got gt, lt; put them under "condition"'],
  ['{gt: 1, condition: 5}', 'both "condition" and gt'],
  ['{exists: true}', '"exists" has no short form'],
])('explains the pattern %s', (pattern, message) => {
  expect(findings('V-012', indicator(`pattern: ${pattern}`))[0]?.message).toContain(message)
})
