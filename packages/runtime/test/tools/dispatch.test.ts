import type { Value, ValueRecord } from '@joust/source'
import { describe, expect, it, test } from 'vitest'
import type { Callable } from '../../src/model/callable.ts'
import { errorObservation } from '../../src/model/connection.ts'
import { RunFailure } from '../../src/model/errors.ts'
import { argumentProblem, dispatch as begin } from '../../src/tools/dispatch.ts'
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
  it('emits events for start and result', async () => {
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
    ['nothing at all', () => Promise.reject(undefined), 'look failed: unknown error'],
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

  it('over a limit rejects and is not started', async () => {
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

  it('OPEN-37: of a remote agent is one level below', async () => {
    const { context } = testContext({ limits: { max_delegation_depth: 0 } })
    const remote = callable(seen, { kind: 'remote' })
    await expect(dispatch(remote, {}, 'c1', context)).rejects.toMatchObject({ error: { code: 'limit_exceeded' } })
    expect(context.budget.usage.toolCalls).toBe(0)
  })

  it('that times out fails, and its signal is aborted', async () => {
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

  it('of a remote agent beyond the maximum depth needs no approval', async () => {
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

  it('that governance denies by any of its names is not made', async () => {
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
        content: 'files__read was not called: denied by policy p',
        isError: true,
      })
    }
    expect(called).toBe(false)
  })
})

const path: ValueRecord = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }

describe('arguments', () => {
  test('that are valid are accepted, including additional properties', () => {
    expect(argumentProblem({ kind: 'local', inputSchema: path }, { path: 'a', more: 1 })).toBeUndefined()
    expect(argumentProblem({ kind: 'local', inputSchema: {} }, {})).toBeUndefined()
  })

  test.each<[string, Value, RegExp]>([
    ['one is missing', {}, /invalid arguments: .*path/],
    ['one has the wrong type, which is not changed', { path: 7 }, /path: expected a string, got 7/],
    ['they are not an object', ['a'], /as arguments, got a list/],
    ['they are nothing', null, /as arguments, got null/],
    ['one exists only by inheritance', JSON.parse('{"__proto__":{"path":"a"}}'), /path/],
  ])('are rejected if %s', (_, args, message) => {
    expect(argumentProblem({ kind: 'mcp', inputSchema: path }, args)).toMatch(message)
  })

  test('with many problems are described by the first few', () => {
    const inputSchema = { type: 'object', additionalProperties: { type: 'string' } }
    const args = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`a${index}`, index]))
    expect(argumentProblem({ kind: 'mcp', inputSchema }, args)).toMatch(/; and 15 more$/)
  })

  test('are not checked against an invalid schema of a server, but rejected for one of a host', () => {
    const inputSchema = { type: 'object', properties: { a: { type: 'list' } } }
    expect(argumentProblem({ kind: 'mcp', inputSchema }, { a: 1 })).toBeUndefined()
    expect(argumentProblem({ kind: 'local', inputSchema }, { a: 1 })).toMatch(/not a valid JSON Schema/)
  })

  test('are checked in linear time', () => {
    const inputSchema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }
    expect(argumentProblem({ kind: 'mcp', inputSchema }, { a: `${'a'.repeat(50_000)}!` })).toMatch(/invalid arguments/)
  })

  test('that are invalid are rejected before approval and do not count', async () => {
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
      content: 'read was not called: invalid arguments: path: expected a string, got 7',
      isError: true,
    })
    expect(asked).toBe(0)
    expect(await dispatch(tool, { path: 'a' }, 'c2', context)).toMatchObject({ content: 'done' })
    expect(asked).toBe(1)
    expect(context.budget.usage.toolCalls).toBe(1)
  })
})
