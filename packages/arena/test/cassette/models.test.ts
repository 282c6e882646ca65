import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { type LanguageModel, resolveModel } from '@joust/runtime'
import { scriptedModel } from '@joust/sim'
import type { Value } from '@joust/source'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cassettePath } from '../../src/cassette/file.ts'
import { openCassette, recordedModel, recordedModels } from '../../src/cassette.ts'
import { agentDocument, agentOf, react } from '../support/agents.ts'
import { folder, textIn } from './folders.ts'

type Call = Parameters<LanguageModel['doGenerate']>[0]
type Part = Awaited<ReturnType<LanguageModel['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never

const scope = { attack: 'library/a.oatf.yaml', trial: 1 }
const ask = (text: string, more: Partial<Call> = {}): Call => ({
  prompt: [{ role: 'user', content: [{ type: 'text', text }] }],
  ...more,
})

/** A model that must not be reached. */
const dead: LanguageModel = {
  specificationVersion: 'v3',
  provider: 'sim',
  modelId: 'scripted',
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error('a live call')),
  doStream: () => Promise.reject(new Error('a live call')),
}

async function read(stream: ReadableStream<Part>): Promise<Part[]> {
  const parts: Part[] = []
  for await (const part of stream) parts.push(part)
  return parts
}

const textOf = async (model: LanguageModel, call: Call) => {
  const { content } = await model.doGenerate(call)
  return content.map((part) => (part.type === 'text' ? part.text : part.type)).join()
}

/** Records what a test does with a model. */
async function record(
  path: string,
  model: LanguageModel,
  work: (model: LanguageModel) => PromiseLike<unknown>,
  options = {},
) {
  const cassette = openCassette(path, 'record', scope, options)
  await work(cassette.model(model))
  cassette.close()
}

const replay = (path: string, options = {}) => openCassette(path, 'replay', scope, options).model(dead)

describe('recorded calls are replayed', () => {
  test('whole answers with their tool calls and tokens, in any order of different questions', async () => {
    const path = folder()
    const script = [{ text: 'one' }, { text: 'two', tool_calls: [{ name: 'send', arguments: { to: 'x' } }] }]
    const answers: unknown[] = []
    await record(path, scriptedModel(script), async (model) => {
      for (const word of ['a', 'b']) answers.push(await model.doGenerate(ask(word)))
    })
    const model = replay(path)
    expect(await model.doGenerate(ask('b'))).toEqual(JSON.parse(JSON.stringify(answers[1])))
    expect(await model.doGenerate(ask('a'))).toEqual(JSON.parse(JSON.stringify(answers[0])))
  })

  test('streams, part by part', async () => {
    const path = folder()
    let live: Part[] = []
    await record(path, scriptedModel([{ text: 'many small words', tool_calls: [{ name: 't' }] }]), async (model) => {
      live = await read((await model.doStream(ask('a'))).stream)
    })
    expect(live.length).toBeGreaterThan(6)
    expect(await read((await replay(path).doStream(ask('a'))).stream)).toEqual(JSON.parse(JSON.stringify(live)))
  })

  test('equal calls get their answers in order, also when concurrent', async () => {
    const path = folder()
    const waiting: (() => void)[] = []
    const slow: LanguageModel = {
      ...scriptedModel([]),
      async doGenerate(call) {
        const number = waiting.length + 1
        await new Promise<void>((resolve) => waiting.push(resolve))
        return scriptedModel([{ text: `answer ${number}` }]).doGenerate(call)
      },
    }
    await record(path, slow, async (model) => {
      const answers = [1, 2, 3].map(() => model.doGenerate(ask('same')))
      // The last to be asked is the first to answer.
      for (const answer of [...waiting].reverse()) answer()
      await Promise.all(answers)
    })
    const model = replay(path)
    const texts = await Promise.all([1, 2, 3].map(() => textOf(model, ask('same'))))
    expect(texts).toEqual(['answer 1', 'answer 2', 'answer 3'])
  })

  test('bytes and dates keep their types', async () => {
    const path = folder()
    const data = Uint8Array.from([0, 255, 128])
    const model: LanguageModel = {
      ...scriptedModel([]),
      doStream: async () => ({
        stream: new ReadableStream<Part>({
          start(controller) {
            controller.enqueue({ type: 'file', mediaType: 'image/png', data })
            controller.enqueue({ type: 'response-metadata', timestamp: new Date(5) })
            controller.close()
          },
        }),
      }),
    }
    await record(path, model, async (each) => read((await each.doStream(ask('a'))).stream))
    expect(await read((await replay(path).doStream(ask('a'))).stream)).toEqual([
      { type: 'file', mediaType: 'image/png', data },
      { type: 'response-metadata', timestamp: new Date(5) },
    ])
  })

  test('any conversation: record then replay gives the same answers', async () => {
    const path = folder()
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary', maxLength: 8 }), { maxLength: 6 }), async (questions) => {
        const script = questions.map((text, index) => ({ text: `${index} ${text}` }))
        const asking = async (model: LanguageModel) => {
          const texts: string[] = []
          for (const question of questions) texts.push(await textOf(model, ask(question)))
          return texts
        }
        let live: string[] = []
        await record(path, scriptedModel(script), async (model) => {
          live = await asking(model)
        })
        expect(await asking(replay(path))).toEqual(live)
      }),
      { numRuns: 50 },
    )
  })
})

