import fc from 'fast-check'
import { expect, test } from 'vitest'
import { base64Of } from '../../src/text/base64.ts'

test('encodes as Node does', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => base64Of(bytes) === Buffer.from(bytes).toString('base64')))
  expect(base64Of(new Uint8Array())).toBe('')
})
