import { expect, test } from 'vitest'
import { wayOf } from '../../src/describe/evidence.ts'

const entry = { seq: 1, actor: 'ledger', phase: 'honest', surface: 'tools/call' }

test('sender, receiver and operation of a message', () => {
  expect(wayOf({ ...entry, flow: 'in' })).toBe('agent → ledger, tools/call')
  expect(wayOf({ ...entry, flow: 'out' }, 'endpoint')).toBe('ledger → target, tools/call')
  expect(wayOf({ ...entry, surface: '', flow: 'in' }, 'self-play')).toBe('peer → ledger')
})
