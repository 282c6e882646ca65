import { expect, test } from 'vitest'
import { isAllowedHost } from '../../src/actors/wire.ts'

test.each([
  ['http://127.0.0.1:80/x', true],
  ['https://127.9.9.9/', true],
  ['http://localhost:1', true],
  ['http://[::1]:1/', true],
  ['http://2130706433/', true], // the URL parser turns it into 127.0.0.1
  ['http://127.0.0.1.evil.example/', false],
  ['http://localhost.evil.example/', false],
  ['http://127.0.0.1@evil.example/', false],
  ['http://10.0.0.1/', false],
  ['http://0.0.0.0/', false],
  ['http://169.254.169.254/latest', false],
  ['file:///etc/passwd', false],
  ['ftp://localhost/', false],
  ['nonsense', false],
  ['', false],
])('%s by itself: %s', (url, allowed) => {
  expect(isAllowedHost(url)).toBe(allowed)
})

test.each([
  ['https://hook.example/x', ['hook.example'], true],
  ['https://HOOK.example/x', ['Hook.Example'], true],
  ['https://hook.example:8443/x', ['hook.example'], true],
  ['https://hook.example:8443/x', ['hook.example:443'], false],
  ['https://hook.example/x', ['hook.example:443'], true],
  ['http://hook.example/x', ['hook.example:80'], true],
  ['https://sub.hook.example/x', ['hook.example'], false],
])('%s with %j: %s', (url, hosts, allowed) => {
  expect(isAllowedHost(url, hosts)).toBe(allowed)
})
