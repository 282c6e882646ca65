import type { Redacted, TraceEntry, Trial } from '@joust/results'
import { expect, test } from 'vitest'
import type { RunPlace, StudioWork } from '../../src/index.ts'
import { createSuites, type RunSuite } from '../../src/server/suites.ts'
import { openTestStudio } from './open.ts'

/** A suite that runs until it is stopped. */
const run: StudioWork['run'] = (_, tell, signal) => {
  tell({ kind: 'log', text: 'begun' })
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ state: 'stopped', results: 'x' })))
}

test('only one suite runs at a time; stopping it or the server ends it', async () => {
  const { send, close } = await openTestStudio({}, { run })
  expect(await send('POST', '/api/run', undefined, { trials: 2 })).toMatchObject({ status: 201, body: '{"suite":1}' })
  expect(await send('POST', '/api/run', undefined, {})).toMatchObject({ status: 409 })
  expect(await send('POST', '/api/stop', undefined, { suite: 1 })).toMatchObject({ status: 202 })
  expect(JSON.parse((await send('GET', '/api/state')).body)).toMatchObject({
    suite: { request: { trials: 2 }, log: ['begun'], end: { state: 'stopped' } },
  })
  expect(await send('POST', '/api/stop', undefined, { suite: 1 })).toMatchObject({ status: 404 })
  expect(await send('POST', '/api/run', undefined, {})).toMatchObject({ status: 201 })
  await close()
})

test('a message with a number too large for a double is sent unchanged', async () => {
  const entry = { seq: 1, actor: 'a', surface: 'tools/call', content: { x: 2n ** 60n } }
  const tellsOne: StudioWork['run'] = async (_, tell) => {
    // Only the fields that are read.
    tell({ kind: 'message', target: 't', file: 'a.oatf.yaml', trial: 1, entry: entry as never })
    return { state: 'done', results: 'x' }
  }
  const { send } = await openTestStudio({}, { run: tellsOne })
  await send('POST', '/api/run', undefined, {})
  expect(JSON.parse((await send('GET', '/api/state')).body)).toMatchObject({ suite: { end: { state: 'done' } } })
  const watched = await send('GET', '/api/watch?suite=1&target=t&file=a.oatf.yaml&trial=1')
  expect(watched.body).toContain(`{"x":${2n ** 60n}}`)
})

test('a failed suite has a message', async () => {
  const failing = async () => {
    throw new Error('the disk is full')
  }
  const { send } = await openTestStudio({}, { run: failing })
  await send('POST', '/api/run', undefined, {})
  expect(JSON.parse((await send('GET', '/api/state')).body)).toMatchObject({
    suite: { end: { state: 'failed', message: 'the disk is full' } },
  })
})

test('takes a request for trials until the question is decided', async () => {
  const { send, close } = await openTestStudio({}, { run })
  expect(await send('POST', '/api/run', undefined, { trials: 'auto' })).toMatchObject({ status: 201 })
  await close()
})

test.each([{ trials: 0 }, { trials: '2' }, { attacks: 'a' }, { targets: [1] }])('refuses %j', async (body) => {
  const { send } = await openTestStudio({}, { run })
  expect(await send('POST', '/api/run', undefined, body)).toMatchObject({ status: 400 })
})

const place: RunPlace = { target: 't', file: 'a.oatf.yaml', trial: 1 }
const entry = (seq: number) => ({ seq, content: 'x'.repeat(80) }) as unknown as Redacted<TraceEntry>

/** A suite that never ends, and a function that emits its events. */
function opened(bound?: number) {
  let tell: Parameters<RunSuite>[1] = () => undefined
  const forever: RunSuite = (_, told) => {
    tell = told
    return new Promise(() => undefined)
  }
  const suites = createSuites(forever, bound)
  suites.start({})
  const seqs = (seen = { attempt: '', part: 0 }, of = place) =>
    suites.watch(1, of, seen)?.entries.map(({ seq }) => seq) ?? []
  return { suites, seqs, tell: (...told: Parameters<typeof tell>) => tell(...told) }
}

test('a run without the bait is not mixed into the trials', () => {
  const { suites, seqs, tell } = opened()
  const without = { ...place, arm: 'placebo' } as const
  tell({ kind: 'message', ...place, entry: entry(1) })
  tell({ kind: 'message', ...without, entry: entry(2) })
  expect([seqs(), seqs(undefined, without)]).toEqual([[1], [2]])
  expect(suites.last()?.runs).toMatchObject([place, without])
})