describe('failures are replayed, so that retries behave the same', () => {
  test('with status, as an error of the provider', async () => {
    const path = folder()
    const script = [{ error: { message: 'busy', status: 429 } }, { text: 'at last' }]
    await record(path, scriptedModel(script), async (model) => {
      await model.doGenerate(ask('a')).then(null, () => {})
      await model.doGenerate(ask('a'))
    })
    const model = replay(path)
    await expect(model.doGenerate(ask('a'))).rejects.toMatchObject({
      message: 'busy',
      statusCode: 429,
      isRetryable: true,
    })
    expect(await textOf(model, ask('a'))).toBe('at last')
  })

  test('of the network, with their code', async () => {
    const path = folder()
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    const model: LanguageModel = { ...dead, doStream: () => Promise.reject(new TypeError('fetch failed', { cause })) }
    await record(path, model, (each) => each.doStream(ask('a')).then(null, () => {}))
    const failure = await replay(path)
      .doStream(ask('a'))
      .then(null, (thrown: unknown) => thrown)
    expect(failure).toBeInstanceOf(TypeError)
    expect(failure).toMatchObject({ message: 'fetch failed', code: 'ECONNREFUSED' })
  })

  test('in the middle of a stream, after the parts before', async () => {
    const path = folder()
    const model: LanguageModel = {
      ...dead,
      doStream: async () => {
        let pulled = 0
        return {
          stream: new ReadableStream<Part>({
            pull(controller) {
              if (pulled++ === 0) controller.enqueue({ type: 'text-delta', id: '1', delta: 'half' })
              else controller.error(new Error('broken off'))
            },
          }),
        }
      },
    }
    await record(path, model, async (each) => read((await each.doStream(ask('a'))).stream).catch(() => {}))
    const reader = (await replay(path).doStream(ask('a'))).stream.getReader()
    expect(await reader.read()).toMatchObject({ value: { delta: 'half' } })
    await expect(reader.read()).rejects.toThrow('broken off')
  })

  test('a call that was pending at the end of the run stays pending until the end', async () => {
    const path = folder()
    const cassette = openCassette(path, 'record', scope)
    void cassette.model({ ...dead, doGenerate: () => new Promise(() => {}) }).doGenerate(ask('a'))
    cassette.close()
    const stop = new AbortController()
    const answer = replay(path).doGenerate(ask('a', { abortSignal: stop.signal }))
    stop.abort(new Error('the run has ended'))
    await expect(answer).rejects.toThrow('the run has ended')
  })
})

