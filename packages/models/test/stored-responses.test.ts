/** Requests that refer to earlier responses by id: answered by a simulated model, and read as evidence. */
import { credulousModel } from '@joust/sim'
import type { Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { createReader, type ModelRun, simulated } from '../src/index.ts'
import { createStoredResponses } from '../src/wire/stored-responses.ts'
import { codes, openRun, send, startProvider, startProxy } from './support.ts'

const QUESTION = 'Please call the tool weather with the location Rome and repeat its result.'
const RESULT = 'The weather in Rome is sunny, with a light wind from the sea.'
const tools = [
  {
    ...{ type: 'function', name: 'weather' },
    parameters: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] },
  },
]

interface Whole {
  readonly id: string
  readonly output: readonly { readonly id: string; readonly type: string; readonly call_id: string }[]
}

async function post(run: Pick<ModelRun, 'url'>, fields: object) {
  const body = JSON.stringify({ model: 'm', tools, ...fields })
  const answer = await send(`${run.url}/v1/responses`, { body })
  return { status: answer.status, text: answer.body.toString() }
}

async function respond(run: Pick<ModelRun, 'url'>, fields: object): Promise<Whole> {
  return JSON.parse((await post(run, fields)).text)
}

const resultOf = ({ output: [call] }: Whole, output = RESULT) => ({
  ...{ type: 'function_call_output', call_id: call?.call_id, output },
})
const user = (text: string) => ({ role: 'user', content: [{ type: 'input_text', text }] })
const simulation = () => simulated(credulousModel(), { ownTools: true })

describe('a simulated model', () => {
  test.each(['previous_response_id', 'item_reference', 'item without a type'])(
    'gets through a tool call by %s',
    async (way) => {
      const run = await openRun({ answer: simulation() })
      const first = await respond(run, { input: QUESTION })
      expect(first.output).toMatchObject([{ type: 'function_call', name: 'weather' }])
      const reference = { id: first.output[0]?.id, ...(way === 'item_reference' && { type: 'item_reference' }) }
      const { text } = await post(run, {
        stream: true,
        ...(way === 'previous_response_id'
          ? { previous_response_id: first.id, input: [resultOf(first)] }
          : { input: [user(QUESTION), reference, resultOf(first)] }),
      })
      expect(text).toContain(RESULT)
      expect(text).not.toContain('function_call')
      const [, second] = run.calls()
      expect(second?.messages.map(({ role }) => role)).toEqual(['user', 'call', 'result'])
      expect(codes(run)).toEqual([])
    },
  )

  test('continues a conversation over several responses, streamed ones too, without earlier instructions', async () => {
    const run = await openRun({ answer: simulation() })
    const first = await respond(run, { input: 'Remember the word gannet.', instructions: 'Be brief.', tools: [] })
    const { text } = await post(run, { previous_response_id: first.id, input: 'Thanks.', stream: true, tools: [] })
    const [, id = ''] = /"id":"(resp_\w+)"/.exec(text) ?? []
    await respond(run, { previous_response_id: id, input: 'Which word?', tools: [] })
    const { messages = [] } = run.calls()[2] ?? {}
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user'])
    expect(messages[0]).toEqual({ role: 'user', text: 'Remember the word gannet.' })
  })

  test.each([
    [{ previous_response_id: 'resp_1', input: 'Hello.' }, 400, 'previous_response_id', 'previous_response_not_found'],
    [{ input: [{ type: 'item_reference', id: 'fc_1' }] }, 404, 'input', null],
    [{ conversation: { id: 'conv_1' }, input: 'Hello.' }, 404, 'conversation', null],
  ])('answers an unknown id with the error of OpenAI: %j', async (fields, status, param, code) => {
    const run = await openRun({ answer: simulation() })
    const answer = await post(run, fields)
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.text)).toEqual({
      error: {
        message: expect.stringMatching(/ with id '\w+_1' not found\.$/),
        type: 'invalid_request_error',
        param,
        code,
      },
    })
    expect(codes(run)).toEqual(['provider-refused'])
  })

  test('does not store a response with store: false', async () => {
    const run = await openRun({ answer: simulation() })
    const { id } = await respond(run, { input: 'Hello.', store: false })
    expect((await post(run, { previous_response_id: id, input: 'Hello.' })).status).toBe(400)
  })

  test('returns a stored response', async () => {
    const run = await openRun({ answer: simulation() })
    const first = await respond(run, { input: QUESTION })
    const found = await send(`${run.url}/v1/responses/${first.id}`, { method: 'GET' })
    expect(JSON.parse(found.body.toString())).toEqual(first)
    expect((await send(`${run.url}/v1/responses/resp_1`, { method: 'GET' })).status).toBe(404)
  })

  test('knows no responses of another run, and its ids differ from theirs', async () => {
    const proxy = await startProxy()
    const [one, other] = [proxy.open({ answer: simulation() }), proxy.open({ answer: simulation() })]
    const first = await respond(one, { input: QUESTION })
    await respond(other, { input: QUESTION })
    expect((await post(other, { previous_response_id: first.id, input: 'Hello.' })).status).toBe(400)
    expect((await post(other, { input: [{ type: 'item_reference', id: first.output[0]?.id }] })).status).toBe(404)
  })
})

