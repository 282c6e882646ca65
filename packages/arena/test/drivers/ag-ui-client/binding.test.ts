/** §7.3, key by key and event by event: what goes on the wire, and what the trace contains. */
import { EventType } from '@ag-ui/core'
import type { Value } from '@joust/source'
import { describe, expect, it } from 'vitest'
import { createAgUiClientDriver } from '../../../src/drivers/ag-ui-client/driver.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { contextOf, createFakeStage } from '../../support/fake-stage.ts'
import { call, finished, input, play, runOf, started, streams } from './support.ts'

const tool = { name: 'pay', description: 'Pays.', parameters: { type: 'object' } }

describe('run_agent_input', () => {
  const inputs: [string, Value, Value][] = [
    ['is posted as written', { run_agent_input: input }, input],
    [
      'keeps unknown fields and wrong types',
      {
        run_agent_input: {
          ...input,
          messages: [{ role: 'wizard', content: 7, xEvil: [null] }],
          context: 'no list',
          xTop: 1,
        },
      },
      { ...input, messages: [{ role: 'wizard', content: 7, xEvil: [null] }], context: 'no list', xTop: 1 },
    ],
    ['gets what servers insist on', { run_agent_input: { threadId: 't', runId: 'r' } }, input],
    [
      'has its templates filled, however deep',
      { run_agent_input: { ...input, forwardedProps: { note: ['say {{word}}'] } } },
      { ...input, forwardedProps: { note: ['say hello'] } },
    ],
    ['goes out without synthesize', { run_agent_input: { ...input, synthesize: { prompt: 'x' } } }, input],
    [
      'gets ids where they are missing',
      { run_agent_input: { messages: [] } },
      { ...input, threadId: 'id-1', runId: 'id-2' },
    ],
  ]
  it.each(inputs)('%s', async (_, state, body) => {
    const { stage, perform, requests, bodies } = await play(state, streams(runOf()), {
      headers: { authorization: 'Bearer x' },
      path: '/agent?a=1',
    })
    stage.values.set('word', 'hello')
    await perform()
    expect(bodies).toEqual([body])
    expect(requests[0]).toMatchObject({ method: 'POST', target: '/agent?a=1' })
    const { host, 'content-length': length, ...headers } = requests[0]?.headers ?? {}
    expect(headers).toEqual({
      'content-type': 'application/json',
      accept: 'text/event-stream',
      authorization: 'Bearer x',
    })
    expect(stage.messages[0]).toMatchObject({
      direction: 'request',
      flow: 'out',
      surface: 'run_agent_input',
      content: body,
    })
    expect(stage.events[0]).toEqual({ surface: 'run_agent_input', content: body, phase: 'phase-1' })
  })

  it('warns of synthesize and of ids that are missing', async () => {
    const { stage, perform } = await play({ run_agent_input: { synthesize: {} } }, streams(runOf()))
    await perform()
    expect(stage.reports.map(({ code, path }) => [code, path])).toEqual([
      ['answer-unwritten', 'run_agent_input.synthesize'],
      ['state-malformed', 'run_agent_input.threadId'],
      ['state-malformed', 'run_agent_input.runId'],
    ])
  })

  it.each([[{}], [null], [{ run_agent_input: null }]])('sends nothing when it is missing: %j', async (state) => {
    const { perform, requests, codes } = await play(state, streams(runOf()))
    await perform()
    expect(requests).toEqual([])
    expect(codes()).toEqual(['state-malformed'])
  })

  it('is sent as it is when it is not a mapping', async () => {
    const { perform, requests, codes } = await play({ run_agent_input: ['x'] }, streams(runOf(...call('c', 'pay'))))
    await perform()
    expect(requests.map(({ body }) => new TextDecoder().decode(body))).toEqual(['["x"]'])
    expect(codes()).toEqual(['state-malformed'])
  })

  it('is dropped when the phase has ended before it is sent', async () => {
    const { stage, perform, requests, codes } = await play({ run_agent_input: input }, streams(runOf()))
    await perform(stage.scene(), AbortSignal.abort())
    expect(requests).toEqual([])
    expect(codes()).toEqual(['action-dropped'])
  })
})

