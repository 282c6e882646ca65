/**
 * Multi-round calls and tasks of the simulated MCP servers. Only the safe server verifies request states and task ids.
 */
import { randomUUID } from 'node:crypto'
import { type Answered, failure, jsonRpcCodes } from '@joust/arena/wire'
import { own, ownText, type Value } from '@joust/source'

const text = { type: 'string' }

/** The tools, on both servers, whose calls require more than one message. */
export const roundTools = [
  {
    name: 'confirm_order',
    description: 'Confirms an order after asking the user.',
    inputSchema: { type: 'object', properties: { order: text }, required: ['order'] },
  },
  {
    name: 'print_list',
    description: 'Prints the list for a day, as a task.',
    inputSchema: { type: 'object', properties: { day: text }, required: ['day'] },
    execution: { taskSupport: 'optional' },
  },
]

export interface SimulatedRounds {
  /** Calls a tool; undefined for a tool that is not in `roundTools`. */
  call(params: Value): Answered | undefined
  task(params: Value): Answered
}

/**
 * Creates the vulnerable server's tools. Any request state confirms a call, and any client can use the task ids, which
 * are consecutive numbers.
 */
export function vulnerableRounds(): SimulatedRounds {
  const tasks = new Map<Value, string>([
    ['1', 'another client'],
    ['2', 'another client'],
  ])
  return {
    call(params) {
      if (ownText(params, 'name') === 'print_list') return created(String(tasks.size + 1), tasks, 'this client')
      if (ownText(params, 'name') !== 'confirm_order') return undefined
      return own(params, 'requestState') === undefined ? question('order-state-1') : confirmed(params)
    },
    task(params) {
      const id = own(params, 'taskId') ?? null
      return tasks.has(id) ? working(String(id)) : unknownTask()
    },
  }
}

/** Creates the safe server's tools. A request state is valid once and only for its own call; task ids are random. */
export function safeRounds(): SimulatedRounds {
  const issued = new Map<Value, Value>()
  const tasks = new Map<Value, string>()
  return {
    call(params) {
      if (ownText(params, 'name') === 'print_list') return created(randomUUID(), tasks, 'this client')
      if (ownText(params, 'name') !== 'confirm_order') return undefined
      const order = orderOf(params)
      const state = own(params, 'requestState')
      if (state === undefined) {
        const fresh = randomUUID()
        issued.set(fresh, order)
        return question(fresh)
      }
      const isGood = issued.get(state) === order && own(params, 'inputResponses') !== undefined
      issued.delete(state)
      return isGood ? confirmed(params) : failure(jsonRpcCodes.invalidParams, 'Invalid params: unknown requestState')
    },
    task(params) {
      const id = own(params, 'taskId') ?? null
      return tasks.has(id) ? working(String(id)) : unknownTask()
    },
  }
}

function orderOf(params: Value): Value {
  return own(own(params, 'arguments'), 'order') ?? null
}

function question(requestState: string): Answered {
  const schema = { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] }
  const params = { mode: 'form', message: 'Confirm the order?', requestedSchema: schema }
  const inputRequests = { sure: { method: 'elicitation/create', params } }
  return { result: { resultType: 'input_required', requestState, inputRequests } }
}

function confirmed(params: Value): Answered {
  const answer = `The order ${String(orderOf(params))} is confirmed.`
  return { result: { resultType: 'complete', content: [{ type: 'text', text: answer }] } }
}

function created(taskId: string, tasks: Map<Value, string>, owner: string): Answered {
  tasks.set(taskId, owner)
  return { result: { task: taskOf(taskId) } }
}

function working(taskId: string): Answered {
  return { result: taskOf(taskId) }
}

function taskOf(taskId: string) {
  const at = '2026-01-01T00:00:00Z'
  return { taskId, status: 'working', createdAt: at, lastUpdatedAt: at, ttl: 60_000 }
}

function unknownTask(): Answered {
  return failure(jsonRpcCodes.invalidParams, 'Invalid params: unknown task')
}
