/** Tasks of MCP 2025-11-25: complete where the document declares them, absent where it does not. */
import type { Value } from '@joust/source'
import { describe, expect, it } from 'vitest'
import { openServer } from '../../support/mcp-server.ts'

const content = [{ type: 'text', text: 'slow' }]
const execution = { taskSupport: 'optional' }
const tools = [
  { name: 'may', execution, responses: [{ content }] },
  { name: 'fails', execution, responses: [{ content: { content, isError: true, _meta: { a: 1 } } }] },
  { name: 'must', execution: { taskSupport: 'required' }, responses: [{ content }] },
  { name: 'never', responses: [{ content }] },
]
const declared = { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }
const as = (name: string, task?: Value) => ({ name, ...(task === undefined ? {} : { task }) })
const at = '2026-01-01T00:00:00.000Z'
const task = (taskId: string, status: string, ttl: number | null = null) => ({
  ...{ taskId, status, ttl, createdAt: at, lastUpdatedAt: at },
})
const related = (taskId: string) => ({ 'io.modelcontextprotocol/related-task': { taskId } })

describe('with declared tasks', () => {
  it('wire 12: a call becomes one, and its result is fetched', async () => {
    const { ask } = await openServer({ tools, capabilities: declared })
    expect(await ask('tools/call', as('may', { ttl: 60000 }))).toEqual({ task: task('id-1', 'working', 60000) })
    expect(await ask('tasks/get', { taskId: 'id-1' })).toEqual(task('id-1', 'completed', 60000))
    expect(await ask('tasks/result', { taskId: 'id-1' })).toEqual({ content, _meta: related('id-1') })
    expect(await ask('tools/call', as('may'))).toEqual({ content })
    expect(await ask('initialize', {})).toMatchObject({ capabilities: declared })
  })

  it('wire 12: a failed one is marked, and its result is sent as written', async () => {
    const { ask } = await openServer({ tools, capabilities: declared })
    await ask('tools/call', as('fails', {}))
    await ask('tools/call', as('unknown', {}))
    expect(await ask('tasks/list')).toEqual({ tasks: [task('id-1', 'failed'), task('id-2', 'failed')] })
    const _meta = { a: 1, ...related('id-1') }
    expect(await ask('tasks/result', { taskId: 'id-1' })).toEqual({ content, isError: true, _meta })
    expect(await ask('tasks/result', { taskId: 'id-2' })).toEqual({ code: -32602, message: 'Unknown tool: unknown' })
  })

  it.each<[string, string, Value, number]>([
    ['a task that is over cannot be cancelled', 'tasks/cancel', { taskId: 'id-1' }, -32602],
    ['an unknown task', 'tasks/get', { taskId: 'x' }, -32602],
    ['the result of an unknown task', 'tasks/result', {}, -32602],
    ['an unknown cursor', 'tasks/list', { cursor: 'x' }, -32602],
    ['a tool that must be a task', 'tools/call', as('must'), -32601],
    ['a tool that must not be one', 'tools/call', as('never', {}), -32601],
  ])('wire 12: %s', async (_, method, params, code) => {
    const { ask } = await openServer({ tools, capabilities: declared })
    await ask('tools/call', as('may', {}))
    expect(await ask(method, params)).toMatchObject({ code })
  })
})

describe('without declared tasks', () => {
  it('wire 12: tasks are absent from initialize, calls and methods', async () => {
    const { ask } = await openServer({ tools })
    expect(Object(await ask('initialize', {})).capabilities).not.toHaveProperty('tasks')
    for (const name of ['may', 'must', 'never']) expect(await ask('tools/call', as(name, {}))).toEqual({ content })
    for (const method of ['get', 'result', 'list', 'cancel']) {
      expect(await ask(`tasks/${method}`, { taskId: 'id-1' })).toMatchObject({ code: -32601 })
    }
  })

  it('wire 12: listing and cancelling are declared apart', async () => {
    const { ask } = await openServer({ tools, capabilities: { tasks: { requests: { tools: { call: {} } } } } })
    expect(await ask('tools/call', as('may', {}))).toMatchObject({ task: { status: 'working' } })
    expect(await ask('tasks/get', { taskId: 'id-1' })).toMatchObject({ status: 'completed' })
    expect(await ask('tasks/list')).toMatchObject({ code: -32601 })
    expect(await ask('tasks/cancel', { taskId: 'id-1' })).toMatchObject({ code: -32601 })
  })
})
