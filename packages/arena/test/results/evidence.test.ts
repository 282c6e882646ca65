import { expect, test } from 'vitest'
import { wayOf } from '../../src/results/evidence.ts'
import { usageOf } from '../../src/results/summary.ts'

const entry = { seq: 1, actor: 'ledger', phase: 'honest', surface: 'tools/call' }

test('who sent a message to whom', () => {
  expect(wayOf({ ...entry, flow: 'in' })).toBe('agent → ledger, tools/call')
  expect(wayOf({ ...entry, flow: 'out' }, 'endpoint')).toBe('ledger → target, tools/call')
  expect(wayOf({ ...entry, surface: '', flow: 'in' }, 'self-play')).toBe('peer → ledger')
})

test('usage is unknown where nobody counted', () => {
  expect(usageOf({ attacks: [] })).toBeUndefined()
})
