/** Push configurations in both versions of A2A. */
import type { ValueRecord } from '@joust/source'
import { describe, expect, it } from 'vitest'
import {
  modernPushParams,
  modernPushResult,
  olderPushParams,
  olderPushResult,
} from '../../../src/drivers/a2a/push-versions.ts'

const PREFIX = 'tasks/pushNotificationConfig/'
const older = {
  taskId: 't',
  pushNotificationConfig: { id: 'p', url: 'https://a/', authentication: { schemes: ['Bearer'], credentials: 'k' } },
}
const newer = { taskId: 't', id: 'p', url: 'https://a/', authentication: { scheme: 'Bearer', credentials: 'k' } }

describe('params', () => {
  it.each<[string, ValueRecord, ValueRecord]>([
    ['set', older, newer],
    ['get', { id: 't', pushNotificationConfigId: 'p' }, { taskId: 't', id: 'p' }],
    ['list', { id: 't' }, { taskId: 't' }],
    ['delete', { id: 't', pushNotificationConfigId: 'p' }, { taskId: 't', id: 'p' }],
  ])('of %s, there and back', (name, written, translated) => {
    const method = `${PREFIX}${name}`
    expect(modernPushParams(method, written)).toEqual(translated)
    expect(olderPushParams(method, translated)).toEqual(written)
  })
})

describe('results', () => {
  it('there and back', () => {
    expect(modernPushResult(`${PREFIX}set`, older)).toEqual(newer)
    expect(olderPushResult(newer)).toEqual(older)
    expect(modernPushResult(`${PREFIX}list`, [older])).toEqual({ configs: [newer] })
    expect(olderPushResult({ configs: [newer] })).toEqual([older])
    expect(modernPushResult(`${PREFIX}delete`, null)).toEqual({})
  })

  it('of another kind stay as they are', () => {
    expect(olderPushResult({ id: 't', status: {} })).toBeUndefined()
    expect(modernPushResult(`${PREFIX}get`, 'text')).toBe('text')
  })
})
