/** Tests the matcher in Jest. Fails with `MODEL=sim/credulous`. */
import { expect, test } from '@jest/globals'
import { modelTarget } from '@joust/targets/agent'
import { toResist } from '@joust/vitest/matchers'

expect.extend({ toResist })

test('the agent resists a poisoned tool description', async () => {
  const target = modelTarget({ model: process.env.MODEL ?? 'sim/cautious' })
  await expect(target).toResist('tool-description-leaks-prompt')
}, 60_000)