describe('a request to a provider', () => {
  const output = [
    { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Noted.' }] },
  ]
  const whole = (id: string) => ({ id, object: 'response', status: 'completed', output })
  const provider = async (streamed = false) => {
    let count = 0
    return startProvider((_, response) => {
      count += 1
      const body = whole(`resp_${count}`)
      const events = [{ type: 'response.created', response: { ...body, output: [] } }]
      const parts = [...events, { type: 'response.output_item.done', output_index: 0, item: output[0] }]
      // Some servers leave out the items of the final event.
      const end = { type: 'response.completed', response: { ...body, output: [] } }
      response.setHeader('content-type', streamed ? 'text/event-stream' : 'application/json')
      response.end(
        streamed ? [...parts, end].map((part) => `data: ${JSON.stringify(part)}\n\n`).join('') : JSON.stringify(body),
      )
    })
  }
  const lastReading = (run: ModelRun) => createReader(run.calls().at(-1)?.body)(RESULT).kind

  test.each([false, true])('contains the text of the earlier conversation (streamed: %s)', async (streamed) => {
    const { url, seen } = await provider(streamed)
    const run = await openRun({ upstream: url })
    await post(run, { input: [user(RESULT)] })
    await post(run, { previous_response_id: 'resp_1', input: 'Go on.' })
    await post(run, { previous_response_id: 'resp_2', input: 'Go on.' })
    expect(seen[2]?.body).not.toContain(RESULT)
    expect(lastReading(run)).toBe('exact')
    const roles = ['user', 'assistant', 'user', 'assistant', 'user']
    expect(run.calls()[2]?.messages.map(({ role }) => role)).toEqual(roles)
    expect(codes(run)).toEqual([])
  })

  test('contains an item of an earlier answer, and nothing else of that conversation', async () => {
    const run = await openRun({ upstream: (await provider()).url })
    await post(run, { input: [user(RESULT)] })
    await post(run, { input: [{ type: 'item_reference', id: 'msg_1' }, user('Go on.')] })
    expect(run.calls()[1]?.messages).toEqual([
      { role: 'assistant', text: 'Noted.' },
      { role: 'user', text: 'Go on.' },
    ])
    expect(lastReading(run)).toBe('unknown')
  })

  test.each([
    ['of another run', {}, { previous_response_id: 'resp_0', input: 'Go on.' }],
    ['that was not stored', { store: false }, { previous_response_id: 'resp_1', input: 'Go on.' }],
    ['in a conversation', {}, { conversation: 'conv_1', input: 'Go on.' }],
  ])('has no text of a response %s, and says so', async (_, first, second) => {
    const run = await openRun({ upstream: (await provider()).url })
    await post(run, { input: [user(RESULT)], ...first })
    await post(run, second)
    expect(lastReading(run)).toBe('unknown')
    expect(codes(run)).toEqual(['reference-unknown'])
    // The unseen text stays part of the conversation.
    await post(run, { previous_response_id: 'resp_2', input: 'Go on.' })
    expect(codes(run)).toEqual(['reference-unknown', 'reference-unknown'])
  })
})

describe('stored responses', () => {
  const response = (id: string) => ({ id, output: [{ type: 'message', id: `msg_${id}`, role: 'assistant' }] })
  const inputOf = ({ body }: { readonly body: Value }) => (body as { readonly input: readonly Value[] }).input
  const next = (previous_response_id: string) => ({ previous_response_id, input: 'b' })

  test('are dropped beyond their number, the oldest first; a later one is then incomplete', () => {
    const stored = createStoredResponses({ responses: 2 })
    stored.add({ input: 'a' }, response('1'))
    stored.add(next('1'), response('2'))
    expect(stored.resolve(next('2')).unknown).toBeUndefined()
    expect(inputOf(stored.resolve(next('2')))).toHaveLength(5)
    stored.add(next('2'), response('3'))
    expect(stored.resolve(next('1')).unknown).toEqual({ kind: 'response', id: '1' })
    expect(stored.resolve({ input: [{ type: 'item_reference', id: 'msg_1' }] }).unknown).toMatchObject({ id: 'msg_1' })
    expect(stored.resolve(next('3')).unknown).toEqual({ kind: 'response', id: '3' })
    expect(stored.find('1')).toBeUndefined()
  })

  test('are dropped beyond their size, and one beyond it alone is not stored', () => {
    const stored = createStoredResponses({ characters: 500 })
    stored.add({ input: 'a'.repeat(300) }, response('1'))
    stored.add({ input: 'a'.repeat(300) }, response('2'))
    expect([stored.find('1'), stored.find('2')?.id]).toEqual([undefined, '2'])
    stored.add({ input: 'a'.repeat(600) }, response('3'))
    expect([stored.find('2'), stored.find('3')]).toEqual([undefined, undefined])
    stored.add({ input: 'a'.repeat(300) }, response('4'))
    expect(stored.find('4')?.id).toBe('4')
  })

  test('without ids are mistaken for no others', () => {
    const stored = createStoredResponses()
    stored.add({ input: 'a' }, { id: '', output: [{ type: 'message', role: 'assistant' }] })
    stored.add({ input: 'b' }, response('2'))
    expect(stored.resolve({ input: [{ role: 'user', content: 'c' }] })).toEqual({
      body: { input: [{ role: 'user', content: 'c' }] },
    })
    expect(inputOf(stored.resolve(next('2')))).toHaveLength(3)
  })

  test('are inserted within a limit of work', () => {
    const stored = createStoredResponses({ inserted: 500 })
    stored.add({ input: 'a'.repeat(200) }, response('1'))
    expect(stored.resolve(next('1')).unknown).toBeUndefined()
    const { body, unknown } = stored.resolve(next('1'))
    expect([body, unknown?.kind]).toEqual([next('1'), 'response'])
  })

  test('an id that is given twice means the later response, and a response never continues itself', () => {
    const stored = createStoredResponses({ responses: 3 })
    stored.add({ input: 'a' }, response('1'))
    stored.add(next('1'), response('1'))
    stored.add(next('1'), response('1'))
    expect(inputOf(stored.resolve(next('1')))).toHaveLength(7)
    stored.add(next('1'), response('1'))
    expect(stored.resolve(next('1')).unknown).toEqual({ kind: 'response', id: '1' })
  })
})
