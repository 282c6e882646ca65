/** The parts of the components that need no browser. */
import type { AttackResults, TraceEntry } from '@joust/results'
import { expect, test } from 'vitest'
import type { ReportRun } from '../../src/components/data.ts'
import { bandAt, diagramOf, halvesOf, pathsOf, rowOf, rowsOf } from '../../src/components/diagram.ts'
import { filterSteps, resolutions, resolvePath } from '../../src/components/indicators.tsx'
import { jsonLines } from '../../src/components/json-lines.ts'
import { stepInGrid } from '../../src/components/matrix.tsx'
import {
  isShown,
  matrixRows,
  noFilter,
  readFilter,
  sortBy,
  sortRows,
  writeFilter,
} from '../../src/components/matrix-rows.ts'
import { runAgain } from '../../src/components/story.tsx'
import { promptIn, traceOf, wholeText } from '../../src/components/trace.ts'
import { durationText, numberText, percentText } from '../../src/components/words.ts'
import { actors, attack, entry, messages, results, trial } from '../html/sample.ts'

const bounds = { lines: 100, characters: 100 }
const textOf = (value: unknown, marks: Parameters<typeof jsonLines>[1] = []) =>
  jsonLines(value, marks, bounds).lines.map(
    ({ indent, pieces }) =>
      ' '.repeat(indent) + pieces.map(({ text, mark }) => (mark === true ? `«${text}»` : text)).join(''),
  )

/** The rows of a trace, as one word each. */
function told(entries: readonly TraceEntry[], apart: readonly number[] = [], open: readonly number[] = []): unknown[] {
  const trace = traceOf(entries)
  const diagram = diagramOf(trace, [], 'agent', new Set(apart))
  return rowsOf(trace, diagram, new Set(open)).map((row) =>
    row.kind === 'fold'
      ? `${row.title} ${row.label} ×${row.places.length}`
      : row.kind === 'message'
        ? row.place
        : row.kind,
  )
}

test('clients are left of the agent and servers right of it; a phase change follows its trigger', () => {
  const trace = traceOf(messages)
  const diagram = diagramOf(trace, actors, 'agent')
  expect(diagram.lanes.map(({ name }) => name)).toEqual(['user', 'agent', 'server'])
  const rows = rowsOf(trace, diagram, new Set())
  expect(rows.map((row) => (row.kind === 'phase' ? 'phase' : row.place))).toEqual([0, 1, 2, 3, 'phase', 4, 5])
  expect(rows[4]).toMatchObject({ actor: 'server', phase: 'armed', trigger: 3 })
  expect([...diagram.triggers]).toEqual([[3, 'armed']])
  expect([0, 3, 4, 5].map((place) => bandAt(diagram.bands.get('server') ?? [], place)?.phase)).toEqual([
    'calm',
    'calm',
    'armed',
    'armed',
  ])
})

test('a path covers the lane of the agent from its source to its sink', () => {
  const place = { actor: 'server', name: 'mail' }
  const flow = { kind: 'private', from: { ...place, seq: 3 }, extent: 'whole', text: '7311' } as const
  const to = { ...place, argument: 'text' }
  const paths = pathsOf(
    [
      { ...flow, to: { ...to, seq: 5 } },
      // Its sink is not in the trace.
      { ...flow, to: { ...to, seq: 99 } },
      { ...flow, kind: 'user', to: { ...to, seq: 6 } },
    ],
    new Map(messages.map(({ seq }, index) => [seq, index])),
  )
  expect(paths).toEqual([{ from: 2, to: 4, text: 'value from mail (private) → mail.text' }])
  const trace = traceOf(messages)
  const rows = rowsOf(trace, diagramOf(trace, actors, 'agent'), new Set())
  const halves = rows.map((row) => Object.values(halvesOf(paths, row)).map(Number).join(''))
  // Above and below the arrow; the phase change before message 5 is covered as a whole.
  expect(halves).toEqual(['00', '00', '01', '11', '11', '10', '00'])
})

test('a phase that starts by timeout is placed by its time', () => {
  const [, server] = actors
  if (server === undefined) throw new Error('sample')
  const phases = [
    { phase: 'calm', elapsed_ms: 0, reason: 'start' },
    { phase: 'late', elapsed_ms: 25, reason: 'timeout' },
  ] as const
  const trace = traceOf(messages)
  const rows = rowsOf(trace, diagramOf(trace, [{ ...server, phases }], 'agent'), new Set())
  expect(rows.findIndex(({ kind }) => kind === 'phase')).toBe(2)
})

const greeting = [
  entry(1, { surface: 'initialize', phase: 'armed' }),
  entry(2, { surface: 'initialize', phase: 'armed', flow: 'out', direction: 'response' }),
  entry(3, { surface: 'notifications/initialized', phase: 'armed' }),
]
const listing = (seq: number, name = 'mail') => [
  entry(seq, { surface: 'tools/list', phase: 'armed', content: {} }),
  entry(seq + 1, {
    surface: 'tools/list',
    phase: 'armed',
    flow: 'out',
    direction: 'response',
    content: { tools: [{ name }] },
  }),
]