describe('a call that was not recorded is an error, never a live call', () => {
  const recorded = async (path: string) =>
    record(path, scriptedModel([{ text: 'x' }]), (model) =>
      model.doGenerate(ask('the quick brown fox', { temperature: 0 })),
    )

  test.each<[string, Call, string]>([
    [
      'another message',
      ask('the quick red fox', { temperature: 0 }),
      'the nearest recording differs in prompt[0] (user): recorded …[{"text":"the quick brown fox","type":"text"}],"role":"user"}, now …[{"text":"the quick red fox","type":"text"}],"role":"user"}',
    ],
    ['another setting', ask('the quick brown fox'), 'differs in settings: recorded {"temperature":0}, now {}'],
    [
      'a tool more',
      ask('the quick brown fox', {
        temperature: 0,
        tools: [{ type: 'function', name: 'send', inputSchema: { type: 'object' } }],
      }),
      'differs in tools[0] (send): not recorded, now {"inputSchema"',
    ],
  ])('%s: the nearest one is shown', async (_, call, message) => {
    const path = folder()
    await recorded(path)
    const cassette = openCassette(path, 'replay', scope)
    const failure = cassette.model(dead).doGenerate(call)
    await expect(failure).rejects.toMatchObject({ code: 'recording_missing' })
    await expect(failure).rejects.toThrow(message)
    expect(cassette.missed()).toHaveLength(1)
  })

  test('a call that is repeated more often than recorded', async () => {
    const path = folder()
    await recorded(path)
    const model = replay(path)
    const call = ask('the quick brown fox', { temperature: 0 })
    await model.doGenerate(call)
    await expect(model.doGenerate(call)).rejects.toThrow('this model call was repeated, but recorded only once')
  })

  test('a stream where an answer was recorded', async () => {
    const path = folder()
    await recorded(path)
    await expect(replay(path).doStream(ask('the quick brown fox', { temperature: 0 }))).rejects.toThrow(
      'this streamed model call was not recorded; no similar recording',
    )
  })

  test('another attack, another trial', async () => {
    const path = folder()
    await recorded(path)
    expect(() => openCassette(path, 'replay', { ...scope, trial: 2 })).toThrow(/missing recording of .*, trial 2/)
    expect(() => openCassette(path, 'replay', { attack: 'library/b.oatf.yaml', trial: 1 })).toThrow(/missing recording/)
  })
})

test('varying ids, loopback ports and times are ignored, but not whether they are equal', async () => {
  const path = folder()
  const text = (a: string, b: string, port: number, hour: number) =>
    `session ${a} and ${b} at http://127.0.0.1:${port}/mcp on 2026-01-01T0${hour}:00:00.000Z`
  const [a, b, c] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
  await record(path, scriptedModel([{ text: 'x' }]), (model) => model.doGenerate(ask(text(a, b, 4000, 1))))
  expect(textIn(path)).toContain(a)
  const model = replay(path)
  await expect(model.doGenerate(ask(text(c, c, 5000, 2)))).rejects.toThrow('not recorded')
  expect(await textOf(model, ask(text(b, c, 5000, 2)))).toBe('x')
})

