/** The parts of the client that need no browser. */
import type { AttackResults } from '@joust/arena'
import { expect, test } from 'vitest'
import type { ReportRun } from '../../src/html/client/data.ts'
import { emptyFilter, isShown, matrixRows, sortRows } from '../../src/html/client/filters.js'
import * as flags from '../../src/html/client/flags.js'
import { stepInGrid } from '../../src/html/client/grid-keys.js'
import { jsonLines } from '../../src/html/client/json-lines.js'
import { readRoute } from '../../src/html/client/router.js'
import { bandAt, sequenceOf } from '../../src/html/client/rows.js'
import { plainText, textPieces } from '../../src/html/client/text.js'
import { filterSteps, resolutions, resolvePath } from '../../src/html/client/why.js'
import { durationText, numberText, percentText } from '../../src/html/client/words.js'
import { createTraceColumns } from '../../src/html/trace-columns.ts'
import { traceFlags } from '../../src/html/trace-flags.ts'
import { actors, attack, messages, results, trial } from './sample.ts'

function traceOf(entries = messages) {
  const columns = createTraceColumns()
  for (const entry of entries) columns.add(entry)
  return { index: columns.index(), lines: entries.map(({ content }) => JSON.stringify(content)) }
}

const bounds = { lines: 100, characters: 100 }
const textOf = (value: unknown, marks: Parameters<typeof jsonLines>[1] = []) =>
  jsonLines(value, marks, bounds).lines.map(
    ({ indent, pieces }) =>
      ' '.repeat(indent) + pieces.map(({ text, mark }) => (mark === true ? `«${text}»` : text)).join(''),
  )

test('lanes: who asks, the agent, what it uses; a change of phase after what led to it', () => {
  const { lanes, rows, bands, triggers } = sequenceOf(traceOf().index, actors, 'agent', ['ag_ui_client'])
  expect(lanes.map(({ name }) => name)).toEqual(['user', 'agent', 'server'])
  expect(rows.map((row) => ('place' in row ? row.place : `${row.kind}`))).toEqual([0, 1, 2, 3, 'phase', 4, 5])
  expect(rows[4]).toMatchObject({ actor: 'server', phase: 'armed', trigger: 3 })
  expect([...triggers]).toEqual([[3, 'armed']])
  expect([0, 3, 4, 6].map((row) => bandAt(bands.get('server') ?? [], row)?.phase)).toEqual([
    'calm',
    'calm',
    'armed',
    'armed',
  ])
})

test('a phase that time began stands where its time is', () => {
  const timed = [
    {
      ...actors[1],
      phases: [
        { phase: 'calm', elapsed_ms: 0, reason: 'start' },
        { phase: 'late', elapsed_ms: 25, reason: 'timeout' },
      ],
    },
  ]
  const { rows } = sequenceOf(traceOf().index, timed as typeof actors, 'agent', [])
  expect(rows.findIndex(({ kind }) => kind === 'phase')).toBe(2)
})

test('JSON is written as JSON, with the evidence marked in it', () => {
  expect(textOf({ a: [1, null, {}], b: 'x' })).toEqual([
    '{',
    ' "a": [',
    '  1,',
    '  null,',
    '  {}',
    ' ],',
    ' "b": "x"',
    '}',
  ])
  expect(textOf({ a: ['one two'] }, [{ path: 'a[0]', from: 4, to: 7 }])).toContain('  "one «two»"')
  expect(textOf({ a: 'one\ntwo' }, [{ path: 'a', from: 2, to: 5 }])).toEqual([
    '{',
    ' "a": "on«e»«\\n»',
    '  «t»wo"',
    '}',
  ])
  expect(textOf({ a: { b: 1 } }, [{ path: 'a' }])).toEqual(['{', ' "a": «{»', '  «"b"»«: »«1»', ' «}»', '}'])
  expect(textOf('whole', [{ path: '', from: 0, to: 5 }])).toEqual(['"«whole»"'])
})

test('long and deep values are bounded, around the evidence', () => {
  const long = `${'a'.repeat(5000)}NEEDLE${'b'.repeat(5000)}`
  const { lines, cut } = jsonLines(long, [{ path: '', from: 5000, to: 5006 }], bounds)
  expect(cut).toBe(true)
  expect(lines[0]?.pieces.filter(({ mark }) => mark === true).map(({ text }) => text)).toEqual(['NEEDLE'])
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
  expect(jsonLines(deep, [], bounds)).toMatchObject({ cut: true })
})

