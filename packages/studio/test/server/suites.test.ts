import { expect, test } from 'vitest'
import type { StudioWork } from '../../src/index.ts'
import { openTestStudio } from './open.ts'

/** Runs until it is stopped. */
const run: StudioWork['run'] = (_, tell, signal) => {
  tell({ kind: 'log', text: 'begun' })
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ state: 'stopped', results: 'x' })))
}

test('one suite at a time; it is stopped when asked, and with the server', async () => {
  const { send, close } = await openTestStudio({}, { run })
  expect(await send('POST', '/api/run', undefined, { trials: 2 })).toMatchObject({ status: 201, body: '{"suite":1}' })
  expect(await send('POST', '/api/run', undefined, {})).toMatchObject({ status: 409 })
  expect(await send('POST', '/api/stop', undefined, { suite: 1 })).toMatchObject({ status: 202 })
  const state = async () => JSON.parse((await send('GET', '/api/state')).body).suites
  expect(await state()).toMatchObject([
    { request: { trials: 2 }, events: [{ kind: 'log', text: 'begun' }], end: { state: 'stopped' } },
  ])
  expect(await send('POST', '/api/stop', undefined, { suite: 1 })).toMatchObject({ status: 404 })
  expect(await send('POST', '/api/run', undefined, {})).toMatchObject({ status: 201 })
  await close()
})

test('a message with a number that is too large for a double is told', async () => {
  const entry = { seq: 1, actor: 'a', surface: 'tools/call', content: { x: 2n ** 60n } }
  const tellsOne: StudioWork['run'] = async (_, tell) => {
    // Only the fields that are read.
    tell({ kind: 'message', target: 't', file: 'a.oatf.yaml', trial: 1, entry: entry as never })
    return { state: 'done', results: 'x' }
  }
  const { send } = await openTestStudio({}, { run: tellsOne })
  await send('POST', '/api/run', undefined, {})
  const { suites } = JSON.parse((await send('GET', '/api/state')).body)
  expect(suites).toMatchObject([{ end: { state: 'done' } }])
})

test('what fails is told, not thrown', async () => {
  const failing = async () => {
    throw new Error('the disk is full')
  }
  const { send } = await openTestStudio({}, { run: failing })
  await send('POST', '/api/run', undefined, {})
  const { suites } = JSON.parse((await send('GET', '/api/state')).body)
  expect(suites).toMatchObject([{ end: { state: 'failed', message: 'the disk is full' } }])
})

test.each([{ trials: 0 }, { trials: '2' }, { attacks: 'a' }, { targets: [1] }])('refuses %j', async (body) => {
  const { send } = await openTestStudio({}, { run })
  expect(await send('POST', '/api/run', undefined, body)).toMatchObject({ status: 400 })
})