test('handshakes and repeated lists are folded, but not changed lists, baits or evidence', () => {
  const trace = [...greeting, ...listing(4), ...listing(6), ...listing(8, 'other'), ...listing(10, 'other')]
  const still = ['handshake  ×3', 3, 4, 'repeated lists  ×2', 7, 8, 'repeated lists  ×2']
  expect(told(trace)).toEqual(still)
  expect(told(trace, [5, 6])).toEqual(['handshake  ×3', 3, 4, 5, 6, 7, 8, 'repeated lists  ×2'])
  expect(told(trace, [], [0])).toEqual(['handshake  ×3', 0, 1, 2, ...still.slice(1)])
})

const piece = (seq: number, surface: string, content: object, changes: Partial<TraceEntry> = {}) =>
  entry(seq, {
    actor: 'user',
    mode: 'ag_ui_client',
    protocol: 'ag_ui',
    phase: 'asks',
    surface,
    content: { messageId: 'm', ...content },
    ...changes,
  })
const streamed = [
  piece(101, 'text_message_start', {}),
  piece(102, 'text_message_content', { delta: 'The code ' }),
  piece(103, 'text_message_content', { delta: 'is 7311.' }),
  piece(104, 'text_message_content', { delta: 'The code is 7311.' }, { derived: true }),
  piece(105, 'text_message_end', {}),
]

test('deltas are joined to one text, without duplicates', () => {
  const trace = traceOf(streamed)
  expect(told(streamed)).toEqual(['text message The code is 7311. ×5'])
  expect(wholeText(trace, [0, 1, 2, 3, 4])).toBe('The code is 7311.')
  const rows = rowsOf(trace, diagramOf(trace, [], 'agent'), new Set())
  expect([rowOf(rows, 3), rowOf(rows, 9)]).toEqual([0, -1])
})

test('the prompt is the first message of the user', () => {
  const asked = piece(
    1,
    'run_agent_input',
    { messages: [{ role: 'user', content: 'Summarise issue 1' }] },
    { flow: 'out' },
  )
  expect(promptIn(traceOf([asked]))).toBe('Summarise issue 1')
  const sent = piece(1, 'message/send', { message: { parts: [{ text: 'Ask' }, { text: 'her' }] } }, { flow: 'out' })
  expect(promptIn(traceOf([sent]))).toBe('Ask\nher')
  expect(promptIn(traceOf(messages.slice(1)))).toBeUndefined()
})

