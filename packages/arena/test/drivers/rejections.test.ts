import { expect, it } from 'vitest'
import { rejectionOf, reportRejection } from '../../src/drivers/rejections.ts'

it.each([
  [401, '', 'the agent rejected a request with HTTP 401'],
  [403, 'go away\n', 'the agent rejected a request with HTTP 403: go away'],
  [429, 'slow down', 'the agent failed to handle a request with HTTP 429: slow down'],
  [500, '{"error":{"message":"no model"}}', 'the agent failed to handle a request with HTTP 500: no model'],
  [503, '{"error":"busy"}', 'the agent failed to handle a request with HTTP 503: {"error":"busy"}'],
  [599, 'x'.repeat(9999), `the agent failed to handle a request with HTTP 599: ${'x'.repeat(500)}`],
])('HTTP %i with %j', (status, text, expected) => {
  expect(rejectionOf(status, text)).toBe(expected)
})

it.each([200, 202, 302, 400, 402, 404, 499, 600])('HTTP %i is not a rejection', (status) => {
  expect(rejectionOf(status, 'text')).toBeUndefined()
})

it.each([
  [401, undefined],
  [403, undefined],
  [429, true],
  [503, true],
])('a rejection with HTTP %i is transient: %s', (status, transient) => {
  const findings: unknown[] = []
  reportRejection((code, _message, _path, more) => findings.push({ code, transient: more?.transient }), '', status)
  expect(findings).toEqual([{ code: 'agent-failed', transient }])
})
