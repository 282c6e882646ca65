import { expect, it } from 'vitest'
import { checkPage } from '../../src/drivers/guard.ts'

const request = (headers: Record<string, string>) => ({
  method: 'POST',
  target: '/mcp',
  headers,
  body: new Uint8Array(),
  signal: new AbortController().signal,
})

it.each<[string, Record<string, string>, boolean]>([
  ['http://127.0.0.1:1', {}, true],
  ['http://127.0.0.1:1', { host: 'lan.test' }, false],
  ['http://lan.test:1', { host: 'lan.test:1' }, true],
  ['http://lan.test:1', { host: 'localhost' }, true],
  ['http://lan.test:1', { host: 'evil.test' }, false],
  ['http://lan.test:1', { host: 'lan.test', origin: 'http://lan.test' }, true],
  ['http://0.0.0.0:1', { host: 'any.test' }, true],
  ['http://[::]:1', { host: 'any.test', origin: 'http://any.test' }, true],
  ['http://0.0.0.0:1', { host: 'any.test', origin: 'http://evil.test' }, false],
  ['http://0.0.0.0:1', { host: 'any.test', origin: 'null' }, false],
])('at %s with %j: %s', (origin, headers, served) => {
  expect(checkPage(request(headers), origin).ok).toBe(served)
})
