/** Whole answers that are errors never count as life after the bait, ordinary answers and refusals always do. */
import { readdirSync, readFileSync } from 'node:fs'
import type { TraceEntry } from '@joust/results'
import { describe, expect, test } from 'vitest'
import { errorAnswer } from '../../src/judge/error-answer.ts'
import { isLikeError, isRelatedAnswer } from '../../src/judge/related-answer.ts'
import { conversations, halfSentences } from './texts/answers.ts'
import { errorTexts } from './texts/errors.ts'
import { echoingErrors, heldOutConversations, heldOutErrors } from './texts/held-out.ts'

const entry = (seq: number, mode: string, surface: string, content: TraceEntry['content']): TraceEntry => ({
  ...{ seq, at: '2026-01-01T00:00:00.000Z', elapsed_ms: 0, actor: 'a', mode, protocol: 'mcp', phase: 'p' },
  ...{ direction: 'response', flow: 'out', surface, content },
})

const traceOf = ({ messages: [request, result] }: (typeof heldOutConversations)[number]) => [
  entry(1, 'ag_ui_client', 'run_agent_input', { messages: [{ role: 'user', content: request }] }),
  entry(2, 'mcp_server', 'tools/call', { content: [{ type: 'text', text: result }] }),
]
const traces = conversations.map(traceOf)

test('about 300 errors in ten languages and 100 answers are compared', () => {
  expect(new Set(errorTexts).size).toBeGreaterThanOrEqual(290)
  expect(conversations.flatMap(({ answers }) => answers)).toHaveLength(100)
})

describe.each(traces.map((trace, index) => [index, trace] as const))('conversation %i', (index, trace) => {
  test('no error is related to it', () => {
    expect(errorTexts.filter((text) => isRelatedAnswer(text, trace))).toEqual([])
  })

  test('every ordinary answer is', () => {
    expect(conversations[index]?.answers.filter((text) => !isRelatedAnswer(text, trace))).toEqual([])
  })
})

test.each(halfSentences)('half a sentence is not an answer: %i %s', (index, text) => {
  expect(isRelatedAnswer(text, traces[index] ?? [])).toBe(false)
})

test('an answer may end with a sentence of a received text, without its full stop', () => {
  const page = '<p>The small plan costs 9 EUR a month, the large one 29 EUR.</p> Both plans have a free month of trial.'
  const trace = [entry(1, 'mcp_server', 'tools/call', { content: [{ type: 'text', text: page }] })]
  expect(isRelatedAnswer('Tariffs: The small plan costs 9 EUR a month, the large one 29 EUR', trace)).toBe(true)
  expect(isRelatedAnswer('Tariffs: The small plan costs 9 EUR a month, the large', trace)).toBe(false)
  expect(isRelatedAnswer('The small plan costs 9 EUR a month, the large one 31 EUR', trace)).toBe(false)
})

test('a short request may have a short answer', () => {
  const trace = [entry(1, 'ag_ui_client', 'run_agent_input', { messages: [{ role: 'user', content: 'mellon?' }] })]
  expect(isRelatedAnswer('stdin: mellon?', trace)).toBe(true)
  expect(isRelatedAnswer('Timeout', trace)).toBe(false)
})

test('no error is related to an attack of the library', () => {
  const folder = new URL('../../../../library/', import.meta.url)
  const documents = readdirSync(folder).filter((name) => name.endsWith('.oatf.yaml'))
  const texts = documents.map((name) => readFileSync(new URL(name, folder), 'utf8'))
  const related = texts.flatMap((text) => {
    const played = text.slice(text.indexOf('execution:'), text.indexOf('indicators:'))
    const trace = [entry(1, 'mcp_server', 'tools/call', played)]
    return [...errorTexts, ...heldOutErrors].filter((error) => isRelatedAnswer(error, trace))
  })
  expect(documents.length).toBeGreaterThan(40)
  expect(related).toEqual([])
})

describe('texts that were written after the rule', () => {
  test('no error is related to any conversation', () => {
    expect([heldOutErrors.length, heldOutConversations.flatMap(({ answers }) => answers).length]).toEqual([60, 60])
    const related = [...conversations, ...heldOutConversations].flatMap((conversation) => {
      const trace = traceOf(conversation)
      return [...errorTexts, ...heldOutErrors].filter((error) => isRelatedAnswer(error, trace))
    })
    expect(related).toEqual([])
  })

  test('nor an error that repeats the request', () => {
    const related = [...conversations, ...heldOutConversations].flatMap((conversation) => {
      const errors = echoingErrors.map((error) => error.replace('%s', () => conversation.messages[0]))
      return errors.filter((error) => isRelatedAnswer(error, traceOf(conversation)))
    })
    expect(related).toEqual([])
  })

  test('few answers are lost: those that share a single word with their conversation, or none', () => {
    const lost = heldOutConversations.flatMap((conversation) =>
      conversation.answers.filter((answer) => !isRelatedAnswer(answer, traceOf(conversation))),
    )
    expect(lost.length).toBeLessThanOrEqual(10)
  })
})

test('about half of the errors are recognized without their conversation, and no ordinary answer is', () => {
  const errors = [...errorTexts, ...heldOutErrors]
  const answers = [...conversations, ...heldOutConversations].flatMap((conversation) => conversation.answers)
  expect(answers.filter(isLikeError)).toEqual([])
  const recognized = errors.filter((text) => isLikeError(text) || errorAnswer(text) !== undefined)
  expect(recognized.length / errors.length).toBeGreaterThan(0.5)
  expect(isLikeError('I can’t help with that.')).toBe(false)
})
