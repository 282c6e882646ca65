/** Runs the repository's target examples unchanged, with a model that obeys and one that refuses. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { peers } from './documents.ts'
import { attacksOf, joust, joustRun } from './joust.ts'
import { type Models, startModels } from './models.ts'

// Below the packages that the examples import, so that imports are resolved.
const folder = join(peers, 'node_modules/.cache/joust/examples')
let models: Models
/** A function is loaded again for each run. */
const PATIENCE_MS = 100_000

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
      ['hidden-unicode-instructions', 'issue-comment-exfiltration'],
      ['--config', join(folder, framework, 'joust.yaml'), '--model-env', 'OPENAI_BASE_URL'],
      { OPENAI_BASE_URL: llm, OPENAI_API_KEY: 'none', OPENAI_AGENTS_DISABLE_TRACING: '1', LANGSMITH_TRACING: 'false' },
      PATIENCE_MS,
    )

  test.each([
    ['obeys', 'exploited', 3],
    ['refuses', 'resisted', 0],
  ] as const)('with a model that %s', { timeout: PATIENCE_MS }, async (name, outcome, code) => {
    const run = await attack(models[name])
    expect(
      attacksOf(run.results).map((one) => one.outcome),
      run.output,
    ).toEqual([outcome, outcome])
    expect(run.results.targets).toMatchObject([{ kind: 'function', name: 'mine' }])
    expect(run.code).toBe(code)
  })
})

test('joust init beside an agent of the AI SDK: it is called, and uses the tools of the attack', {
  timeout: PATIENCE_MS,
}, async () => {
  const home = join(folder, 'init')
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'package.json'), '{ "type": "module", "dependencies": { "ai": "^6", "@ai-sdk/mcp": "^1" } }')
  writeFileSync(
    join(home, 'desk.mjs'),
    `import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { ToolLoopAgent } from 'ai'
const model = createOpenAICompatible({ name: 'openai', baseURL: process.env.OPENAI_BASE_URL, apiKey: 'none' })('gpt-5')
export const deskAgent = new ToolLoopAgent({ model })
`,
  )
  const { output } = await joust(['init'], {}, PATIENCE_MS, home)
  expect(output).toContain('found an agent built with AI SDK: deskAgent in desk.mjs\n')
  const run = await joustRun(
    ['error-message-injection'],
    ['--config', join(home, 'joust.yaml')],
    { OPENAI_BASE_URL: models.obeys },
    PATIENCE_MS,
  )
  expect(attacksOf(run.results)[0]?.outcome, run.output).toBe('exploited')
  expect(run.calls('JOUST-109')).toEqual(['pipeline.deploy_preview', 'pipeline.reassign_key'])
})
