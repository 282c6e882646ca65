/** Whole answers that are errors never count as life after the bait; answers and refusals do, or cause a repetition. */
import { readdirSync, readFileSync } from 'node:fs'
import type { TraceEntry } from '@joust/results'
import { describe, expect, test } from 'vitest'
import { errorAnswer } from '../../src/judge/error-answer.ts'
import { isRelatedAnswer } from '../../src/judge/related-answer.ts'
import { conversations, halfSentences } from './texts/answers.ts'
import { errorTexts } from './texts/errors.ts'
import { freshConversations, freshErrors } from './texts/fresh.ts'
import { echoingErrors, heldOutConversations, heldOutErrors } from './texts/held-out.ts'

const entry = (seq: number, mode: string, surface: string, content: TraceEntry['content']): TraceEntry => ({
  ...{ seq, at: '2026-01-01T00:00:00.000Z', elapsed_ms: 0, actor: 'a', mode, protocol: 'mcp', phase: 'p' },
  ...{ direction: 'response', flow: 'out', surface, content },
})

const traceOf = ({ messages: [request, result] }: (typeof heldOutConversations)[number]) => [
  entry(1, 'ag_ui_client', 'run_agent_input', { messages: [{ role: 'user', content: request }] }),
  entry(2, 'mcp_server', 'tools/call', { content: [{ type: 'text', text: result }] }),
]
/** The last message has the bait. */
const isRelated = (answer: string, trace: readonly TraceEntry[]) => isRelatedAnswer(answer, trace, trace.length)
const traces = conversations.map(traceOf)
const allConversations = [...conversations, ...heldOutConversations, ...freshConversations]

test('half of the ordinary answers are related at once; the others need a repetition of the conversation', () => {
  const related = conversations.flatMap((conversation) =>
    conversation.answers.filter((answer) => isRelated(answer, traceOf(conversation))),
  )
  expect(related).toHaveLength(48)
})

test('about 300 errors in ten languages and 100 answers are compared', () => {
  expect(new Set(errorTexts).size).toBeGreaterThanOrEqual(290)
  expect(conversations.flatMap(({ answers }) => answers)).toHaveLength(100)
})

test.each(traces.map((trace, index) => [index, trace] as const))(
  'no error is related to conversation %i',
  (_, trace) => {
    expect(errorTexts.filter((text) => isRelated(text, trace))).toEqual([])
  },
)

test.each(halfSentences)('half a sentence is not an answer: %i %s', (index, text) => {
  expect(isRelated(text, traces[index] ?? [])).toBe(false)
})

test('a log of the tool result, and an exception that holds it, are not related', () => {
  const result = 'Meeting notes of Monday: order 12 lamps and cables, and tell the workshop about the delivery.'
  const trace = [entry(1, 'mcp_server', 'tools/call', { content: [{ type: 'text', text: result }] })]
  const texts = [
    `Tool result: ${result}\nNot today.`,
    `KeyError: 'choices' in ${JSON.stringify({ text: result })}`,
    `> ${result.slice(0, 60)}…\nGone.`,
  ]
  expect(texts.filter((text) => isRelated(text, trace))).toEqual([])
  expect(isRelated('The notes of Monday ask for 12 lamps, and for cables.', trace)).toBe(true)
})

/** Errors that quote something, with marks and without. */
const quoting = [
  'Failed to parse "%s"',
  '%s: connection reset by peer.',
  "Unhandled exception in step '%s'.",
  'Fehler bei „%s“: Zeitüberschreitung.',
  'Erreur lors du traitement de « %s ».',
  '処理できません：「%s」',
  'no route for %s (timeout)',
  'Error: unexpected token near `%s` at line 1.',
  'ValueError: invalid literal: %s',
  'No se pudo procesar %s.',
  'Przekroczono limit: „%s”.',
]
const TOKENS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+/gu

test.each([1, 2, 3, 4, 5, 6, 7])('no error that quotes %i words is related', (length) => {
  let count = 0
  const related = allConversations.flatMap((conversation) => {
    const trace = traceOf(conversation)
    return conversation.messages.flatMap((message) => {
      const tokens = [...message.matchAll(TOKENS)]
      const pieces = tokens.slice(length - 1).flatMap((last, index) => {
        const first = tokens[index]
        return first === undefined || index % 3 > 0 ? [] : [message.slice(first.index, last.index + last[0].length)]
      })
      const errors = pieces.flatMap((piece) => quoting.map((error) => error.replace('%s', () => piece)))
      count += errors.length
      return errors.filter((error) => isRelated(error, trace))
    })
  })
  expect(count).toBeGreaterThan(2000)
  expect(related).toEqual([])
})

test('no announcement in the words of the request is related, with an error and alone', () => {
  const related = allConversations.flatMap((conversation) => {
    const words = conversation.messages[0].split(' ').reverse().join(' ')
    const texts = [`Sure: ${words}.`, `Sure: ${words}.\nTimeout`, `Sure: ${words}.\n\nAPI Error: 429`]
    return texts.filter((text) => isRelated(text, traceOf(conversation)))
  })
  expect(related).toEqual([])
})

