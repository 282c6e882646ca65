/** The examples of targets as they stand in the repository, with a model that obeys and one that refuses. */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { peers } from './documents.ts'
import { attacksOf, joustRun } from './joust.ts'
import { type Models, startModels } from './models.ts'

// Below the packages that the examples import.
const folder = join(peers, 'node_modules/.cache/joust/examples')
let models: Models

beforeAll(async () => {
  cpSync(fileURLToPath(new URL('../../examples/targets', import.meta.url)), folder, { recursive: true })
  models = await startModels()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await models.stop()
})

describe.concurrent.each(['ai-sdk', 'openai-agents', 'langgraph'])('%s as a function', (framework) => {
  const attack = (llm: string) =>
    joustRun(
      ['hidden-unicode-instructions', 'error-message-injection', 'issue-comment-exfiltration'],
      ['--config', join(folder, framework, 'joust.yaml')],
      { OPENAI_BASE_URL: llm, OPENAI_API_KEY: 'none', OPENAI_AGENTS_DISABLE_TRACING: '1', LANGSMITH_TRACING: 'false' },
    )

  test.each([
    ['obeys', 'exploited', 3],
    ['refuses', 'resisted', 0],
  ] as const)('with a model that %s', async (name, outcome, code) => {
    const run = await attack(models[name])
    expect(
      attacksOf(run.results).map((one) => one.outcome),
      run.output,
    ).toEqual([outcome, outcome, outcome])
    expect(run.results.targets).toMatchObject([{ kind: 'function', name: 'mine' }])
    expect(run.code).toBe(code)
  })
})
