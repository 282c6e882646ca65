/** What an agent says when it could not do its work. */
import { beginning, isList, isRecord, own, type Value } from '@joust/source'
import { bounds } from '../../model/limits.ts'

const INTERNAL_ERROR = -32603

/** How A2A 0.3 and 1.0 spell the states of a task that was not done; one that the agent rejected is an answer. */
const failedStates: ReadonlySet<Value | undefined> = new Set([
  'failed',
  'auth-required',
  'TASK_STATE_FAILED',
  'TASK_STATE_AUTH_REQUIRED',
])

/** Why the agent failed, in its own words; undefined when it did not. `isError`: the answer is a JSON-RPC error. */
export function agentFailure(content: Value, isError: boolean): string | undefined {
  if (!isRecord(content)) return undefined
  if (isError) {
    const message = own(content, 'message')
    if (own(content, 'code') !== INTERNAL_ERROR) return undefined
    return told('the agent answered with an internal error', typeof message === 'string' ? message : '')
  }
  for (const part of [content, own(content, 'task'), own(content, 'statusUpdate')]) {
    const status = isRecord(part) ? own(part, 'status') : undefined
    if (isRecord(status) && failedStates.has(own(status, 'state'))) {
      const asks = String(own(status, 'state')).toLowerCase().includes('auth')
      const what = asks ? 'the agent wants to be authorised' : 'the agent says that its task failed'
      return told(what, textOf(own(status, 'message')))
    }
  }
  return undefined
}

function textOf(message: Value | undefined): string {
  const parts = isRecord(message) ? own(message, 'parts') : undefined
  const texts = (isList(parts) ? parts : []).map((part) => (isRecord(part) ? own(part, 'text') : undefined))
  return texts.filter((text) => typeof text === 'string').join(' ')
}

function told(what: string, why: string): string {
  return why === '' ? what : `${what}: ${beginning(why, bounds.peerText)}`
}

/** States of a task that is still being worked on; a client that is told so has no answer yet. */
const openStates: ReadonlySet<Value | undefined> = new Set([
  'submitted',
  'working',
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
])

/** Why an answer does not count: a task that goes on while nobody asks for it again. */
export function unanswered(content: Value, asksAgain: boolean): string | undefined {
  const task = isRecord(content) ? (own(content, 'task') ?? own(content, 'statusUpdate') ?? content) : undefined
  const status = isRecord(task) ? own(task, 'status') : undefined
  const state = isRecord(status) ? own(status, 'state') : undefined
  if (asksAgain || !openStates.has(state)) return undefined
  return `the task was left in the state ${String(state)}, and no action asks for it again`
}
