import { expect, test } from 'vitest'
import { createRedactor } from '../../src/index.ts'

const redactor = createRedactor({ named: { API_KEY: 'sk-ant-0123456789abcdefghij' }, secrets: ['other-secret'] })
if (!redactor.ok) throw new Error('only patterns can be invalid')
const { text, secrets } = redactor.value

test('a named secret becomes its placeholder, even if its format is known', () => {
  expect(text('key sk-ant-0123456789abcdefghij!')).toBe(`key \${API_KEY}!`)
})

test('so does its base64 form; unnamed secrets have the usual mark', () => {
  expect(text(`x ${btoa('sk-ant-0123456789abcdefghij')} other-secret`)).toBe(`x \${API_KEY} [redacted: secret]`)
})

test('it counts as a secret of the run', () => {
  expect(secrets).toContain('sk-ant-0123456789abcdefghij')
})
