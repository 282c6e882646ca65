import { expect, test } from 'vitest'
import { answerIn, answerInLine } from '../../src/command/answer.ts'

const step = '{"event":"tool","status":"failed","text":"The search failed; retrying"}'

test.each([
  ['a step that failed', step, undefined, undefined],
  ['a text beside a failure', '{"ok":false,"answer":"The file is not there."}', undefined, 'The file is not there.'],
  ['the same at a path', step, 'text', 'The search failed; retrying'],
  ['a text', '"No."', undefined, 'No.'],
  ['a text without the path', '"thinking"', 'text', undefined],
])('%s does not end a turn with an error', (_, line, path, text) => {
  expect(answerInLine(line, path)).toEqual({ ok: true, value: text === undefined ? undefined : { text } })
})

test.each([
  ['an error beside the answer', '{"answer":"no","error":"overloaded"}'],
  ['a failure with a placeholder', '{"answer":"-","status":"failed"}'],
  ['a failure with an error', '{"answer":"API Error: 429 Too Many Requests","success":false}'],
])('%s does', (_, line) => {
  expect(answerInLine(line, undefined)).toMatchObject({ ok: false })
})

test('the last line with a text decides', () => {
  expect(answerIn(`${step}\n{"status":"done","text":"Done."}`, 'text')).toEqual({ ok: true, value: 'Done.' })
  expect(answerIn(`{"text":"Done."}\n{"status":"error","text":"gone"}`, 'text')).toMatchObject({ ok: false })
})
