import { expect, test } from 'vitest'
import * as api from '../src/index.ts'
import * as agent from '../src/targets/agent.ts'

// A promise to users: a name is added or removed here on purpose, or not at all.
test('the names of @joust/arena', () => {
  expect(Object.keys(api).sort()).toEqual([])
})

test('the names of @joust/arena/agent', () => {
  expect(Object.keys(agent).sort()).toEqual(['agentTarget', 'modelTarget'])
})
