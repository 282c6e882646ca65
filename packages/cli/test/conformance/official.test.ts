import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { joust } from '../world.ts'

const fixtures = fileURLToPath(new URL('../../../../../shared/oatf/conformance', import.meta.url))

test.skipIf(!existsSync(fixtures))('the official fixtures, where they lie beside the repository', async () => {
  const { code, stdout } = await joust(['conformance', fixtures])
  expect(stdout).toMatch(/\n414 passed, 0 failed\n$/)
  expect(code).toBe(0)
})
