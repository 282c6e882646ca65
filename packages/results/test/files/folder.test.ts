import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Value } from '@joust/source'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { judgeWithAjv } from '../../../agentformat/test/judge-with-ajv.ts'
import { loadedAttack, selfPlay } from '../../../arena/test/support/attacks.ts'
import { finishSuite, runSuite } from '../../../trials/src/suite.ts'
import { loadResults, openTrace, saveResults, scanResults } from '../../src/files/folder.ts'
import { writeTrace } from '../../src/files/trace-file.ts'
import { resultsSchema } from '../../src/format/read.ts'
import { collect, entry } from '../support/entries.ts'
import { redacted } from '../support/redacted.ts'
import { attackOf, resultsOf } from '../support/results.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joust-results-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const plain = resultsOf([attackOf('a', 'en')])

describe('results in a folder', () => {
  test('are written atomically and read by folder or file', async () => {
    const run = join(folder, 'joust-results', 'run-1')
    expect(saveResults(run, plain)).toEqual({ ok: true, value: join(run, 'results.json') })
    expect(saveResults(run, plain).ok).toBe(true)
    expect(readdirSync(run)).toEqual(['results.json'])
    expect(await loadResults(run)).toEqual({ ok: true, value: { folder: run, results: plain } })
    expect(await loadResults(join(run, 'results.json'))).toEqual({ ok: true, value: { folder: run, results: plain } })
  })

  test('are read in parts, and only what is kept stays', async () => {
    // A part of a file ends within a character.
    const attacks = Array.from({ length: 60 }, (_, index) => ({
      ...attackOf(`${index}`, 'en'),
      reasons: ['€'.repeat(999)],
    }))
    const results = resultsOf(attacks)
    expect(saveResults(folder, results).ok).toBe(true)
    expect(await loadResults(folder)).toEqual({ ok: true, value: { folder, results } })
    const kept = await scanResults(folder, ({ file }) => file)
    expect(kept.ok && kept.value.results.targets.map((target) => target.attacks)).toEqual([
      attacks.map(({ file }) => file),
    ])
  })

  test.each(['a diary', '{\n  "version": "2.1.0"\n}\n'])('do not replace other files: %j', (theirs) => {
    writeFileSync(join(folder, 'results.json'), theirs)
    expect(saveResults(folder, plain)).toMatchObject({ ok: false, error: { code: 'results-unwritable' } })
    expect(readFileSync(join(folder, 'results.json'), 'utf8')).toBe(theirs)
  })

  test('that cannot be written or read are findings', async () => {
    writeFileSync(join(folder, 'file'), '')
    expect(saveResults(join(folder, 'file'), plain)).toMatchObject({ ok: false, error: { code: 'results-unwritable' } })
    expect(await loadResults(join(folder, 'nowhere'))).toMatchObject({
      ok: false,
      error: [{ code: 'results-unreadable', message: expect.stringContaining('no such file') }],
    })
    expect(await loadResults(folder)).toMatchObject({
      ok: false,
      error: [{ message: 'the folder has no results.json' }],
    })
    writeFileSync(join(folder, 'results.json'), new Uint8Array([0x7b, 0xff]))
    expect((await loadResults(folder)).ok).toBe(false)
  })
})

describe('traces of results', () => {
  const write = async (path: string) => {
    const trace = writeTrace(path)
    trace.write(redacted(entry({ content: 'hello' })))
    await trace.close()
  }

  test('are read from the folder', async () => {
    mkdirSync(join(folder, 'traces'))
    await write(join(folder, 'traces', 'a.jsonl'))
    expect(await collect(openTrace(folder, 'traces/a.jsonl'))).toMatchObject([
      { ok: true, value: { content: 'hello' } },
    ])
  })

  test('outside the folder are not opened', async () => {
    const run = join(folder, 'run')
    mkdirSync(run)
    await write(join(folder, 'a.jsonl'))
    symlinkSync(join(folder, 'a.jsonl'), join(run, 'link.jsonl'))
    for (const name of ['../a.jsonl', join(folder, 'a.jsonl'), 'x/../../a.jsonl', 'link.jsonl', '', '.']) {
      expect(await collect(openTrace(run, name)), name).toMatchObject([
        { ok: false, error: { code: 'trace-failed', message: expect.stringContaining('outside the results folder') } },
      ])
    }
  })

  test('that are missing are error items', async () => {
    expect(await collect(openTrace(folder, 'traces/a.jsonl'))).toMatchObject([
      { ok: false, error: { code: 'trace-failed', message: expect.stringContaining('no such file') } },
    ])
    expect(await collect(openTrace(folder, 'a\0b'))).toMatchObject([{ ok: false }])
  })
})

test('the results of a suite match the schema', async () => {
  const task = {
    indicators: [
      { protocol: 'mcp', actor: 'server', surface: 'tools/call', target: 'name', pattern: { contains: 'echo' } },
    ],
  }
  const attacks = ['x', 'y'].map((text) => ({
    file: `${text}.oatf.yaml`,
    attack: loadedAttack({ ...selfPlay('x', [text]), 'x-joust-task': task as never }),
  }))
  const fault = { severity: 'error', code: 'V-030', message: 'there is nothing to execute' } as const
  const results = await finishSuite(
    runSuite(attacks, {
      run: () => ({ wire: { client: 'server' }, limits: { graceMs: 0 } }),
      trials: 2,
      broken: [{ file: 'broken.oatf.yaml', faults: [fault] }],
    }),
  )
  expect(saveResults(folder, results).ok).toBe(true)

  const written: Value = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'))
  expect(judgeWithAjv([resultsSchema()], [[0, written]])).toEqual([true])
  const read = await loadResults(folder)
  if (!read.ok) throw new Error(read.error.map(({ path, message }) => `${path} ${message}`).join('\n'))
  const outcomes = read.value.results.targets[0]?.attacks.map((of) => [
    of.outcome,
    of.reasons,
    of.trials[0]?.task?.result,
  ])
  expect(outcomes).toEqual([
    ['exploited', [], 'exploited'],
    ['resisted', [], 'exploited'],
    ['inconclusive', ['there is nothing to execute'], undefined],
  ])
})
