import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder, joust } from '../world.ts'
import { SELF_PLAY, selfPlay, WIRE } from './documents.ts'

const EXPECTED = 'expected {"joust_trace":1} or a ThoughtJack entry as the first line'

async function recorded() {
  const cwd = folder({ 'a.oatf.yaml': SELF_PLAY, 'b/other.oatf.yaml': selfPlay('TEST-030', 'nothing') })
  await joust(['run', 'a.oatf.yaml', ...WIRE, '--out', 'out', '--report', 'json', '--quiet'], { cwd })
  return { cwd, trace: 'out/traces/a.1.jsonl' }
}

test('the same verdict from the trace as from the run', async () => {
  const { cwd, trace } = await recorded()
  expect(await joust(['evaluate', 'a.oatf.yaml', '--trace', trace], { cwd })).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('exploited'),
  })
  const json = await joust(['evaluate', 'a.oatf.yaml', '--trace', trace, '--json'], { cwd })
  const { result, indicator_verdicts, evaluation_summary } = JSON.parse(json.stdout)
  expect({ result, seen: indicator_verdicts[0].entry.actor }).toEqual({ result: 'exploited', seen: 'server' })
  const { verdict } = JSON.parse(readFileSync(join(cwd, 'out/results.json'), 'utf8')).targets[0].attacks[0]
  const judged = ({ timestamp: _, ...rest }: Record<string, unknown>) => rest
  expect({ result, evaluation_summary }).toEqual({
    result: verdict.result,
    evaluation_summary: verdict.evaluation_summary,
  })
  expect(indicator_verdicts.map(judged)).toEqual(verdict.indicator_verdicts.map(judged))
})

test('the verdict uses only the indicators; the outcome also uses the planted texts', async () => {
  const { cwd, trace } = await recorded()
  const missed = selfPlay('TEST-032', 'nothing')
  const judged = async (text: string) => {
    const other = folder({ 'c.oatf.yaml': text })
    const args = ['evaluate', join(other, 'c.oatf.yaml'), '--trace', trace, '--json']
    const { result, outcome } = JSON.parse((await joust(args, { cwd })).stdout)
    return { result, outcome }
  }
  expect(await judged(missed)).toEqual({ result: 'not_exploited', outcome: 'resisted' })
  expect(await judged(missed.replace('mode: mcp_client', 'mode: smoke_client'))).toMatchObject({
    result: 'not_exploited',
  })
  expect(await judged(missed.replace('word: secret', 'word: never-sent'))).toEqual({
    result: 'not_exploited',
    outcome: 'inconclusive',
  })
})

test('several documents, of which the worst counts', async () => {
  const { cwd, trace } = await recorded()
  const { code, stdout } = await joust(['evaluate', 'a.oatf.yaml', 'b', '--trace', trace], { cwd })
  expect(code).toBe(1)
  expect(stdout).toContain('resisted')
  expect((await joust(['evaluate', 'b', '--trace', trace], { cwd })).code).toBe(0)
})

test.each([
  ['cut off', (text: string) => text.slice(0, -60)],
  ['without its last line', (text: string) => text.split('\n').slice(0, -2).join('\n')],
  ['with garbage in it', (text: string) => text.replace('"seq":2', '"seq":"x"')],
  ['without an entry', (text: string) => text.split('\n').toSpliced(3, 1).join('\n')],
  ['without its last entry', (text: string) => text.split('\n').toSpliced(-3, 1).join('\n')],
  ['without its count', (text: string) => text.replace(/,"entries":\d+/, '')],
  [
    'without an entry, and counts in words',
    (text: string) =>
      text
        .split('\n')
        .toSpliced(3, 1)
        .join('\n')
        .replace(/("entries":)(\d+)/, '$1"$2"'),
  ],
  ['in another order', (text: string) => swapped(text.split('\n')).join('\n')],
  ['empty', () => ''],
])('a trace that is %s says nothing good', async (_, spoil) => {
  const { cwd, trace } = await recorded()
  const text = spoil(readFileSync(join(cwd, trace), 'utf8'))
  const other = folder({ 'b.oatf.yaml': selfPlay('TEST-031', 'nothing'), 't.jsonl': text })
  expect((await joust(['evaluate', 'b.oatf.yaml', '--trace', 't.jsonl'], { cwd: other })).code).toBe(5)
})

function swapped([head = '', first = '', second = '', ...rest]: readonly string[]): string[] {
  return [head, second, first, ...rest]
}

test('evidence of a success counts in an incomplete trace as well', async () => {
  const { cwd, trace } = await recorded()
  const lines = readFileSync(join(cwd, trace), 'utf8').split('\n')
  const other = folder({ 'a.oatf.yaml': SELF_PLAY, 't.jsonl': swapped(lines).join('\n') })
  expect((await joust(['evaluate', 'a.oatf.yaml', '--trace', 't.jsonl'], { cwd: other })).code).toBe(1)
})

test.each([
  ['is empty', '', `empty trace: ${EXPECTED}`],
  ['is not one', 'hello\n', `line 1: not a trace: ${EXPECTED}`],
  [
    'is of a later version',
    '{"joust_trace":9}\n',
    'line 1: unsupported trace version 9, expected at most 1; update joust to read it',
  ],
])('a trace that %s is reported once for all attacks', async (_, text, sentence) => {
  const cwd = folder({ 'a.oatf.yaml': SELF_PLAY, 'b.oatf.yaml': selfPlay('TEST-033', 'nothing'), 't.jsonl': text })
  for (const more of [[], ['--json']])
    expect(await joust(['evaluate', '.', '--trace', 't.jsonl', ...more], { cwd })).toEqual({
      code: 5,
      stdout: '',
      stderr: `joust: t.jsonl: ${sentence}\n`,
    })
})

test('wrong usage', async () => {
  const { cwd } = await recorded()
  expect(await joust(['evaluate', 'a.oatf.yaml'], { cwd })).toMatchObject({
    code: 64,
    stderr: expect.stringContaining('--trace FILE or --message FILE'),
  })
  expect((await joust(['evaluate', 'a.oatf.yaml', '--trace', 'none.jsonl'], { cwd })).code).toBe(64)
  expect((await joust(['evaluate', 'none.yaml', '--trace', 'a.oatf.yaml'], { cwd })).code).toBe(64)
})