test('an answer that ends with an error, in any language, needs a repetition', () => {
  const errors = [...errorTexts, ...heldOutErrors, ...freshErrors].filter((error) => /[\p{L}\p{N}]/u.test(error))
  const related = conversations.flatMap((conversation) => {
    const trace = traceOf(conversation)
    const answer = conversation.answers.find((text) => isRelated(text, trace)) ?? ''
    return errors.map((error) => `${answer}\n${error}`).filter((text) => isRelated(text, trace))
  })
  expect(related).toEqual([])
})

test('the result of a tool is a quotation even if it names the tools of the agent', () => {
  const result = 'Notes of Monday: order lamps.\nCall read_file first.\nThen compare cables and ladders with the list.'
  const call = { ...entry(1, 'mcp_server', 'tools/call', { name: 'read_file', arguments: {} }), flow: 'in' } as const
  const trace = [call, entry(2, 'mcp_server', 'tools/call', { content: [{ type: 'text', text: result }] })]
  const other = entry(3, 'mcp_server', 'tools/call', { content: [{ type: 'text', text: 'Workshop opened today.' }] })
  expect(isRelatedAnswer(`${result} Workshop opened today.`, [...trace, other], 2)).toBe(false)
  expect(isRelatedAnswer(`KeyError: ${result}`, trace, 2)).toBe(false)
  expect(isRelatedAnswer('The list for Monday has lamps, cables and ladders.', trace, 2)).toBe(true)
})

test('words of earlier messages, of calls before the bait, of listings and of later requests do not count', () => {
  const text = (seq: number, result: string) => entry(seq, 'mcp_server', 'tools/call', { content: [{ text: result }] })
  const said = 'lamps, cables and ladders'
  const bait = text(3, `Buy ${said}.`)
  const answer = `The workshop needs ladders, cables and lamps.`
  expect(isRelatedAnswer(answer, [bait], 3)).toBe(true)
  expect(isRelatedAnswer(answer, [text(1, said), bait], 3)).toBe(false)
  const call = {
    ...entry(2, 'mcp_server', 'tools/call', { name: 'find', arguments: { query: said } }),
    flow: 'in',
  } as const
  expect(isRelatedAnswer(answer, [call, bait], 3)).toBe(false)
  const later = entry(4, 'ag_ui_client', 'run_agent_input', { messages: [{ role: 'user', content: said }] })
  expect(isRelatedAnswer(answer, [text(3, 'Go.'), later], 3)).toBe(false)
  const listing = entry(3, 'mcp_server', 'tools/list', { tools: [{ name: 'find', description: said }] })
  expect(isRelatedAnswer(answer, [listing], 3)).toBe(false)
})

test('a result of few words needs a repetition', () => {
  const trace = [entry(1, 'mcp_server', 'tools/call', { content: [{ type: 'text', text: 'Mellon found.' }] })]
  expect(isRelated('The file was not found: mellon.', trace)).toBe(false)
})

test('no error is related to an attack of the library', () => {
  const folder = new URL('../../../../library/', import.meta.url)
  const documents = readdirSync(folder).filter((name) => name.endsWith('.oatf.yaml'))
  const texts = documents.map((name) => readFileSync(new URL(name, folder), 'utf8'))
  const related = texts.flatMap((text) => {
    const played = text.slice(text.indexOf('execution:'), text.indexOf('indicators:'))
    const trace = [entry(1, 'mcp_server', 'tools/call', played)]
    return [...errorTexts, ...heldOutErrors, ...freshErrors].filter((error) => isRelated(error, trace))
  })
  expect(documents.length).toBeGreaterThan(40)
  expect(related).toEqual([])
})

const allErrors = [...errorTexts, ...heldOutErrors, ...freshErrors]

describe('texts that were written after the rule', () => {
  test('no error is related to any conversation', () => {
    expect([heldOutErrors.length, freshErrors.length]).toEqual([60, 143])
    const related = allConversations.flatMap((conversation) => {
      const trace = traceOf(conversation)
      return allErrors.filter((error) => isRelated(error, trace))
    })
    expect(related).toEqual([])
  })

  test('nor an error that repeats the request', () => {
    const related = allConversations.flatMap((conversation) => {
      const errors = echoingErrors.map((error) => error.replace('%s', () => conversation.messages[0]))
      return errors.filter((error) => isRelated(error, traceOf(conversation)))
    })
    expect(related).toEqual([])
  })

  // An answer without relation, such as a short refusal, needs the postflight and a repetition; one with the form of an
  // error would be lost.
  test('no answer has the form of an error', () => {
    const answers = allConversations.flatMap((conversation) => conversation.answers)
    expect(answers).toHaveLength(260)
    expect(answers.filter((answer) => errorAnswer(answer) !== undefined)).toEqual([])
  })
})
