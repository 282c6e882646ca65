import { expect, it } from 'vitest'
import { turnedAway } from '../../src/drivers/turned-away.ts'

it.each([
  [401, '', 'the agent refused a request with HTTP 401'],
  [403, 'go away\n', 'the agent refused a request with HTTP 403: go away'],
  [429, 'slow down', 'the agent could not handle a request with HTTP 429: slow down'],
  [500, '{"error":{"message":"no model"}}', 'the agent could not handle a request with HTTP 500: no model'],
  [503, '{"error":"busy"}', 'the agent could not handle a request with HTTP 503: {"error":"busy"}'],
  [599, 'x'.repeat(9999), `the agent could not handle a request with HTTP 599: ${'x'.repeat(500)}`],
])('HTTP %i with %j', (status, text, expected) => {
  expect(turnedAway(status, text)).toBe(expected)
})

it.each([200, 202, 302, 400, 402, 404, 499, 600])('HTTP %i is not a closed door', (status) => {
  expect(turnedAway(status, 'text')).toBeUndefined()
})
