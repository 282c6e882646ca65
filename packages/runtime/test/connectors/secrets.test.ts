import { expect, test } from 'vitest'
import { createRedact } from '../../src/connectors/secrets.ts'

test('values of headers are redacted, completely and by word', () => {
  const redact = createRedact({ url: 'http://localhost', headers: { authorization: 'Bearer abcdef' } })
  expect(redact('got "Bearer abcdef", abcdef is wrong')).toBe('got "[hidden]", [hidden] is wrong')
})

test('values of the environment and listed secrets are redacted, longer ones first', () => {
  const redact = createRedact({ command: 'run', env: { A: 'key-1', B: 'key-1-more' }, secrets: ['listed'] })
  expect(redact('key-1-more, key-1, listed')).toBe('[hidden], [hidden], [hidden]')
})

test('escaped secrets are redacted', () => {
  const redact = createRedact({ command: 'run', env: { A: 'key/1&2' } })
  expect(redact('key%2f1%262, k%65y/1&2, key\\/1\\u00262')).toBe('[hidden], [hidden], [hidden]')
})

test('short values are not redacted', () => {
  const redact = createRedact({ command: 'run', env: { A: '', B: '1', C: 'yes' } })
  expect(redact('1 yes')).toBe('1 yes')
})

test('long texts are truncated', () => {
  const text = createRedact({ command: 'run' })('x'.repeat(100_000))
  expect(text).toHaveLength(1001)
})
