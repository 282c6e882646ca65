import type { Value, ValueRecord } from '@joust/source'
import { describe, expect, it, test } from 'vitest'
import type { Callable } from '../../src/model/callable.ts'
import { errorObservation } from '../../src/model/connection.ts'
import { RunFailure } from '../../src/model/errors.ts'
import { argumentFault, dispatch as begin } from '../../src/tools/dispatch.ts'
import { testContext } from '../support/context.ts'

function callable(invoke: Callable['invoke'], parts: Partial<Callable> = {}): Callable {
  const approval = { kind: 'tool', over: 'args' } as const
  return {
    name: 'look',
    names: [],
    kind: 'local',
    inputSchema: { type: 'object' },

    approval,
    invoke,
    ...parts,
  }
}

/** Begins a call and makes it. */
const dispatch = async (...call: Parameters<typeof begin>) => (await begin(...call))()

const seen = async () => ({ content: 'seen', isError: false })

describe('a call', () => {
  it('is told when it starts and when it is answered', async () => {
    const { context, told } = testContext()
    expect(await dispatch(callable(seen), { a: 1 }, 'c1', context)).toEqual({ content: 'seen', isError: false })
    expect(told).toEqual([
      { type: 'tool-called', call: 'c1', name: 'look', kind: 'local', args: { a: 1 } },
      { type: 'tool-answered', call: 'c1', name: 'look', content: 'seen' },
    ])
    expect(context.budget.usage.toolCalls).toBe(1)
  })

  it.each([
    ['an error', () => Promise.reject(new Error('broken')), 'look failed: broken'],
    [
      'a throw',
      () => {
        throw new Error('broken')
      },
      'look failed: broken',
    ],
    ['nothing at all', () => Promise.reject(undefined), 'look failed: it failed without saying why'],
    ['an error of the server', async () => errorObservation('no such file'), 'no such file'],
    [
      "a sub-agent's limit",
      () => Promise.reject(new RunFailure({ code: 'limit_exceeded', message: 'tired', agent: ['a'] })),
      'look failed: tired',
    ],
  ] as [string, Callable['invoke'], string][])('OPEN-48.7: %s is an observation', async (_, invoke, content) => {
    const { context, told } = testContext()
    expect(await dispatch(callable(invoke), {}, 'c1', context)).toEqual({ content, isError: true })
    expect(told.at(-1)).toMatchObject({ type: 'tool-failed', content })
  })

  it('that the limits do not let start rejects, and nothing was started', async () => {
    const { context, told } = testContext({ limits: { max_tool_calls: 0 } })
    let called = false
    const tool = callable(async () => {
      called = true
      return seen()
    })
    await expect(dispatch(tool, {}, 'c1', context)).rejects.toMatchObject({ error: { code: 'limit_exceeded' } })
    expect(called).toBe(false)
    expect(told).toEqual([])
  })

  it('OPEN-34: of a sub-agent does not count as a tool call', async () => {
    const { context } = testContext({ limits: { max_tool_calls: 0 } })
    expect(await dispatch(callable(seen, { kind: 'agent' }), {}, 'c1', context)).toMatchObject({
      content: 'seen',
    })
  })

  it('OPEN-37: of a remote agent is one level down', async () => {
    const { context } = testContext({ limits: { max_delegation_depth: 0 } })
    const remote = callable(seen, { kind: 'remote' })
    await expect(dispatch(remote, {}, 'c1', context)).rejects.toMatchObject({ error: { code: 'limit_exceeded' } })
    expect(context.budget.usage.toolCalls).toBe(0)
  })

  it('that takes too long is given up, and its signal fires', async () => {
    const { context, time } = testContext({ options: { timeouts: { toolMs: 5000 } } })
    let signal: AbortSignal | undefined
    const stuck = callable((_, given) => {
      signal = given
      queueMicrotask(() => time.advance(5000))
      return new Promise(() => {})
    })
    expect(await dispatch(stuck, {}, 'c1', context)).toEqual({
      content: 'look failed: no answer within 5 seconds',
      isError: true,
    })
    expect(signal?.aborted).toBe(true)
    expect(time.waiting()).toBe(0)
  })

  it('of a remote agent that would be too deep is not asked about', async () => {
    let asked = 0
    const approve = () => {
      asked += 1
      return { approved: true }
    }
    const approval = { kind: 'remote_agent', over: 'input', approval: true } as const
    const remote = callable(seen, { kind: 'remote', approval })
    const { context } = testContext({ options: { approve }, limits: { max_delegation_depth: 0 } })
    await expect(dispatch(remote, {}, 'c1', context)).rejects.toMatchObject({ error: { code: 'limit_exceeded' } })
    expect(asked).toBe(0)
    await dispatch(remote, {}, 'c1', testContext({ options: { approve } }).context)
    expect(asked).toBe(1)
  })

  it('ends with the run', async () => {
    const { context, cancel } = testContext()
    const stuck = callable(() => {
      queueMicrotask(() => cancel.abort(new Error('enough')))
      return new Promise(() => {})
    })
    await expect(dispatch(stuck, {}, 'c1', context)).rejects.toMatchObject({ error: { code: 'cancelled' } })
  })

  it('that governance denies is not made, whichever of its names is denied', async () => {
    let called = false
    const tool = callable(
      async () => {
        called = true
        return seen()
      },
      { name: 'files__read', names: ['read', 'files'] },
    )
    for (const denied of ['files__read', 'read', 'files']) {
      const { context } = testContext({ governance: { policies: [{ id: 'p', deny_tools: [denied] }] } })
      expect(await dispatch(tool, {}, 'c1', context)).toEqual({
        content: 'files__read was not called: the policy p denies it',
        isError: true,
      })
    }
    expect(called).toBe(false)
  })
})

