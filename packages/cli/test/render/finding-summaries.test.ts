import { expect, test } from 'vitest'
import { findingSummaries } from '../../src/render/finding-summaries.ts'
import { joust } from '../world.ts'

test('every code has a sentence, and the one of OATF where both formats have it', () => {
  for (const [code, sentence] of findingSummaries) expect(sentence, code).toMatch(/^[A-Z].*\.$/)
  expect(findingSummaries.get('type_mismatch')).toContain('or is unknown')
})

test('SARIF notes codes that are not rules', async () => {
  const { stdout } = await joust(['validate', '-', '--format', 'sarif'], { stdin: 'a\u0000b' })
  expect(JSON.parse(stdout).runs[0].tool.driver.rules).toEqual([
    { id: 'binary', shortDescription: { text: 'The file is not text.' } },
  ])
})