describe('events', () => {
  // Every type that the protocol has today, and some that it does not.
  it.each([...Object.values(EventType), 'THINKING_START', 'SOMETHING_NEW'])('%s is an event', async (type) => {
    const event = { type, toolCallId: 'c', toolCallName: 'pay', messageId: 'm', delta: 'x', xEvil: { a: [1] } }
    const agent = streams([started, event, { type: 'TOOL_CALL_RESULT', toolCallId: 'c', content: '' }, finished])
    const { stage, perform } = await play({ run_agent_input: input }, agent)
    await perform()
    const surface = type.toLowerCase()
    expect(stage.messages[2]).toEqual({
      direction: 'response',
      flow: 'in',
      surface,
      content: event,
      session: 't',
      phase: 'phase-1',
    })
    // The end of a message is counted with its text.
    const whole = /MESSAGE_END$/.test(type) ? { _text: '' } : {}
    expect(stage.events[2]).toEqual({ surface, content: { ...event, ...whole }, phase: 'phase-1' })
    expect(stage.reports.map(({ code }) => code)).toEqual(type === 'RUN_ERROR' ? ['agent-failed'] : [])
  })

  it('are reported in order, the request first', async () => {
    const { perform, lines } = await play({ run_agent_input: input }, streams(runOf({ type: 'CUSTOM', name: 'n' })))
    await perform()
    expect(lines()).toEqual([
      'out request run_agent_input',
      'in response run_started',
      'in response custom',
      'in response run_finished',
    ])
  })

  it('of a tool call get its name', async () => {
    const agent = streams(
      runOf(
        { type: 'TOOL_CALL_START', toolCallId: 'a', toolCallName: 'pay' },
        { type: 'TOOL_CALL_ARGS', toolCallId: 'a', delta: '{}' },
        { type: 'TOOL_CALL_CHUNK', toolCallId: 'b', toolCallName: 'look' },
        { type: 'TOOL_CALL_CHUNK', toolCallId: 'b', delta: '{}' },
        { type: 'TOOL_CALL_END', toolCallId: 'a' },
        { type: 'TOOL_CALL_ARGS', toolCallId: 'a', toolCallName: 'its own', delta: '' },
        { type: 'TOOL_CALL_ARGS', toolCallId: 'never begun', delta: '' },
        { type: 'TOOL_CALL_RESULT', messageId: 'm', toolCallId: 'a', content: '' },
        { type: 'TOOL_CALL_RESULT', messageId: 'n', toolCallId: 'b', content: '' },
        { type: 'CUSTOM', toolCallId: 'a' },
      ),
    )
    const { stage, perform } = await play({ run_agent_input: input }, agent)
    await perform()
    const names = ['pay', 'pay', 'look', 'look', 'pay', 'its own', undefined, 'pay', 'look', undefined]
    const wanted = names.map((toolCallName) => (toolCallName === undefined ? {} : { toolCallName }))
    const nameIn = ({ content }: { readonly content: Value }) => JSON.parse(JSON.stringify(content, ['toolCallName']))
    const told = stage.messages.filter(({ derived }) => derived === undefined)
    expect(told.slice(2, -1).map(nameIn)).toEqual(wanted)
  })

  it('of another stream have names of their own', async () => {
    const agent = streams(runOf(...call('c', 'pay')), runOf({ type: 'TOOL_CALL_END', toolCallId: 'c' }))
    const { perform, contents } = await play({ run_agent_input: input }, agent)
    await perform()
    expect(contents('tool_call_end')).toEqual([
      { type: 'TOOL_CALL_END', toolCallId: 'c', toolCallName: 'pay' },
      { type: 'TOOL_CALL_END', toolCallId: 'c' },
    ])
  })
})

