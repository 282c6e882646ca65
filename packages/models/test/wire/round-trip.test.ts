/** Written answers are read back, whole and streamed, on every wire. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Exchange,
  type ModelAnswer,
  type Reply,
  readCall,
  type Wire,
  writeAnswer,
  writeError,
} from '../../src/index.ts'

type Known = Exclude<Wire, 'other'>
const paths: Readonly<Record<Known, string>> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  'anthropic-messages': '/v1/messages',
  gemini: '/v1beta/models/m:generateContent',
}
const cases = (Object.keys(paths) as Known[]).flatMap((wire) => {
  const stream = paths[wire].replace(':generate', ':streamGenerate')
  const listed = wire === 'gemini' ? [[wire, stream, true] as const] : []
  return [[wire, paths[wire], false] as const, [wire, `${stream}?alt=sse`, true] as const, ...listed]
})
const facts = { id: '1', seconds: 1, model: 'm', usage: true }

const input = fc.dictionary(
  fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
  fc.jsonValue({ maxDepth: 2 }),
)
const call = fc.record({ id: fc.uuid(), name: fc.stringMatching(/^[a-z_]{1,20}$/), input })
const answers: fc.Arbitrary<ModelAnswer> = fc.record({
  text: fc.string({ unit: 'binary', maxLength: 60 }),
  calls: fc.array(call, { maxLength: 3 }) as fc.Arbitrary<ModelAnswer['calls']>,
  finish: fc.constantFrom({ kind: 'complete' }, { kind: 'cut' }, { kind: 'filtered' }),
  usage: fc.record({ input: fc.nat(), output: fc.nat() }).map((usage) => ({ ...usage, cached: usage.input >> 1 })),
})

function exchangeOf(path: string, { status, headers, pieces }: Reply, body = '{}'): Exchange {
  const answer = { status, headers, size: 0, body: pieces.join('') }
  const request = { headers: [], size: 0, body }
  return { sequence: 1, method: 'POST', path, request, answer, end: 'whole', started: 0, duration: 1, diagnostics: [] }
}

describe.each(cases)('%s %s', (wire, path, streamed) => {
  test('an answer is the same', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const written = JSON.parse(JSON.stringify(answer)) as ModelAnswer
        const read = readCall(exchangeOf(path, writeAnswer({ wire, path, streamed }, written, facts)))
        expect(read.diagnostics).toEqual([])
        expect({ ...read.answer, finish: { kind: read.finish.kind }, usage: read.usage }).toEqual(written)
      }),
    )
  })

  test('an error is the same', () => {
    const reply = writeError(wire, { status: 429, message: 'slow down' }, { headers: [['retry-after', '3']] })
    const read = readCall(exchangeOf(path, reply))
    expect(read).toMatchObject({ status: 429, error: 'slow down', finish: { kind: 'error', word: '429' } })
  })

  test.runIf(path.includes(':stream') || streamed)('a stream that ends before its last word is not complete', () => {
    const answer: ModelAnswer = {
      text: 'one two',
      calls: [{ id: 'a', name: 'pay', input: { x: 1 } }],
      finish: { kind: 'complete' },
    }
    const reply = writeAnswer({ wire, path, streamed }, answer, facts)
    const body = reply.pieces.join('')
    const last = {
      'openai-chat': '"tool_calls"}',
      'openai-responses': 'response.completed',
      'anthropic-messages': 'message_delta',
      gemini: 'STOP',
    }
    for (let length = 0; length < body.indexOf(last[wire]); length++) {
      const { finish } = readCall(exchangeOf(path, { ...reply, pieces: [body.slice(0, length)] }))
      expect(['cut', 'unknown']).toContain(finish.kind)
    }
  })
})

describe('hostile input', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.json().map((json) => `data: ${json}\n\n`),
  )
  const keys = [
    'messages',
    'content',
    'tools',
    'choices',
    'delta',
    'message',
    'tool_calls',
    'input',
    'output',
    'item',
    'type',
    'candidates',
    'parts',
    'contents',
    'functionCall',
    'usage',
    'index',
    'role',
    'error',
    'response',
  ]
  const words = [
    'message',
    'tool_use',
    'text',
    'function_call',
    'response.completed',
    'response.output_item.done',
    'content_block_start',
    'content_block_delta',
    'namespace',
    'custom',
  ]
  const shaped = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      fc.constantFrom(...words),
      fc.constant(null),
      fc.nat(3),
      tie('list'),
      tie('record'),
    ),
    list: fc.array(tie('value'), { maxLength: 3 }),
    record: fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 4 }),
  }))
  const bodies = fc.oneof(
    text,
    shaped.record.map((value) => JSON.stringify(value)),
    shaped.record.map((value) => `data: ${JSON.stringify(value)}\n\n`),
  )

  test.each(cases)('%s %s never throws', (_wire, path) => {
    fc.assert(
      fc.property(bodies, bodies, fc.constantFrom(200, 302, 404), (body, answer, status) => {
        const call = readCall(exchangeOf(path, { status, headers: [], pieces: [answer] }, body))
        expect(call.finish.kind).toBeTypeOf('string')
      }),
      { numRuns: 300 },
    )
  })

  test('deep nesting is read', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    for (const [, path] of cases) {
      const body = `{"messages":[{"role":"tool","content":${deep}}],"input":${deep},"contents":${deep}}`
      const read = readCall(exchangeOf(path, { status: 200, headers: [], pieces: [deep] }, body))
      expect(read.finish.kind).toBe('unknown')
    }
  })
})
