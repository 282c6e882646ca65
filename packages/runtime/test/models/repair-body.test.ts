/** Real provider libraries against servers that send the arguments of a call as they should not. */
import { describe, expect, it } from 'vitest'
import type { LanguageModel } from '../../src/model/language-model.ts'
import { repairBody } from '../../src/models/repair-body.ts'
import { bodyOf, useHttp } from '../support/http.ts'
import { react } from '../support/react.ts'
import { recorded } from '../support/recorded.ts'
import { run } from '../support/run.ts'

const serve = useHttp()

const head = '"id":"x","created":1,"model":"m"'
const events = (...data: readonly string[]) => data.map((one) => `data: ${one}\r\n\r\n`).join('')
const usage = '"usage":{"input_tokens":1,"output_tokens":1}'

/** Chat completions with a call and with text; `args` is empty or `,"arguments":…`. */
const chat = {
  call: (args: string, stream: boolean) => {
    const call = `{"index":0,"id":"c","type":"function","function":{"name":"pay"${args}}}`
    const part = `{"role":"assistant","tool_calls":[${call}]}`
    if (!stream) return `{${head},"choices":[{"index":0,"message":${part},"finish_reason":"tool_calls"}]}`
    return events(
      `{${head},"choices":[{"index":0,"delta":${part},"finish_reason":null}]}`,
      `{${head},"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`,
      '[DONE]',
    )
  },
  text: (stream: boolean) => {
    const said = `{${head},"choices":[{"index":0,"${stream ? 'delta' : 'message'}":{"role":"assistant","content":"done"},"finish_reason":"stop"}]}`
    return stream ? events(said, '[DONE]') : said
  },
}

const response = (item: string) =>
  `{"id":"r","created_at":1,"model":"m","object":"response","status":"completed","output":[${item}],${usage}}`
const streamed = (item: string) =>
  events(
    `{"type":"response.output_item.done","output_index":0,"item":${item}}`,
    `{"type":"response.completed","response":${response(item)}}`,
  )
const responses = {
  call: (args: string, stream: boolean) => {
    const item = `{"type":"function_call","id":"i","call_id":"c","name":"pay","status":"completed"${args}}`
    return stream ? streamed(item) : response(item)
  },
  text: (stream: boolean) => {
    const content = '[{"type":"output_text","text":"done","annotations":[]}]'
    const item = `{"type":"message","id":"m","role":"assistant","status":"completed","content":${content}}`
    const start = `{"type":"response.output_item.added","output_index":0,"item":${item}}`
    const delta =
      '{"type":"response.output_text.delta","item_id":"m","output_index":0,"content_index":0,"delta":"done"}'
    return stream ? events(start, delta) + streamed(item) : response(item)
  },
}

const rows = (
  [
    ['openai-chat/m', chat],
    ['openai-compatible/m', chat],
    ['openai/m', responses],
  ] as const
).flatMap(([reference, wire]) => [false, true].map((stream) => [reference, stream, wire] as const))

describe.each(rows)('arguments of a call of %s (streaming: %s)', (reference, stream, wire) => {
  async function paidWith(args: string) {
    const paid: unknown[] = []
    const url = await serve(async (request, reply) => {
      const hasResult = /"role":"tool"|function_call_output/.test(await bodyOf(request))
      const type = stream ? 'text/event-stream' : 'application/json'
      reply.writeHead(200, { 'content-type': type }).end(hasResult ? wire.text(stream) : wire.call(args, stream))
    })
    const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: url, OPENAI_COMPATIBLE_BASE_URL: url }
    const agent = react(reference, { action_space: { local_tools: [{ alias: 'pay' }] } })
    const tools = { pay: { call: (given: unknown) => paid.push(given) } }
    const conversation = stream ? { conversation: [{ role: 'user', text: 'x' }] as const } : {}
    const { result, error } = await run(agent, 'x', { env, tools }, conversation)
    expect([error, result?.output]).toEqual([undefined, 'done'])
    return paid
  }

  it('may be an object', async () => {
    const given = '{"arguments":{"function":{"arguments":{"a":1}}},"list":[1],"text":"ä\\n"}'
    expect(await paidWith(`,"arguments":${given}`)).toEqual([JSON.parse(given)])
    expect(await paidWith(',"arguments":{}')).toEqual([{}])
  })

  it('are still read as text', async () => {
    expect(await paidWith(',"arguments":"{\\"a\\":1}"')).toEqual([{ a: 1 }])
  })

  if (stream) return
  it('may be missing or null', async () => {
    expect(await paidWith(',"arguments":null')).toEqual([{}])
    expect(await paidWith('')).toEqual([{}])
  })
})

it('arguments of a model of the host may be an object', async () => {
  const { model } = recorded([{ tool_calls: [{ name: 'pay', arguments: { a: 1 } }] }, { text: 'done' }])
  const doGenerate: LanguageModel['doGenerate'] = async (call) => {
    const answer = await model.doGenerate(call)
    const content = answer.content.map((part) =>
      part.type === 'tool-call' ? { ...part, input: JSON.parse(part.input) } : part,
    )
    return { ...answer, content }
  }
  const paid: unknown[] = []
  const agent = react('m', { action_space: { local_tools: [{ alias: 'pay' }] } })
  const tools = { pay: { call: (given: unknown) => paid.push(given) } }
  const { result } = await run(agent, 'x', { models: { m: { ...model, doGenerate } }, tools })
  expect([result?.output, paid]).toEqual(['done', [{ a: 1 }]])
})

describe('a body', () => {
  async function passed(text: string, type: string, size: number): Promise<string> {
    const bytes = new TextEncoder().encode(text)
    const pieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
        controller.close()
      },
    })
    return new Response(pieces.pipeThrough(repairBody(type))).text()
  }

  it.each([1, 7, 1000])('in chunks of %i bytes gives the same result', async (size) => {
    const body = chat.call(',"arguments":{"a":"ä"}', true)
    expect(await passed(body, 'text/event-stream; charset=utf-8', size)).toBe(
      body.replace('{"a":"ä"}', JSON.stringify('{"a":"ä"}')),
    )
  })

  it.each([
    '{"choices": [ {"message": {"tool_calls": [{"function": {"arguments": "{}"}}]}} ]}',
    '{"arguments": {"function": 1}, "choices": [1, null], "output": {}, "response": 5, "status": "incomplete"}',
    '{"function": "incomplete"',
    'null "arguments": {',
    '',
  ])('that is correct stays unchanged: %s', async (text) => {
    expect(await passed(text, 'application/json', 5)).toBe(text)
    expect(await passed(`data: ${text}\n\n`, 'text/event-stream', 5)).toBe(`data: ${text}\n\n`)
  })
})
