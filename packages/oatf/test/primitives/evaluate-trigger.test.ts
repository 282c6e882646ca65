import { describe, expect, test, vi } from 'vitest'
import type { ProtocolEvent, Trigger, TriggerState } from '../../src/model/document.ts'
import { evaluateTrigger, type TriggerResult } from '../../src/primitives/evaluate-trigger.ts'

const call: ProtocolEvent = { event_type: 'tools/call', content: { name: 'calc' } }
const list: ProtocolEvent = { event_type: 'tools/list', content: {} }
const stay: TriggerResult = { advanced: false }
const matched: TriggerResult = { advanced: true, reason: 'event_matched' }
const timeout: TriggerResult = { advanced: true, reason: 'timeout' }

type Row = [
  title: string,
  trigger: Trigger,
  event: ProtocolEvent | undefined,
  elapsed: number,
  before: number,
  expected: TriggerResult,
  after: number,
]

describe('one call', () => {
  test.each<Row>([
    ['the event comes', { event: 'tools/call' }, call, 0, 0, matched, 1],
    ['another event comes', { event: 'tools/call' }, list, 0, 0, stay, 0],
    ['event names are exact', { event: 'tools/Call' }, call, 0, 0, stay, 0],
    ['no event comes', { event: 'tools/call' }, undefined, 99_999, 0, stay, 0],
    ['the content fits', { event: 'tools/call', match: { name: 'calc' } }, call, 0, 0, matched, 1],
    ['the content does not fit', { event: 'tools/call', match: { name: 'other' } }, call, 0, 0, stay, 0],
    ['an empty predicate fits', { event: 'tools/call', match: {} }, call, 0, 0, matched, 1],
    ['the first of two', { event: 'tools/call', count: 2 }, call, 0, 0, stay, 1],
    ['the second of two', { event: 'tools/call', count: 2 }, call, 0, 1, matched, 2],
    ['more than enough', { event: 'tools/call', count: 2 }, call, 0, 7, matched, 8],
    ['a count of zero still needs an event', { event: 'tools/call', count: 0 }, undefined, 0, 0, stay, 0],
    ['time is up', { after: '30s' }, undefined, 30_000, 0, timeout, 0],
    ['time is nearly up', { after: '30s' }, undefined, 29_999, 0, stay, 0],
    ['no time at all', { after: '0s' }, undefined, 0, 0, timeout, 0],
    ['ISO 8601', { after: 'PT1M' }, undefined, 60_000, 0, timeout, 0],
    ['only time counts, events pass by', { after: '30s' }, call, 0, 0, stay, 0],
    ['time comes before the event', { event: 'tools/call', after: '5s' }, call, 5000, 0, timeout, 0],
    ['the event comes before the time', { event: 'tools/call', after: '5s' }, call, 4999, 0, matched, 1],
    ['neither', { event: 'tools/call', after: '5s' }, list, 4999, 0, stay, 0],
    ['an empty trigger never fires', {}, call, 99_999, 0, stay, 0],
    ['a duration that is none never ends', { after: 'soon' }, undefined, 1e15, 0, stay, 0],
    ['and leaves the event its chance', { after: 'soon', event: 'tools/call' }, call, 1e15, 0, matched, 1],
  ])('%s', (_, trigger, event, elapsed, before, expected, after) => {
    const state: TriggerState = { event_count: before }
    expect(evaluateTrigger(trigger, event, elapsed, state)).toEqual(expected)
    expect(state).toEqual({ event_count: after })
  })
})

test('only events that fit in type and content are counted', () => {
  const trigger: Trigger = { event: 'tools/call', count: 3, match: { name: { starts_with: 'c' } } }
  const state: TriggerState = { event_count: 0 }
  const other: ProtocolEvent = { event_type: 'tools/call', content: { name: 'other' } }
  const results = [call, list, other, undefined, call, list, call].map((event) => [
    evaluateTrigger(trigger, event, 0, state).advanced,
    state.event_count,
  ])
  expect(results).toEqual([
    [false, 1],
    [false, 1],
    [false, 1],
    [false, 1],
    [false, 2],
    [false, 2],
    [true, 3],
  ])
})

test('the match sees the content, not the event', () => {
  const seen = (path: string) =>
    evaluateTrigger({ event: 'tools/call', match: { [path]: { exists: true } } }, call, 0, { event_count: 0 })
  expect(seen('name')).toEqual(matched)
  expect(seen('event_type')).toEqual(stay)
  expect(seen('content.name')).toEqual(stay)
})

test('a predicate that cannot be evaluated is reported and does not count', () => {
  const onError = vi.fn()
  const state: TriggerState = { event_count: 0 }
  const trigger: Trigger = { event: 'tools/call', match: { name: { regex: '[' } } }
  expect(evaluateTrigger(trigger, call, 0, state, { onError })).toEqual(stay)
  expect(state.event_count).toBe(0)
  expect(onError).toHaveBeenCalledOnce()
})

test.each([[null], ['tools/call'], [7], [[]]])('%j is not a trigger and never fires', (trigger) => {
  expect(evaluateTrigger(trigger as unknown as Trigger, call, 1e9, { event_count: 0 })).toEqual(stay)
})

test('an event of null is none', () => {
  const none = null as unknown as ProtocolEvent
  expect(evaluateTrigger({ event: 'tools/call' }, none, 0, { event_count: 0 })).toEqual(stay)
})
