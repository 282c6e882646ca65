import { expect, test } from 'vitest'
import { policyOf } from '../../src/apps/csp.ts'

const directive = (csp: unknown, name: string) =>
  policyOf(csp as never)
    .split('; ')
    .find((one) => one.startsWith(`${name} `))

test('without metadata nothing outside is reached', () => {
  expect(policyOf(null)).toBe(
    [
      "default-src 'none'",
      "script-src 'self' 'unsafe-inline'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "font-src 'self'",
      "media-src 'self' data:",
      "connect-src 'none'",
      "frame-src 'none'",
      "base-uri 'self'",
      "object-src 'none'",
      "form-action 'none'",
    ].join('; '),
  )
})

test.each([
  ['connectDomains', 'connect-src', 'connect-src https://a.example'],
  ['frameDomains', 'frame-src', 'frame-src https://a.example'],
  ['baseUriDomains', 'base-uri', 'base-uri https://a.example'],
  ['resourceDomains', 'script-src', "script-src 'self' 'unsafe-inline' https://a.example"],
  ['resourceDomains', 'img-src', "img-src 'self' data: https://a.example"],
])('%s becomes %s', (key, name, expected) => {
  expect(directive({ [key]: ['https://a.example'] }, name)).toBe(expected)
})

test.each(['https://*.a.example', 'wss://a.example:8443', 'http://localhost:3000'])('%s is an origin', (origin) => {
  expect(directive({ connectDomains: [origin] }, 'connect-src')).toBe(`connect-src ${origin}`)
})

test.each([
  '*',
  'https:',
  'https://*',
  "'unsafe-eval'",
  'data:',
  'a.example',
  'https://a.example; script-src *',
  'https://a.example/path',
  'https://a.example\nx',
  7,
  null,
])('%j is left out', (origin) => {
  expect(directive({ connectDomains: [origin] }, 'connect-src')).toBe("connect-src 'none'")
})
