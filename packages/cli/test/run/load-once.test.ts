/** One path: V8 itself counts how often the built command calls what must happen once. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { compiled } from '../spawned.ts'
import { folder } from '../world.ts'
import { PROMPT, SERVER } from './documents.ts'

const TASK = `  x-joust-task:
    indicators:
      - { surface: tools/call, direction: request, target: name, pattern: { condition: get_weather } }
`

/** What V8 writes for NODE_V8_COVERAGE; the first range of a function is the function as a whole. */
interface Coverage {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly {
      readonly functionName: string
      readonly ranges: readonly { readonly count: number }[]
    }[]
  }[]
}

/** Counts calls by `file function`, for one run of the built command. */
async function countCalls(argv: readonly string[], cwd: string): Promise<ReadonlyMap<string, number>> {
  const written = join(cwd, 'coverage')
  const env = { ...process.env, XDG_CACHE_HOME: join(cwd, 'cache') }
  // The first run proves the document; the second one finds that in the cache.
  await promisify(execFile)(process.execPath, [compiled, ...argv, '--out', 'first'], { cwd, env })
  const counted = { ...env, NODE_V8_COVERAGE: written }
  await promisify(execFile)(process.execPath, [compiled, ...argv, '--out', 'out'], { cwd, env: counted })
  const calls = new Map<string, number>()
  for (const file of readdirSync(written)) {
    const { result }: Coverage = JSON.parse(readFileSync(join(written, file), 'utf8'))
    for (const { url, functions } of result) {
      const [, path] = url.split('/packages/')
      for (const { functionName, ranges } of functions) {
        const name = `${path} ${functionName}`
        calls.set(name, (calls.get(name) ?? 0) + (ranges[0]?.count ?? 0))
      }
    }
  }
  return calls
}

test('a run reads, walks, checks, lints and normalizes its document once, and redacts every entry once', async () => {
  const cwd = folder({ 'a.oatf.yaml': SERVER + TASK })
  const words = ['--model', 'sim/cautious', '--prompt', PROMPT, '--in-process', '--grace', '0', '--quiet']
  const calls = await countCalls(['run', 'a.oatf.yaml', ...words, '--report', 'html'], cwd)
  const trace = readFileSync(join(cwd, 'out/traces/a.1.jsonl'), 'utf8').trimEnd().split('\n')
  // The first line is the header, and the last one says how the run ended; calls of the model are no messages.
  const entries = trace.slice(1, -1).filter((line) => JSON.parse(line).model === undefined).length
  expect(entries).toBeGreaterThan(4)
  const count = (name: string) => calls.get(name)
  expect({
    read: count('source/dist/yaml/read-source.js readSource'),
    translated: count('oatf/dist/dialects/translate.js translateForRun'),
    shaped: count('oatf/dist/parse.js shape'),
    walked: count('oatf/dist/walk/walk.js walkDocument'),
    validated: count('oatf/dist/rules/run.js runRules'),
    linted: count('oatf/dist/lint/run.js runLint'),
    lookedAt: count('oatf/dist/lint/context.js lintContext'),
    normalized: count('oatf/dist/normalize.js normalForm'),
    serialized: count('oatf/dist/serialize.js serialize') ?? 0,
    attacked: count('arena/dist/run.js runAttack'),
    entries: count('results/dist/redaction/redact.js redactEntry'),
    trials: count('results/dist/redaction/redact.js redactTrial'),
    results: count('results/dist/redaction/redact.js redactResults'),
    redactedAgain: count('results/dist/redaction/redact.js redactMore'),
  }).toEqual({
    read: 1,
    translated: 1,
    shaped: 1,
    walked: 1,
    validated: 1,
    linted: 1,
    lookedAt: 1,
    normalized: 1,
    serialized: 0,
    attacked: 1,
    entries,
    trials: 1,
    results: 1,
    redactedAgain: 0,
  })
})
