/** What an agent says when it could not do its work. */
import { isList, isRecord, own, type Value } from '@joust/source'

const INTERNAL_ERROR = -32603

/** How A2A 0.3 and 1.0 spell the state of a task that failed; one that the agent rejected is an answer. */
const failedStates: ReadonlySet<Value | undefined> = new Set(['failed', 'TASK_STATE_FAILED'])

/** How much of its message is shown. */
const LONGEST = 500

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
      return told('the agent says that its task failed', textOf(own(status, 'message')))
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
  return why === '' ? what : `${what}: ${why.slice(0, LONGEST)}`
}