describe('redaction', () => {
  const hide = (value: Value): Value => JSON.parse(JSON.stringify(value).replaceAll('hunter2', '[hidden]'))

  test('covers requests, answers and the parts of a stream; a conversation still replays', async () => {
    const path = folder()
    const script = [{ text: 'say hunter2' }, { text: 'fine' }]
    const first: LanguageModel = {
      ...scriptedModel([]),
      doStream: async () => ({
        stream: new ReadableStream<Part>({
          start(controller) {
            for (const delta of ['say hun', 'ter2', ' now']) controller.enqueue({ type: 'text-delta', id: '0', delta })
            controller.close()
          },
        }),
      }),
    }
    const model = { ...scriptedModel(script), doStream: first.doStream }
    const options = { redact: hide }
    const converse = async (each: LanguageModel) => {
      const said = await textOf(each, ask('the password is hunter2'))
      // The answer becomes part of the next question.
      await textOf(each, ask(`you said: ${said}`))
      return read((await each.doStream(ask('again'))).stream)
    }
    await record(path, model, converse, options)
    expect(textIn(path)).not.toMatch(/hun|ter2"/)
    const parts = await converse(replay(path, options))
    expect(parts.map((part) => (part.type === 'text-delta' ? part.delta : ''))).toEqual(['say [hidden] now', '', ''])
  })

  test('headers and raw requests and responses are not written', async () => {
    const path = folder()
    const model: LanguageModel = {
      ...scriptedModel([]),
      async doGenerate(call) {
        const answer = await scriptedModel([{ text: 'x' }]).doGenerate(call)
        return { ...answer, request: { body: 'wire-secret' }, response: { headers: { 'x-key': 'wire-secret' } } }
      },
    }
    const call = ask('a', { headers: { authorization: 'Bearer wire-secret' } })
    await record(path, model, (each) => each.doGenerate(call))
    expect(textIn(path)).not.toContain('wire-secret')
    expect(await textOf(replay(path), ask('a', { headers: { authorization: 'other' } }))).toBe('x')
  })
})

describe('the file', () => {
  test('has a line per finished call; a truncated line counts as not recorded', async () => {
    const path = folder()
    const cassette = openCassette(path, 'record', scope)
    const model = cassette.model(scriptedModel([{ text: 'one' }, { text: 'two' }]))
    await model.doGenerate(ask('a'))
    // The process dies here, in the middle of the next line.
    const file = cassettePath(path, scope)
    appendFileSync(file, '{"kind":"generate","nth":1,"req')
    expect(readFileSync(file, 'utf8').split('\n')[0]).toBe(JSON.stringify({ joust_cassette: 1, ...scope }))
    expect(await textOf(replay(path), ask('a'))).toBe('one')
    cassette.close()
  })

  test('is replaced by the next recording, or continued', async () => {
    const path = folder()
    await record(path, scriptedModel([{ text: 'one' }]), (model) => model.doGenerate(ask('a')))
    await record(path, scriptedModel([{ text: 'two' }]), (model) => model.doGenerate(ask('b')), { append: true })
    const model = replay(path)
    expect([await textOf(model, ask('a')), await textOf(model, ask('b'))]).toEqual(['one', 'two'])
    await record(path, scriptedModel([{ text: 'three' }]), (each) => each.doGenerate(ask('b')))
    await expect(replay(path).doGenerate(ask('a'))).rejects.toThrow('not recorded')
  })

  test.each([
    ['of a later version', '{"joust_cassette":2}\n', 'version 2'],
    ['of something else', '{"joust_trace":1}\n', 'is not a cassette'],
    ['that is empty', '', 'is not a cassette'],
    [
      'of another attack',
      `${JSON.stringify({ joust_cassette: 1, ...scope, attack: 'other.oatf.yaml' })}\n`,
      `was recorded for other.oatf.yaml, trial ${scope.trial}, not for ${scope.attack}, trial ${scope.trial}`,
    ],
    [
      'of another trial, further down',
      [scope.trial, 7].map((trial) => `${JSON.stringify({ joust_cassette: 1, ...scope, trial })}\n`).join(''),
      `was recorded for ${scope.attack}, trial 7, not for`,
    ],
    ['of an unknown run', '{"joust_cassette":1}\n', 'was recorded for an unknown attack, trial unknown'],
  ])('%s is refused', (_, text, message) => {
    const path = folder()
    writeFileSync(cassettePath(path, scope), text)
    expect(() => openCassette(path, 'replay', scope)).toThrow(message)
  })

  test('lines of any content do no harm', async () => {
    const path = folder()
    const lines = [
      'null',
      '[]',
      '{}',
      '{"kind":"generate"}',
      '{"kind":"model"}',
      '{"kind":"stream","end":{},"request":7}',
    ]
    writeFileSync(
      cassettePath(path, scope),
      `${JSON.stringify({ joust_cassette: 1, ...scope })}\n${lines.join('\n')}\n`,
    )
    await expect(replay(path).doGenerate(ask('a'))).rejects.toMatchObject({ code: 'recording_missing' })
  })

  test('that cannot be written is an error', () => {
    const path = folder()
    writeFileSync(`${path}/taken`, '')
    expect(() => openCassette(`${path}/taken`, 'record', scope)).toThrow(/cannot be written/)
  })
})

describe('the models of a runtime', () => {
  test('are found as the runtime finds them, and replayed without key, host or provider', async () => {
    const path = folder()
    const agent = await agentOf(agentDocument({ execution_policy: react('gpt-x') }))
    const tape = openCassette(path, 'record', scope)
    const bound = await recordedModels({ 'gpt-x': scriptedModel([{ text: 'hi' }]) }, tape)('openai/gpt-x', agent)
    const sim = await recordedModels(undefined, tape)('sim/silent', agent)
    expect(await recordedModels(undefined, tape)('openai/gpt-y', agent)).toBeUndefined()
    for (const model of [bound, sim]) if (typeof model === 'object') await model.doGenerate(ask('a'))
    tape.close()
    const cassette = openCassette(path, 'replay', scope)
    const host = () => {
      throw new Error('must not be called')
    }
    const model = await recordedModels(host, cassette)('openai/gpt-x', agent)
    expect(model).toMatchObject({ provider: 'sim', modelId: 'scripted' })
    expect(await textOf(model as LanguageModel, ask('a'))).toBe('hi')
    expect(await recordedModel('sim/silent', cassette, {})).toMatchObject({ ok: true, value: { modelId: 'silent' } })
    await expect(recordedModels(host, cassette)('openai/gpt-z', agent)).rejects.toThrow(
      'no recorded calls of openai/gpt-z',
    )
    expect(await recordedModel('openai/gpt-z', cassette, {})).toMatchObject({ ok: false })
  })

  test('a missing one is reported as without a cassette', async () => {
    const tape = openCassette(folder(), 'record', scope)
    expect(await recordedModel('openai/gpt-y', tape, {})).toEqual(await resolveModel('openai/gpt-y', {}))
    tape.close()
  })
})