describe('tool_responses', () => {
  const tool_responses = [
    {
      when: { toolCallName: 'pay' },
      content: { messageId: 'm', content: 'paid by {{request.threadId}} with {{response.toolCallName}}', xEvil: [1] },
    },
    { content: { ok: 1 } },
  ]

  it('are submitted in a new run of the thread', async () => {
    const state = { run_agent_input: { ...input, tools: [tool], xTop: 1 }, tool_responses }
    const { stage, perform, bodies, lines } = await play(state, streams(runOf(...call('c', 'pay', '{"n":1}')), runOf()))
    await perform()
    expect(bodies[1]).toEqual({
      ...input,
      tools: [tool],
      xTop: 1,
      runId: 'id-3',
      messages: [
        {
          id: 'id-1',
          role: 'assistant',
          toolCalls: [{ id: 'c', type: 'function', function: { name: 'pay', arguments: '{"n":1}' } }],
        },
        { id: 'm', role: 'tool', toolCallId: 'c', content: 'paid by t with pay', xEvil: [1] },
      ],
    })
    const result = { messageId: 'm', toolCallId: 'c', content: 'paid by t with pay', xEvil: [1] }
    expect(stage.messages.find(({ surface }) => surface === 'tool_call_result')).toEqual({
      direction: 'request',
      flow: 'out',
      surface: 'tool_call_result',
      content: result,
      session: 't',
      phase: 'phase-1',
    })
    expect(lines().slice(5)).toEqual([
      'in response run_finished',
      'out request tool_call_result',
      'out request run_agent_input',
      'in response run_started',
      'in response run_finished',
    ])
    expect(stage.events.filter(({ surface }) => surface === 'tool_call_result')).toEqual([
      { surface: 'tool_call_result', content: result, phase: 'phase-1' },
    ])
    expect(stage.reports).toEqual([])
  })

  it.each<[string, Value, Value]>([
    [
      'a mapping is the result',
      { toolCallId: 'forged', content: [1], role: 'tool' },
      { toolCallId: 'forged', content: [1], role: 'tool' },
    ],
    ['a string is its content', 'ok', { content: 'ok' }],
    ['a list is its content as JSON', [1, 'a'], { content: '[1,"a"]' }],
    ['a number is its content as JSON', 7, { content: '7' }],
    ['null is its content as JSON', null, { content: 'null' }],
  ])('%s', async (_, content, wanted) => {
    const state = { run_agent_input: input, tool_responses: [{ content }] }
    const { perform, contents } = await play(state, streams(runOf(...call('c', 'pay')), runOf()))
    await perform()
    expect(contents('tool_call_result')).toEqual([{ messageId: 'id-2', toolCallId: 'c', ...Object(wanted) }])
  })

  it.each<[string, Value]>([
    ['without tool_responses', {}],
    ['without an entry that fits', { tool_responses: [{ when: { toolCallName: 'other' }, content: 'x' }] }],
    ['without content', { tool_responses: [{ synthesize: { prompt: 'x' } }] }],
  ])('%s the result is an empty success', async (_, more) => {
    const state = { run_agent_input: input, ...Object(more) }
    const { perform, contents } = await play(state, streams(runOf(...call('c', 'pay')), runOf()))
    await perform()
    expect(contents('tool_call_result')).toEqual([{ messageId: 'id-2', toolCallId: 'c', content: '' }])
  })

  it('that are not a list leave the default', async () => {
    const state = { run_agent_input: input, tool_responses: 'x' }
    const { perform, contents } = await play(state, streams(runOf(...call('c', 'pay')), runOf()))
    await perform()
    expect(contents('tool_call_result')).toEqual([{ messageId: 'id-2', toolCallId: 'c', content: '' }])
  })

  it('come from the phase in which the call began, also when the next one has begun since', async () => {
    const first = { run_agent_input: input, tool_responses: [{ content: 'first' }] }
    const { stage, perform, contents } = await play(first, async (request, reply) => {
      const run = contents('run_agent_input').length === 1 ? runOf(...call('c', 'pay')) : runOf()
      await streams(run)(request, reply)
    })
    const receive = stage.receive
    const over = new AbortController()
    // As the actor does: the trigger fires on `tool_call_start`.
    stage.receive = async (message, answer) => {
      await receive(message, answer)
      if (message.surface !== 'tool_call_start') return
      stage.enter({ run_agent_input: input, tool_responses: [{ content: 'second' }] })
      over.abort()
    }
    await perform(stage.scene(), over.signal)
    expect(contents('tool_call_result')).toMatchObject([{ content: 'first' }])
    const phases = stage.messages.map(({ surface, phase }) => `${phase} ${surface}`)
    expect(phases).toContain('phase-2 tool_call_end')
    // What is sent later belongs to the current phase, so that its trigger can count it.
    expect(phases).toContain('phase-2 tool_call_result')
    expect(stage.events.at(-1)).toMatchObject({ surface: 'run_finished', phase: 'phase-2' })
    expect(stage.events).toContainEqual(expect.objectContaining({ surface: 'tool_call_result', phase: 'phase-2' }))
  })
})

