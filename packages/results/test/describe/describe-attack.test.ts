import { expect, test } from 'vitest'
import { loadedAttack } from '../../../arena/test/support/attacks.ts'
import { describeAttack } from '../../src/describe/describe-attack.ts'

const indicator = { target: 'a', pattern: { contains: 'b' } } as const

test('severity and confidence of the attack and of its indicators', () => {
  const described = describeAttack(
    loadedAttack({
      severity: { level: 'high', confidence: 80 },
      execution: { mode: 'mcp_server', state: { tools: [] } },
      indicators: [indicator, { ...indicator, severity: 'low', confidence: 20 }],
    }),
  )
  expect(described).toMatchObject({ severity: 'high', confidence: 80 })
  expect(described.indicators.map(({ severity, confidence }) => [severity, confidence])).toEqual([
    [undefined, undefined],
    ['low', 20],
  ])
})

test('the text of the document is included', () => {
  const loaded = loadedAttack({ execution: { mode: 'mcp_server', state: { tools: [] } }, indicators: [indicator] })
  expect(describeAttack(loaded).text).toBe(loaded.text)
})
