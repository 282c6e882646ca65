import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Value } from '@joust/source'
import { expect } from 'vitest'

const program = fileURLToPath(new URL('judge-with-ajv.mjs', import.meta.url))

/**
 * Ajv's verdict on each value, by the schema at its index. Ajv generates code from strings, which this process forbids,
 * so it runs in another one.
 */
export function judgeWithAjv(schemas: readonly Value[], cases: readonly (readonly [number, Value])[]): boolean[] {
  const options = { input: JSON.stringify({ schemas, cases }), maxBuffer: 1e8, encoding: 'utf8' } as const
  const { stdout, stderr } = spawnSync(process.execPath, [program], options)
  expect(stderr).toBe('')
  expect(stdout).toHaveLength(cases.length)
  return [...stdout].map((verdict) => verdict === '1')
}