test('JSON is formatted with the evidence marked', () => {
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

test('long, deep and wide values are cut around the evidence', () => {
  const long = `${'a'.repeat(5000)}NEEDLE${'b'.repeat(5000)}`
  const { lines, cut } = jsonLines(long, [{ path: '', from: 5000, to: 5006 }], bounds)
  expect(cut).toBe(true)
  expect(lines[0]?.pieces.filter(({ mark }) => mark === true).map(({ text }) => text)).toEqual(['NEEDLE'])
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
  expect(jsonLines(deep, [], bounds)).toMatchObject({ cut: true })
  const wide = Array.from({ length: 300_000 }, () => 0)
  expect(jsonLines(wide, [{ path: '[299999]' }], bounds)).toMatchObject({ cut: true, marked: 0 })
  const lined = jsonLines('\n'.repeat(5000), [], { lines: 100, characters: 10_000 })
  expect([lined.lines.length, lined.cut]).toEqual([100, true])
})

test('indicators have the count of each filter step and the values at the path', () => {
  const [leak, gone] = attack('a').attack.indicators
  const [matched, missed] = trial(1).verdict.indicator_verdicts
  if (leak === undefined || gone === undefined || matched === undefined || missed === undefined)
    throw new Error('sample')
  const steps = (...given: Parameters<typeof filterSteps>) =>
    filterSteps(...given).map(({ name, messages }) => `${name} ${messages}`)
  expect(steps(leak, matched)).toEqual(['protocol 5', 'surface 3', 'direction 2', 'evaluated 2'])
  expect(steps(gone, missed)).toEqual(['protocol 5', 'surface 0', 'evaluated 0'])
  expect(resolutions(leak, traceOf(messages)).resolved).toEqual([
    { place: 3, values: [] },
    { place: 4, values: [{ path: 'arguments.text', value: 'the code is 7311, keep it' }] },
  ])
  expect(resolvePath('a[*].b', { a: [{ b: 1 }, {}, { b: 2 }] }).map(({ path }) => path)).toEqual(['a[0].b', 'a[2].b'])
  expect(resolvePath('__proto__', {})).toEqual([])
})

function runOf(attacks: readonly AttackResults[], name: string): ReportRun {
  const { targets, ...rest } = results(attacks, name)
  const [target] = targets
  if (target === undefined) throw new Error('sample')
  return { target, results: rest }
}

const attacks = [
  attack('b', { outcome: 'resisted' }, { severity: 'critical', protocols: ['a2a'] }),
  attack('a', {}, { severity: 'low', tags: ['mail'] }),
]
const rows = matrixRows([runOf(attacks, 'help-desk'), runOf(attacks.slice(1), 'other')])

test('filters apply to one target or all, and survive a round trip through the URL', () => {
  const shown = (changes: Partial<typeof noFilter>) =>
    rows.filter((row) => isShown(row, { ...noFilter, ...changes })).map(({ first }) => first.attack.id)
  expect(rows.map(({ cells }) => cells.map((cell) => cell?.place))).toEqual([
    [0, undefined],
    [1, 0],
  ])
  expect(shown({})).toEqual(['b', 'a'])
  expect(shown({ outcomes: ['exploited'] })).toEqual(['a'])
  expect(shown({ target: '1' })).toEqual(['a'])
  expect(shown({ target: '1', outcomes: ['resisted'] })).toEqual([])
  expect(shown({ severities: ['critical', 'low'] })).toEqual(['b', 'a'])
  expect(shown({ protocol: 'a2a' })).toEqual(['b'])
  expect(shown({ category: 'none' })).toEqual([])
  // Something matched, but the run was resisted, so it has no tier.
  expect(shown({ tier: 'boundary_breach' })).toEqual(['a'])
  expect(shown({ tier: 'none' })).toEqual(['b'])
  expect(shown({ text: 'MAIL attack' })).toEqual(['a'])
  const chosen = { ...noFilter, text: 'a & b?', target: '1', outcomes: ['exploited', 'partial'], sort: '-name' }
  expect(readFilter(writeFilter(chosen))).toEqual(chosen)
  expect(writeFilter(noFilter)).toBe('')
})

test('every sort order can be reversed', () => {
  const ids = (sort: string) => sortRows(rows, sort).map(({ first }) => first.attack.id)
  for (const [sort, order] of [
    ['worst', ['a', 'b']],
    ['severity', ['b', 'a']],
    ['name', ['a', 'b']],
    ['protocol', ['b', 'a']],
    ['0', ['a', 'b']],
  ] as const) {
    expect(ids(sort), sort).toEqual(order)
    expect(ids(sortBy(sort, sort)), sort).toEqual(order.toReversed())
  }
  expect(sortBy('name', 'worst')).toBe('name')
})

test('arrow keys stop at the edges of a grid', () => {
  const grid = [['a', 'b'], ['c', 'd'], ['e']]
  expect(stepInGrid(grid, 0, 1, 'ArrowDown')).toBe('d')
  expect(stepInGrid(grid, 1, 1, 'ArrowDown')).toBe('e')
  expect(stepInGrid(grid, 0, 0, 'ArrowUp')).toBe('a')
  expect(stepInGrid(grid, 0, 1, 'ArrowRight')).toBeUndefined()
  expect(stepInGrid(grid, 0, 0, 'End')).toBe('e')
  expect(stepInGrid(grid, 0, 0, 'x')).toBeUndefined()
})

test('the command that runs an attack again depends on the kind of target', () => {
  const command = (kind: 'agent' | 'model' | 'command' | 'endpoint' | 'none', name: string, details = {}) =>
    runAgain({ kind, name, details }, 'a b.oatf.yaml')
  expect(command('model', 'sim/credulous')).toBe("joust run 'a b.oatf.yaml' --model sim/credulous")
  expect(command('agent', 'clerk', { file: 'clerk.agf.yaml', version: '1', model: 'x/y' })).toBe(
    "joust run 'a b.oatf.yaml' --agent clerk.agf.yaml --model x/y",
  )
  expect(command('model', 'staging', { model: 'openai/x' })).toBe("joust run 'a b.oatf.yaml' --on staging")
  expect(command('command', "it's; rm")).toBe("joust run 'a b.oatf.yaml' --exec 'it'\\''s; rm'")
  expect(command('endpoint', 'ag_ui=http://h/a mcp=node s.js')).toBe(
    "joust run 'a b.oatf.yaml' --target ag_ui=http://h/a --target 'mcp=node s.js'",
  )
  expect(command('none', 'any client')).toBe("joust run 'a b.oatf.yaml'")
})

test('numbers are formatted', () => {
  expect([0, 999, 1500, 61_000, 3_700_000].map(durationText)).toEqual([
    '0 ms',
    '999 ms',
    '1.50 s',
    '1 min 1 s',
    '1 h 1 min',
  ])
  expect([numberText(1234567), percentText(0.3333)]).toEqual(['1,234,567', '33 %'])
})

test('an event is not labelled with its own name', () => {
  const started = entry(1, { surface: 'run_started', content: { type: 'RUN_STARTED' } })
  expect(traceOf([started, { ...started, content: { type: 'CUSTOM' } }]).messages.map(({ label }) => label)).toEqual([
    '',
    'CUSTOM',
  ])
})
