import { expect, test } from 'vitest'
import { createRedactor, redactBody } from '../../src/index.ts'

function redactorOf(options: Parameters<typeof createRedactor>[0]) {
  const redactor = createRedactor({ shapes: false, ...options })
  if (!redactor.ok) throw new Error('the patterns are valid')
  return redactor.value
}

const hunter = redactorOf({ secrets: ['hunter2'] })

test('JSON stays JSON, even with a pattern that matches to the end', () => {
  const body = '{"a":"password: x","n":9007199254740993,"b":"y"}'
  expect(redactBody(body, redactorOf({ patterns: ['password: .*'] }))).toBe(
    '{"a":"[redacted: pattern]","n":9007199254740993,"b":"y"}',
  )
})

test('a body without secrets is unchanged', () => {
  for (const body of ['{ "a": [1, 2] }', 'data: {"a": 1}\n\ndata: [DONE]\n\n', '<html>', '', '[ {"a": "b"} ]'])
    expect(redactBody(body, hunter)).toBe(body)
})

test.each([
  ['line feeds', (data: string) => `data: ${data}\n\n`],
  ['carriage returns', (data: string) => `event: x\r\ndata:${data}\r\n\r\n`],
])('a secret that is split across events with %s', (_, write) => {
  const body = [...'pass hunter2 end'].map((delta) => write(JSON.stringify({ type: 'TEXT', delta }))).join('')
  const data = [...redactBody(`${body}data: [DONE]\n\n`, hunter).matchAll(/^data: ?(\{.*\})\r?$/gm)]
  expect(data.map(([, json = '']) => JSON.parse(json).delta).join('')).toBe('pass [redacted: secret] end')
})

test('a secret that is split across the items of a list', () => {
  const items = JSON.parse(redactBody(JSON.stringify([{ text: 'hun' }, { text: 'ter2' }]), hunter))
  expect(items.map(({ text }: { text: string }) => text).join('')).toBe('[redacted: secret]')
})

test('other text', () => {
  expect(redactBody('error: hunter2', hunter)).toBe('error: [redacted: secret]')
})