test('characters that steer or hide are shown as what they are', () => {
  expect(plainText('a\u202eb\u001b[31m\u0000\u200b\u2066')).toBe('a\\u202eb\\u001b[31m\\u0000\\u200b\\u2066')
  expect(textPieces('\u202e')).toEqual([{ text: '\\u202e', hidden: 'U+202E RIGHT-TO-LEFT OVERRIDE' }])
  const tags = [...'hi'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
  expect(textPieces(tags)[0]?.hidden).toBe('hidden text: hi')
  expect(plainText('tab\tand\nline, ünïcode, 日本語')).toBe('tab\tand\nline, ünïcode, 日本語')
})

test('why: what each step left, and what the path led to', () => {
  const given = attack('a')
  const [leak, gone] = given.attack.indicators
  const [matched, missed] = trial(1).verdict.indicator_verdicts
  if (leak === undefined || gone === undefined || matched === undefined || missed === undefined)
    throw new Error('sample')
  expect(filterSteps(leak, matched).map(({ name, left }) => `${name} ${left}`)).toEqual([
    'protocol 5',
    'surface 3',
    'direction 2',
    'evaluated 2',
  ])
  expect(filterSteps(gone, missed).map(({ name, left }) => `${name} ${left}`)).toEqual([
    'protocol 5',
    'surface 0',
    'evaluated 0',
  ])
  const { looked } = resolutions(leak, traceOf())
  expect(looked).toEqual([
    { place: 3, found: [] },
    { place: 4, found: [{ path: 'arguments.text', value: 'the code is 7311, keep it' }] },
  ])
  expect(resolvePath('a[*].b', { a: [{ b: 1 }, {}, { b: 2 }] }).map(({ path }) => path)).toEqual(['a[0].b', 'a[2].b'])
  expect(resolvePath('__proto__', {})).toEqual([])
})

function runOf(attacks: readonly AttackResults[], name: string): ReportRun {
  const [target] = results(attacks, name).targets
  if (target === undefined) throw new Error('sample')
  const suite = { flaky: 0, inconclusive: 0, not_applicable: 0, trials: 1 }
  return { clientModes: [], target, results: results([]), suite, statistics: [], traces: [], sent: [] }
}

test('filters and orders', () => {
  const list = [
    attack('b', { outcome: 'resisted' }, { severity: 'critical', protocols: ['a2a'] }),
    attack('a', {}, { severity: 'low', tags: ['mail'] }),
  ]
  const rows = matrixRows([runOf(list, 'help-desk'), runOf(list.slice(1), 'other')])
  const shown = (changes: Partial<ReturnType<typeof emptyFilter>>) =>
    rows.filter((row) => isShown(row, { ...emptyFilter(), ...changes })).map(({ first }) => first.attack.id)
  expect(rows.map(({ cells }) => cells.map((cell) => cell?.place))).toEqual([
    [0, undefined],
    [1, 0],
  ])
  expect(shown({})).toEqual(['b', 'a'])
  expect(shown({ outcomes: new Set(['exploited']) })).toEqual(['a'])
  expect(shown({ severities: new Set(['critical', 'low']) })).toEqual(['b', 'a'])
  expect(shown({ protocol: 'a2a' })).toEqual(['b'])
  expect(shown({ category: 'none' })).toEqual([])
  // What matched in a run that was resisted all the same has no tier.
  expect(shown({ tier: 'boundary_breach' })).toEqual(['a'])
  expect(shown({ tier: 'none' })).toEqual(['b'])
  expect(shown({ text: 'MAIL attack' })).toEqual(['a'])
  expect(sortRows(rows, 'worst').map(({ first }) => first.attack.id)).toEqual(['a', 'b'])
  expect(sortRows(rows, 'severity').map(({ first }) => first.attack.id)).toEqual(['b', 'a'])
})

test('arrow keys in a grid stop at its edges', () => {
  const grid = [['a', 'b'], ['c', 'd'], ['e']]
  expect(stepInGrid(grid, 0, 1, 'ArrowDown')).toBe('d')
  expect(stepInGrid(grid, 1, 1, 'ArrowDown')).toBe('e')
  expect(stepInGrid(grid, 0, 0, 'ArrowUp')).toBe('a')
  expect(stepInGrid(grid, 0, 1, 'ArrowRight')).toBeUndefined()
  expect(stepInGrid(grid, 0, 0, 'End')).toBe('e')
  expect(stepInGrid(grid, 0, 0, 'x')).toBeUndefined()
})

test('addresses and numbers', () => {
  expect(readRoute('#/1/2/3/4')).toEqual({ page: 'attack', run: 1, attack: 2, trial: 3, seq: 4 })
  expect(readRoute('#/1/2/x')).toEqual({ page: 'overview' })
  expect([0, 999, 1500, 61_000, 3_700_000].map(durationText)).toEqual([
    '0 ms',
    '999 ms',
    '1.50 s',
    '1 min 1 s',
    '1 h 1 min',
  ])
  expect([numberText(1234567), percentText(0.3333)]).toEqual(['1\u202f234\u202f567', '33.3 %'])
})

test('neither wide values nor many lines of text go beyond the bound', () => {
  const wide = Array.from({ length: 300_000 }, () => 0)
  expect(jsonLines(wide, [{ path: '[299999]' }], bounds)).toMatchObject({ cut: true, marked: 0 })
  const { lines, cut } = jsonLines('\n'.repeat(5000), [], { lines: 100, characters: 10_000 })
  expect([lines.length, cut]).toEqual([100, true])
})

test('the flags of a message are read as they are written', () => {
  const { FLAG_OUT, FLAG_RESPONSE, FLAG_MALFORMED, FLAG_CUT, FLAG_BROKEN } = flags
  const read = { out: FLAG_OUT, response: FLAG_RESPONSE, malformed: FLAG_MALFORMED, cut: FLAG_CUT, broken: FLAG_BROKEN }
  expect(read).toEqual(traceFlags)
})
