import { expect, test } from 'vitest'
import { findings, testRule } from '../harness.ts'

const indicator = (attack: string, id: string) => `attack: {id: ${attack}, indicators: [{id: ${id}}]}`
const path = 'attack.indicators[0].id'

testRule('V-024', {
  valid: [
    indicator('ACME-003', 'ACME-003-02'),
    indicator('ACME-003-004', 'ACME-003-004-100'),
    'attack: {indicators: [{id: anything}]}',
    'attack: {id: 5, indicators: [{id: anything}]}',
    'attack: {id: ACME-003, indicators: [{}, text]}',
  ],
  invalid: [
    [indicator('ACME-003', 'ACME-007-02'), path],
    [indicator('ACME-003', 'ACME-003-2'), path],
    [indicator('ACME-003', 'ACME-003'), path],
    [indicator('ACME-003', 'ACME-003-02-03'), path],
    [indicator('ACME-003', 'acme-003-02'), path],
    [indicator('ACME-003', '"ACME-003-02\\n"'), path],
    [indicator('ACME-003', '5'), path],
    [indicator('lower', 'lower-01'), path],
    ['attack: {id: ACME-003, indicators: [{}, {id: x}]}', 'attack.indicators[1].id'],
  ],
  message: 'for example "ACME-003-01"',
})

test('gives no example that would be refused as well', () => {
  expect(findings('V-024', indicator('lower', 'lower-01'))[0]?.message).toContain(
    'but attack.id itself, "lower", is invalid',
  )
})