const path: ValueRecord = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }

describe('arguments', () => {
  test('that fit are let through, and what the schema does not name does not matter', () => {
    expect(argumentFault({ kind: 'local', inputSchema: path }, { path: 'a', more: 1 })).toBeUndefined()
    expect(argumentFault({ kind: 'local', inputSchema: {} }, {})).toBeUndefined()
  })

  test.each<[string, Value, RegExp]>([
    ['one is missing', {}, /its arguments do not fit: .*path/],
    ['one has the wrong type, which is not changed', { path: 7 }, /path: expected a string, got 7/],
    ['they are not an object', ['a'], /must be an object, got a list/],
    ['they are nothing', null, /must be an object, got null/],
    ['one is there only by inheritance', JSON.parse('{"__proto__":{"path":"a"}}'), /path/],
  ])('are refused when %s', (_, args, message) => {
    expect(argumentFault({ kind: 'mcp', inputSchema: path }, args)).toMatch(message)
  })

  test('that are wrong in many ways are described in a few', () => {
    const inputSchema = { type: 'object', additionalProperties: { type: 'string' } }
    const args = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`a${index}`, index]))
    expect(argumentFault({ kind: 'mcp', inputSchema }, args)).toMatch(/; and 15 more$/)
  })

  test('are left to a server whose schema we cannot judge by, and refused for a host whose schema is none', () => {
    const inputSchema = { type: 'object', properties: { a: { type: 'list' } } }
    expect(argumentFault({ kind: 'mcp', inputSchema }, { a: 1 })).toBeUndefined()
    expect(argumentFault({ kind: 'local', inputSchema }, { a: 1 })).toMatch(/its schema is not a JSON Schema/)
  })

  test('with a pattern that would take for ever are judged at once', () => {
    const inputSchema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }
    expect(argumentFault({ kind: 'mcp', inputSchema }, { a: `${'a'.repeat(50_000)}!` })).toMatch(/do not fit/)
  })

  test('that do not fit are refused before anybody is asked, and count for nothing', async () => {
    let asked = 0
    const approve = () => {
      asked++
      return { approved: true }
    }
    const { context } = testContext({ options: { approve } })
    const approval = { kind: 'mcp_tool', over: 'args', approval: true } as const
    const invoke = async () => ({ content: 'done', isError: false })
    const tool = { name: 'read', names: [], kind: 'mcp', inputSchema: path, approval, invoke } as const
    expect(await dispatch(tool, { path: 7 }, 'c1', context)).toEqual({
      content: 'read was not called: its arguments do not fit: path: expected a string, got 7',
      isError: true,
    })
    expect(asked).toBe(0)
    expect(await dispatch(tool, { path: 'a' }, 'c2', context)).toMatchObject({ content: 'done' })
    expect(asked).toBe(1)
    expect(context.budget.usage.toolCalls).toBe(1)
  })
})
