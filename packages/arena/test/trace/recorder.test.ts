import { expect, test } from 'vitest'
import { createRecorder, type Recorded } from '../../src/trace/recorder.ts'
import { createFakeClock } from '../support/fake-clock.ts'

function open() {
  const written: string[] = []
  const recorder = createRecorder(
    createFakeClock(),
    { messages: 100, characters: 1e6 },
    ({ seq, surface }) => written.push(`${seq} ${surface}`),
    () => {},
  )
  const message = (surface: string, flow: 'in' | 'out' = 'out'): Recorded => ({
    ...{ actor: 'a', mode: 'mcp_client', protocol: 'mcp', phase: 'p', direction: 'request', content: {} },
    surface,
    flow,
  })
  return { recorder, written, message }
}

test('a held message waits, and later messages wait behind it', () => {
  const { recorder, written, message } = open()
  const first = recorder.hold(message('first'))
  const second = recorder.hold(message('second'))
  recorder.record(message('third'))
  expect(written).toEqual([])
  second.arrived()
  expect(written).toEqual([])
  first.arrived()
  expect(written).toEqual(['1 first', '2 second', '3 third'])
})

test('false pass 7: a message that never arrived leaves no entry and no gap', () => {
  const { recorder, written, message } = open()
  const lost = recorder.hold(message('lost'))
  recorder.record(message('next'))
  lost.lost()
  lost.arrived()
  expect(written).toEqual(['1 next'])
})

test('an incoming message releases held messages of its actor', () => {
  const { recorder, written, message } = open()
  const held = recorder.hold(message('asked'))
  recorder.record(message('did', 'in'))
  expect(written).toEqual(['1 asked', '2 did'])
  held.lost()
  recorder.hold(message('last'))
  recorder.release()
  expect(written).toEqual(['1 asked', '2 did', '3 last'])
})

test('false pass 7: an incoming message at another actor does not release a held message', () => {
  const { recorder, written, message } = open()
  const other = { ...message('tools/list', 'in'), actor: 'b' }
  const lost = recorder.hold(message('asked'))
  recorder.record(other)
  expect(written).toEqual([])
  lost.lost()
  expect(written).toEqual(['1 tools/list'])

  const taken = recorder.hold(message('asked again'))
  recorder.record(other)
  taken.arrived()
  expect(written.slice(1)).toEqual(['2 asked again', '3 tools/list'])
})

test('held messages count towards the limits', () => {
  const { recorder, written, message } = open()
  recorder.hold(message('asked'))
  for (let count = 0; count < 99; count++) recorder.record({ ...message('flood', 'in'), actor: 'b' })
  expect(written).toHaveLength(100)
})
