/**
 * When a run ends, on a fake clock: nothing that the document announces is missed, and nothing is waited for in vain.
 */
import type { Attack, Phase } from '@joust/oatf'
import { describe, expect, test } from 'vitest'
import type { RunLimits } from '../../src/model/limits.ts'
import type { Target } from '../../src/model/target.ts'
import { runAttack } from '../../src/run.ts'
import { createMemoryHttp } from '../../src/transport/memory-http.ts'
import { echoServer, loadedAttack } from '../support/attacks.ts'
import { createFakeClock } from '../support/fake-clock.ts'

interface Play {
  readonly limits?: Partial<RunLimits>
  /** What an agent posts to the server, and when. */
  readonly posts?: readonly (readonly [at: number, method: string, params: object])[]
  readonly target?: Target
}

/** Plays an attack in memory until the run has ended. */
async function play(attack: Partial<Attack>, { limits = {}, posts = [], target }: Play) {
  const clock = createFakeClock()
  const http = createMemoryHttp()
  const place = { kind: 'http', listen: http.listen } as const
  const running = runAttack(loadedAttack(attack), {
    clock,
    listen: { server: place, default: place },
    connect: { client: { kind: 'http', url: `${http.origin}/mcp`, send: http.send } },
    limits,
    ...(target === undefined ? {} : { target }),
  })
  let now = 0
  for (const [at, method, params] of posts) {
    await clock.advance(at - now)
    now = at
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    await http.send({ method: 'POST', url: `${http.origin}/mcp`, body, signal: new AbortController().signal })
  }
  await clock.advance(3_600_000)
  return running
}

const sampling = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 5 } }
const quiet: Phase = { name: 'quiet', state: { tools: [{ name: 'calm' }] } }

/** A client that lists tools, and a server that does something by itself after a while. */
const selfPlay = (after: string, client: object): Partial<Attack> => ({
  execution: {
    actors: [
      {
        name: 'server',
        mode: 'mcp_server',
        phases: [
          { ...quiet, trigger: { after } },
          { name: 'asking', on_enter: [{ send: sampling }] },
        ],
      },
      {
        name: 'client',
        mode: 'mcp_client',
        phases: [{ name: 'only', state: { actions: [{ method: 'tools/list' }], ...client } }],
      },
    ],
  },
  indicators: [{ protocol: 'mcp', surface: 'tools/list', target: 'x', pattern: { condition: { contains: 'x' } } }],
})

test.each([
  ['with an indicator on push notifications', 'task/push', 5000],
  ['with another indicator', 'message/send', 0],
])('a run %s waits for them', async (_, surface, expected) => {
  const clock = createFakeClock()
  const http = createMemoryHttp()
  await http.listen(async (_, reply) => {
    reply.head(200, { 'content-type': 'application/json' })
    await reply.end('{"jsonrpc":"2.0","id":1,"result":{"kind":"message","parts":[]}}')
  })
  const say = { method: 'message/send', params: { message: { role: 'user', parts: [] } } }
  const attack: Partial<Attack> = {
    execution: { mode: 'a2a_client', state: { actions: [say] } },
    indicators: [{ surface, target: 'x', pattern: { condition: { contains: 'x' } } }],
  }
  const running = runAttack(loadedAttack(attack), {
    clock,
    connect: { default: { kind: 'http', url: `${http.origin}/`, send: http.send } },
    limits: { graceMs: 0 },
  })
  await clock.advance(3_600_000)
  expect((await running).duration_ms).toBe(expected)
})

describe('a finished client', () => {
  test('wire 1: keeps listening in its terminal phase, and answers late requests of the agent', async () => {
    const answers = { capabilities: { sampling: {} }, sampling_responses: [{ content: { model: 'm' } }] }
    const run = await play(selfPlay('1s', answers), {})
    const seen = run.trace.filter(({ actor, surface }) => actor === 'client' && surface === sampling.method)
    expect(seen.map(({ flow, content }) => [flow, content])).toEqual([
      ['in', sampling.params],
      ['out', { model: 'm' }],
    ])
    expect(run).toMatchObject({ ended: 'done', duration_ms: 5000 + 250 })
  })

  test.each([
    ['5 s where the document has answers', { roots: [] }, {}, 5250],
    ['250 ms where it has none', {}, {}, 500],
    ['as long as it is told', { roots: [] }, { observeMs: 40, graceMs: 2 }, 42],
  ])('wire 1: waits for requests: %s', async (_, client, limits, duration) => {
    const attack = selfPlay('1s', client)
    const [, actor] = attack.execution?.actors ?? []
    const server = { name: 'server', mode: 'mcp_server', phases: [quiet] }
    const actors = actor === undefined ? [server] : [server, actor]
    const run = await play({ ...attack, execution: { actors } }, { limits })
    expect(run.duration_ms).toBe(duration)
  })
})

describe('an `after` of a server', () => {
  test('wire 1: fires while a client listens', async () => {
    const run = await play(selfPlay('2s', {}), { limits: { observeMs: 0 } })
    expect(run.actors[0]?.phases.map(({ phase, elapsed_ms }) => [phase, elapsed_ms])).toEqual([
      ['quiet', 0],
      ['asking', 2000],
    ])
    expect(run.duration_ms).toBe(2250)
  })

  test('is not awaited after the time limit or without a connected client', async () => {
    const late = await play(selfPlay('2h', {}), { limits: { observeMs: 0 } })
    expect(late.duration_ms).toBe(250)
    const phases = [{ ...quiet, trigger: { after: '2s' } }, { name: 'later' }]
    const { indicators = [] } = echoServer('x')
    const target: Target = {
      name: 'gone',
      start: async () => ({ endpoints: {}, turn: async () => {}, stop: async () => {} }),
    }
    const alone = await play({ execution: { mode: 'mcp_server', phases }, indicators }, { target })
    expect(alone.duration_ms).toBe(250)
  })
})

describe('the time limit', () => {
  const limits = { runMs: 7000, phaseMs: 7000 }
  const listener = { ...echoServer('secret'), grace_period: '2s' }
  const call = (text: string) => ['tools/call', { name: 'echo', arguments: { text } }] as const

  test('wire 1: ends a run of servers alone, which is then judged', async () => {
    const resisted = await play(listener, { limits, posts: [[100, ...call('nothing')]] })
    expect(resisted).toMatchObject({ ended: 'done', verdict: { result: 'not_exploited' }, duration_ms: 9000 })
    const inGrace = await play(listener, {
      limits,
      posts: [
        [100, ...call('nothing')],
        [8500, ...call('secret')],
      ],
    })
    expect(inGrace).toMatchObject({ ended: 'done', verdict: { result: 'exploited' } })
  })

  test('is an error when no client connected', async () => {
    const run = await play(listener, { limits })
    expect(run.outcome).toBe('inconclusive')
  })

  test('wire 1: also ends a server in a phase without end', async () => {
    const { execution, indicators = [] } = echoServer('secret')
    const state = execution?.state
    const phases = [
      { name: 'first', state: state ?? null, trigger: { event: 'tools/call', match: { name: 'never' } } },
      { name: 'second' },
    ]
    const attack = { execution: { mode: 'mcp_server', phases }, indicators }
    const run = await play(attack, { limits, posts: [[100, ...call('nothing')]] })
    expect(run).toMatchObject({ ended: 'done', verdict: { result: 'not_exploited' }, duration_ms: 7250 })
    expect(await play(attack, { limits })).toMatchObject({ ended: 'expired', outcome: 'inconclusive' })
  })
})