test('a watcher gets each message once and in order', () => {
  const { suites, seqs, tell } = opened()
  for (const seq of [1, 2, 3]) tell({ kind: 'message', ...place, entry: entry(seq) })
  const seen = suites.watch(1, place, { attempt: '', part: 0 })
  expect(seen?.entries.map(({ seq }) => seq)).toEqual([1, 2, 3])
  for (const seq of [4, 5]) tell({ kind: 'message', ...place, entry: entry(seq) })
  expect(seqs(seen)).toEqual([4, 5])
  expect(suites.watch(2, place, { attempt: '', part: 0 })).toBeUndefined()
})

test('a retried run starts over', () => {
  const { suites, seqs, tell } = opened()
  for (const seq of [1, 2, 3]) tell({ kind: 'message', ...place, entry: entry(seq) })
  const seen = suites.watch(1, place, { attempt: '', part: 0 })
  for (const seq of [1, 2]) tell({ kind: 'message', ...place, entry: entry(seq) })
  expect(seqs(seen)).toEqual([1, 2])
  expect(suites.last()).toMatchObject({ messages: 5, runs: [{ ...place, messages: 2 }] })
})

test('beyond the limit, messages of the oldest runs are dropped', () => {
  const { seqs, tell } = opened(500)
  const later = { ...place, trial: 2 }
  for (const seq of [1, 2, 3]) tell({ kind: 'message', ...place, entry: entry(seq) })
  for (const seq of [1, 2, 3]) tell({ kind: 'message', ...later, entry: entry(seq) })
  expect(seqs()).toEqual([])
  expect(seqs(undefined, later)).toEqual([1, 2, 3])
  tell({ kind: 'message', ...place, entry: entry(4) })
  expect(seqs({ attempt: '1', part: 3 })).toEqual([4])
})

test('messages of finished runs are dropped before those of running ones', () => {
  const { seqs, tell } = opened(500)
  const later = { ...place, trial: 2 }
  for (const seq of [1, 2]) tell({ kind: 'message', ...place, entry: entry(seq) })
  tell({ kind: 'message', ...later, entry: entry(1) })
  tell({ kind: 'finished', ...later, result: { outcome: 'resisted', verdict: {} } as unknown as Redacted<Trial> })
  for (const seq of [3, 4]) tell({ kind: 'message', ...place, entry: entry(seq) })
  expect([seqs(), seqs(undefined, later)]).toEqual([[1, 2, 3, 4], []])
})

test('runs are listed from their start, and have outcome and usage at their end', () => {
  const { suites, tell } = opened()
  tell({ kind: 'started', ...place })
  tell({ kind: 'phase', ...place, actor: 'server', phase: 'first' })
  const seen = { attempt: '', part: 0 }
  expect(suites.watch(1, place, seen)).toMatchObject({ isRunning: true, phases: { server: 'first' } })
  expect(suites.last()?.runs).toEqual([{ ...place, messages: 0 }])
  const usage = { calls: 2, input_tokens: 30, output_tokens: 4 }
  const result = { outcome: 'exploited', tier: 'local_action', usage } as unknown as Redacted<Trial>
  tell({ kind: 'finished', ...place, result })
  expect(suites.watch(1, place, seen)).toMatchObject({ trial: { outcome: 'exploited' } })
  const run = { ...place, messages: 0, outcome: 'exploited', tier: 'local_action' }
  expect(suites.last()).toMatchObject({ calls: 2, tokens: 34, runs: [run] })
})

test('an unchanged state is not sent again, except after a restart of the server', async () => {
  const { send } = await openTestStudio({}, { run })
  await send('POST', '/api/run', undefined, {})
  const { version } = JSON.parse((await send('GET', '/api/state?known=1')).body)
  const known = `/api/state?${new URLSearchParams({ known: version })}`
  expect(JSON.parse((await send('GET', known)).body)).toEqual({ folder: 'folder', version })
  await send('POST', '/api/stop', undefined, { suite: 1 })
  expect(JSON.parse((await send('GET', known)).body)).toMatchObject({ suite: { end: { state: 'stopped' } } })
})

test('the event stream combines several changes into one event', async () => {
  const { suites, tell } = opened()
  const told: string[] = []
  const leave = suites.onChange(() => told.push(suites.version()))
  for (const seq of [1, 2, 3]) tell({ kind: 'message', ...place, entry: entry(seq) })
  await expect.poll(() => told).toEqual([suites.version()])
  leave()
  const { known, port, send } = await openTestStudio({}, { run })
  const { body } = await fetch(`http://127.0.0.1:${port}/api/events`, { headers: known })
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toBe('retry: 500\n\n')
  await send('POST', '/api/run', undefined, {})
  const { version } = JSON.parse((await send('GET', '/api/state')).body)
  expect((await reader?.read())?.value).toBe(`data: ${version}\n\n`)
  expect(told).toHaveLength(1)
})
