import { expect, test } from 'vitest'
import { failureOf, RunFailure, throwIfAborted } from '../../src/model/errors.ts'

test('the failure of a signal is its reason or a cancellation', () => {
  const failure = new RunFailure({ code: 'limit_exceeded', message: 'm', agent: [] })
  expect(failureOf(AbortSignal.abort(failure), ['a'])).toBe(failure)
  expect(failureOf(AbortSignal.abort('text'), ['a']).error).toEqual({
    code: 'cancelled',
    message: 'the run was cancelled',
    agent: ['a'],
  })
  expect(() => throwIfAborted(AbortSignal.abort(), [])).toThrow(RunFailure)
  throwIfAborted(new AbortController().signal, [])
})
