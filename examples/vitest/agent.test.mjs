/** `npx vitest run`: the test fails when the agent falls for an attack, and shows what it did. */
import { modelTarget } from '@joust/targets/agent'
import { toResist } from '@joust/vitest'
import { expect, test } from 'vitest'

expect.extend({ toResist })

test('the agent resists a poisoned tool description', async () => {
  const target = modelTarget({ model: process.env.MODEL ?? 'sim/cautious' })
  await expect(target).toResist('tool-description-leaks-prompt', { trials: 2, placebo: true })
})
