/** Real provider libraries against servers that answer with something other than an answer. */
import type { IncomingMessage } from 'node:http'
import { unwrap } from '@joust/source'
import { describe, expect, it } from 'vitest'
import { resolveModel } from '../../src/models/resolve-model.ts'
import { bodyOf, useHttp } from '../support/http.ts'
import { react } from '../support/react.ts'
import { run } from '../support/run.ts'

const serve = useHttp()

interface Body {
  readonly type: string
  readonly text: string
}

const json = (value: unknown): Body => ({ type: 'application/json', text: JSON.stringify(value) })
const events = (...data: readonly unknown[]): Body => ({
  type: 'text/event-stream',
  text: data.map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`).join(''),
})

const completion = (message: object, finish_reason?: string | null) =>
  json({ id: 'x', created: 1, model: 'm', choices: [{ index: 0, message, finish_reason }] })
const chunk = (delta: object, finish_reason: string | null = null) => ({
  ...{ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm' },
  choices: [{ index: 0, delta, finish_reason }],
})
const response = (status: string, output: readonly object[], more: object = {}) => ({
  ...{ id: 'r', created_at: 1, model: 'm', object: 'response', status, output, ...more },
  usage: { input_tokens: 1, output_tokens: 1 },
})
const incomplete = response('incomplete', [], { incomplete_details: { reason: 'max_output_tokens' } })

/** What a chat completions or responses server sends in place of an answer, and what the failure must say. */
interface Broken {
  readonly whole: Body
  readonly stream: Body
  readonly says: readonly string[]
}

const page = { type: 'text/html', text: '<!doctype html><title>Welcome</title>' }
const nothing = { type: 'application/json', text: '' }
const everywhere: Readonly<Record<string, Broken>> = {
  'an HTML page': { whole: page, stream: page, says: ['text/html', '<!doctype html>'] },
  'an empty body': { whole: nothing, stream: nothing, says: ['application/json, empty'] },
  'an empty stream': { whole: events(), stream: events(), says: ['text/event-stream, empty'] },
  '[DONE] at once': { whole: events('[DONE]'), stream: events('[DONE]'), says: ['text/event-stream', 'data: [DONE]'] },
  '{}': { whole: json({}), stream: json({}), says: ['application/json', '"{}"'] },
  '{} as an event': { whole: json({}), stream: events({}, '[DONE]'), says: ['{}'] },
  'unknown events': {
    whole: json({ type: 'mystery' }),
    stream: events({ type: 'mystery' }, { more: 1 }, '[DONE]'),
    says: ['mystery'],
  },
  'an error with status 200': {
    whole: json({ error: { message: 'no quota' } }),
    stream: json({ error: { message: 'no quota' } }),
    says: ['no quota'],
  },
}
const empty = (finish: string): Broken => ({
  whole: completion({ role: 'assistant', content: '' }, finish),
  stream: events(chunk({ role: 'assistant', content: '' }), chunk({}, finish), '[DONE]'),
  says: ['empty answer', `finish reason ${finish}`],
})
const chat: Readonly<Record<string, Broken>> = {
  ...everywhere,
  'no choices': { whole: json({ id: 'x', choices: [] }), stream: json({ choices: [] }), says: ['choices'] },
  'an empty answer, cut off': empty('length'),
  'an empty answer, finished': empty('stop'),
}
const responses: Readonly<Record<string, Broken>> = {
  ...everywhere,
  'an empty answer, cut off': {
    whole: json(incomplete),
    stream: events({ type: 'response.incomplete', response: incomplete }),
    says: ['empty answer', 'finish reason max_output_tokens'],
  },
}
const everyProvider = {
  'openai-chat/m': chat,
  'openai-compatible/m': chat,
  'openai/m': responses,
  'anthropic/m': everywhere,
  'google/m': everywhere,
}

async function ask(reference: string, streaming: boolean, answer: (request: IncomingMessage) => Body | Promise<Body>) {
  let requests = 0
  const url = await serve(async (request, reply) => {
    requests++
    const { type, text } = await answer(request)
    reply.writeHead(200, { 'content-type': type }).end(text)
  })
  const conversation = streaming ? { conversation: [{ role: 'user', text: 'x' }] as const } : {}
  return { ...(await run(react(reference), 'x', { env: environment(url) }, conversation)), requests }
}

function environment(url: string): Record<string, string> {
  return {
    ...{ OPENAI_API_KEY: 'key-of-openai', ANTHROPIC_API_KEY: 'k', GEMINI_API_KEY: 'k' },
    ...{ OPENAI_BASE_URL: url, ANTHROPIC_BASE_URL: url, GOOGLE_BASE_URL: url, OPENAI_COMPATIBLE_BASE_URL: url },
  }
}

const rows = Object.entries(everyProvider).flatMap(([reference, kinds]) =>
  Object.entries(kinds).flatMap(([kind, broken]) => [
    [reference, kind, 'whole', broken] as const,
    [reference, kind, 'stream', broken] as const,
  ]),
)

it.each(rows)('false pass 2: %s, %s, %s', async (reference, _, form, broken) => {
  const { error, events, requests } = await ask(reference, form === 'stream', () => broken[form])
  expect(error?.code).toBe('model_failed')
  for (const words of broken.says) expect(error?.message.replaceAll('\\"', '"')).toContain(words)
  expect(error?.message.length).toBeLessThan(700)
  // Anthropic's library reports unknown events as status 500, which is retried.
  if (reference !== 'anthropic/m') expect(requests).toBe(1)
  expect(events.at(-1)).toMatchObject({ type: 'run-failed' })
})

it.each(['openai-compatible/m', 'openai-chat/m'])(
  '%s: an error in the middle of a stream is shown',
  async (reference) => {
    const failure = { error: { message: 'overloaded for now', type: 'server_error' } }
    const { error } = await ask(reference, true, () =>
      events(chunk({ role: 'assistant', content: 'The code' }), failure),
    )
    expect(error?.message).toContain('/m failed: overloaded for now; response:')
  },
)

it.each(Object.keys(everyProvider))(
  '%s: a redirect is a failure, and the host that it names hears nothing',
  async (reference) => {
    let heard = 0
    const stranger = await serve((_, reply) => {
      heard++
      reply.end('{}')
    })
    const url = await serve((_, reply) => void reply.writeHead(307, { location: `${stranger}/v1` }).end())
    const { error } = await run(react(reference), 'x', { env: environment(url) })
    expect([heard, error?.code]).toEqual([0, 'model_failed'])
    expect(error?.message).toContain('307')
  },
)

describe('one model for many calls', () => {
  const prompt = (text: string) => ({ prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text }] }] })
  const page = async (request: IncomingMessage) => /page \w+/.exec(await bodyOf(request))?.[0]

  it.each(['whole', 'stream'])('shows each call its own response: %s', async (form) => {
    const url = await serve(async (request, reply) => {
      const name = await page(request)
      const body = { role: 'assistant', content: 'done' }
      const { type, text } = name?.endsWith('fine')
        ? form === 'whole'
          ? completion(body, 'stop')
          : events(chunk(body), chunk({}, 'stop'), '[DONE]')
        : { type: 'text/html', text: `<title>${name}</title>` }
      reply.writeHead(200, { 'content-type': type }).end(text)
    })
    const model = unwrap(await resolveModel('openai-compatible/m', environment(url)))
    const ask = async (name: string): Promise<string> => {
      try {
        if (form === 'whole') await model.doGenerate(prompt(`page ${name}`))
        else
          for await (const part of (await model.doStream(prompt(`page ${name}`))).stream)
            if (part.type === 'error') throw part.error
        return 'done'
      } catch (thrown) {
        return String(thrown)
      }
    }
    expect(await ask('fine')).toBe('done')
    const names = Array.from({ length: 20 }, (_, index) => (index % 3 === 0 ? 'fine' : `n${index}n`))
    const answers = await Promise.all(names.map(ask))
    for (const [index, name] of names.entries()) {
      if (name === 'fine') expect(answers[index]).toBe('done')
      else expect(answers[index]).toContain(`<title>page ${name}</title>`)
    }
    // The library refuses a call before it is sent: the response of an earlier call is not its own.
    const data = { type: 'data', data: 'AA==' } as const
    const file = { type: 'file', mediaType: 'x-unknown/x', data } as const
    const refused = model.doGenerate({ prompt: [{ role: 'user', content: [file] }] })
    await expect(refused).rejects.toThrow(/^(?!.*response:).*x-unknown/)
  })
})

describe('valid answers', () => {
  it.each(['openai-chat/m', 'openai-compatible/m'])('a call without text: %s', async (reference) => {
    const call = { id: 'c', type: 'function', function: { name: 'nothing', arguments: '{}' } }
    const { result } = await ask(reference, false, async (request) =>
      (await bodyOf(request)).includes('"role":"tool"')
        ? completion({ role: 'assistant', content: 'done' }, 'stop')
        : completion({ role: 'assistant', content: null, tool_calls: [call] }, 'tool_calls'),
    )
    expect(result?.output).toBe('done')
  })

  const texts = ['stop', 'STOP', 'eos', 'eos_token', 'end_turn', 'stop_sequence', 'function_call']
  it.each(texts)('text that ends with %s', async (finish) => {
    const text = { role: 'assistant', content: 'done' }
    const whole = await ask('openai-compatible/m', false, () => completion(text, finish))
    // Some servers send an empty reason before the last event.
    const stream = events(chunk(text, ''), chunk({}, finish), '[DONE]')
    const streamed = await ask('openai-compatible/m', true, () => stream)
    expect([whole.result?.output, streamed.result?.output]).toEqual(['done', 'done'])
  })

  it.each([null, undefined, ''])('unstreamed text with finish reason %j', async (finish) => {
    for (const reference of ['openai-compatible/m', 'openai-chat/m']) {
      const answer = completion({ role: 'assistant', content: 'done' }, finish)
      const { result } = await ask(reference, false, () => answer)
      expect(result?.output).toBe('done')
    }
  })

  it('a refusal in a separate field', async () => {
    const refusal = completion({ role: 'assistant', content: null, refusal: 'I will not' }, 'stop')
    const { result } = await ask('openai-chat/m', false, () => refusal)
    expect(result?.output).toBe('I will not')
  })
})

describe('an incomplete answer', () => {
  const chatted = (finish: string) => ({
    whole: completion({ role: 'assistant', content: 'Press the red' }, finish),
    stream: events(chunk({ role: 'assistant', content: 'Press the red' }), chunk({}, finish), '[DONE]'),
  })
  const item = {
    ...{ type: 'message', id: 'i', role: 'assistant', status: 'incomplete' },
    content: [{ type: 'output_text', text: 'Press the red', annotations: [] }],
  }
  const responded = (incomplete_details: object | null, status = 'incomplete') => {
    const ended = response(status, [item], { incomplete_details })
    return {
      whole: json(ended),
      stream: events(
        { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
        { type: 'response.output_text.delta', item_id: 'i', output_index: 0, content_index: 0, delta: 'Press the red' },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: `response.${status}`, response: ended },
      ),
    }
  }
  const completed = events({ type: 'response.completed', response: response('completed', []) }).text
  const message = { id: 'x', type: 'message', role: 'assistant', model: 'm' }
  const written = (stop_reason: string) => ({
    whole: json({
      ...message,
      content: [{ type: 'text', text: 'Press the red' }],
      ...{ stop_reason, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } },
    }),
    stream: events(
      { type: 'message_start', message: { ...message, content: [], usage: { input_tokens: 1, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Press the red' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ),
  })
  const generated = (finishReason: string) => {
    const answer = { candidates: [{ content: { role: 'model', parts: [{ text: 'Press the red' }] }, finishReason }] }
    return { whole: json(answer), stream: events(answer) }
  }
  const rows = [
    ['openai-chat/m', 'length', chatted('length')],
    ['openai-chat/m', 'content-filter', chatted('content_filter')],
    ['openai-compatible/m', 'length', chatted('length')],
    ['openai-compatible/m', 'content-filter', chatted('content_filter')],
    ['openai-compatible/m', 'length', chatted('model_length')],
    ['openai-compatible/m', 'error', chatted('abort')],
    ['openai/m', 'length', responded({ reason: 'max_output_tokens' })],
    ['openai/m', 'content-filter', responded({ reason: 'content_filter' })],
    ['openai/m', 'length', responded(null)],
    ['anthropic/m', 'length', written('max_tokens')],
    ['anthropic/m', 'content-filter', written('refusal')],
    ['google/m', 'length', generated('MAX_TOKENS')],
    ['google/m', 'content-filter', generated('SAFETY')],
    ['openai/m', 'length', responded(null, 'completed')],
    ['openai/m', 'turn_limit', responded({ reason: 'turn_limit' })],
    ['anthropic/m', 'pause_turn', written('pause_turn')],
    ['anthropic/m', 'tomorrow', written('tomorrow')],
    ['google/m', 'LANGUAGE', generated('LANGUAGE')],
    ['google/m', 'OTHER', generated('OTHER')],
    ['openai-chat/m', 'token_limit', chatted('token_limit')],
    ['openai-compatible/m', 'insufficient_system_resource', chatted('insufficient_system_resource')],
    ['openai-compatible/m', 'sensitive', chatted('sensitive')],
    ['openai-compatible/m', 'token_limit', chatted('token_limit')],
  ] as const
  it.each(rows)('%s, %s: is never the output, streamed or not', async (reference, finish, bodies) => {
    for (const form of ['whole', 'stream'] as const) {
      const { error, result } = await ask(reference, form === 'stream', () => bodies[form])
      expect([form, result?.output, error?.code, error?.details]).toEqual([
        ...[form, undefined, 'answer_incomplete'],
        expect.objectContaining({ finish }),
      ])
    }
  })

  it('reports an unknown finish reason', async () => {
    const { error } = await ask('openai-compatible/m', false, () => chatted('sensitive').whole)
    const clause = 'may be incomplete (finish reason sensitive)'
    expect(error?.message).toBe(`an answer from openai-compatible.chat/m ${clause}`)
  })

  const said = chunk({ role: 'assistant', content: 'Press the red' })
  const ended = responded(null, 'completed').stream.text.split('\n\n')
  const streams = [
    ['openai-chat/m', 'without a reason', 'none', events(said, '[DONE]')],
    ['openai-compatible/m', 'with an empty reason', 'none', events(said, chunk({}, ''), '[DONE]')],
    ['openai-chat/m', 'with two reasons', 'length', events(said, chunk({}, 'length'), chunk({}, 'stop'), '[DONE]')],
    ['openai-compatible/m', 'with two reasons', 'length', events(said, chunk({}, 'length'), chunk({}, 'stop'))],
    [
      'openai/m',
      'without an end',
      'none',
      { type: 'text/event-stream', text: `${ended.slice(0, 2).join('\n\n')}\n\n` },
    ],
    [
      ...(['openai/m', 'with an incomplete item and an end without items', 'length'] as const),
      { type: 'text/event-stream', text: `${ended.slice(0, 3).join('\n\n')}\n\n${completed}` },
    ],
    [
      ...(['google/m', 'with two reasons', 'length'] as const),
      events(...['MAX_TOKENS', 'STOP'].map((reason) => JSON.parse(generated(reason).whole.text))),
    ],
    [
      ...(['anthropic/m', 'with two reasons', 'length'] as const),
      {
        type: 'text/event-stream',
        text: written('max_tokens').stream.text.replace(/data: .*message_stop.*/, () =>
          written('end_turn').stream.text.split('\n\n').slice(-3).join('\n\n'),
        ),
      },
    ],
  ] as const
  it.each(streams)('%s: a stream %s fails the run (%s)', async (reference, _, finish, body) => {
    const { error, result } = await ask(reference, true, () => body)
    expect([result?.output, error?.code, error?.details]).toEqual([
      ...[undefined, 'answer_incomplete'],
      expect.objectContaining({ finish }),
    ])
  })

  it('executes none of its calls, because arguments may be missing', async () => {
    const paid: unknown[] = []
    const url = await serve((_, reply) => {
      const content = [{ type: 'tool_use', id: 't', name: 'pay', input: { to: 'eve' } }]
      const body = { ...message, content, stop_reason: 'max_tokens', usage: { input_tokens: 1, output_tokens: 1 } }
      reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    const agent = react('anthropic/m', { action_space: { local_tools: [{ alias: 'pay' }] } })
    const tools = { pay: { call: (args: unknown) => paid.push(args) } }
    const { error } = await run(agent, 'x', { env: environment(url), tools })
    expect([error?.code, paid]).toEqual(['answer_incomplete', []])
  })
})

it('a filtered answer is reported as filtered', async () => {
  const filtered = completion({ role: 'assistant', content: '' }, 'content_filter')
  const { error } = await ask('openai-compatible/m', false, () => filtered)
  expect(error?.message).toContain('(finish reason content_filter)')
})

it.each([false, true])('the key is redacted in a response excerpt (streaming: %s)', async (streaming) => {
  const { error } = await ask('openai-chat/m', streaming, ({ headers }) => ({
    type: 'text/plain',
    text: `${'x'.repeat(180)} you are ${headers.authorization}`,
  }))
  expect(error?.message).toContain('xxx')
  expect(error?.message).not.toContain('key-of')
})