describe('send', () => {
  const scene = { index: 0, phase: 'phase-1', state: { run_agent_input: { ...input, messages: [{ id: '1' }] } } }

  it.each(['run_agent_input', 'RUN_AGENT_INPUT'])('%s begins a run', async (method) => {
    const { driver, bodies, lines } = await play({}, streams(runOf()))
    const { reply } = await driver.send({ method, params: { threadId: 'x', runId: 'y', xTop: '\\{{a}}' } }, scene)
    await reply
    // Entry actions arrive with their templates already filled.
    expect(bodies).toEqual([{ ...input, threadId: 'x', runId: 'y', xTop: '\\{{a}}' }])
    expect(lines()[0]).toBe('out request run_agent_input')
  })

  it('run_agent_input without params gets everything that is needed', async () => {
    const { driver, bodies } = await play({}, streams(runOf()))
    await (await driver.send({ method: 'run_agent_input' }, scene)).reply
    expect(bodies).toEqual([{ ...input, threadId: 'id-1', runId: 'id-2' }])
  })

  it.each(['tool_call_result', 'TOOL_CALL_RESULT'])('%s begins a run that carries it', async (method) => {
    const { driver, bodies, stage, lines } = await play({}, streams(runOf()))
    const { reply } = await driver.send({ method, params: { toolCallId: 'c', content: 'forged' } }, scene)
    await reply
    const message = { id: 'id-1', role: 'tool', toolCallId: 'c', content: 'forged' }
    expect(bodies).toEqual([{ ...input, runId: 'id-2', messages: [{ id: '1' }, message] }])
    expect(lines().slice(0, 2)).toEqual(['out request tool_call_result', 'out request run_agent_input'])
    expect(stage.events.slice(0, 2).map(({ surface }) => surface)).toEqual(['tool_call_result', 'run_agent_input'])
  })

  it('resolves before the agent has answered', async () => {
    const { driver, lines, clock } = await play({}, () => new Promise(() => {}))
    await driver.send({ method: 'run_agent_input' }, scene)
    expect(lines()).toEqual(['out request run_agent_input'])
    expect(clock.pending()).toBe(1)
  })

  it('wire 10: of anything else is refused, with the clause', async () => {
    const { driver, requests, stage } = await play({}, streams(runOf()))
    expect(await driver.send({ method: 'text_message_start' }, scene)).toEqual({})
    expect(requests).toEqual([])
    expect(stage.reports).toEqual([
      {
        code: 'unknown-action',
        message: 'text_message_start cannot be sent: expected run_agent_input or tool_call_result (OATF §7.3.2)',
      },
    ])
  })

  it('of a result needs an input to go with', async () => {
    const { driver, requests, codes } = await play({}, streams(runOf()))
    expect(await driver.send({ method: 'tool_call_result' }, { ...scene, state: {} })).toEqual({})
    expect(requests).toEqual([])
    expect(codes()).toEqual(['state-malformed', 'not-delivered'])
  })
})

it('needs HTTP', async () => {
  const end = { kind: 'pipe', open: () => Promise.reject(new Error('not opened')) } as const
  const stage = createFakeStage('ag_ui_client', {})
  const driver = createAgUiClientDriver(contextOf(stage, createFakeClock()), end)
  await expect(driver.open()).rejects.toMatchObject({ name: 'ArenaError', code: 'not_wired' })
})

it('x-joust-headers: headers of the request that starts a run', async () => {
  const state = { run_agent_input: input, 'x-joust-headers': { 'X-Who': '{{word}}', accept: null } }
  const { stage, perform, requests } = await play(state, streams(runOf()))
  stage.values.set('word', 'mallory')
  await perform()
  expect(requests[0]?.headers).toMatchObject({ 'content-type': 'application/json', 'x-who': 'mallory' })
  expect(requests[0]?.headers).not.toHaveProperty('accept')
})
