/** Whether an answer of an agent says anything about the attack. */
import { isList, isRecord, own, type Value, type ValueRecord } from '@joust/source'
import { errorFault } from '../error-fault.ts'

/** The codes of A2A for a task that a client does not get, or may not cancel. */
const TASK_NOT_FOUND = -32001
const TASK_NOT_CANCELABLE = -32002

type Check = (result: ValueRecord) => boolean

const isTask: Check = (result) => {
  const status = own(result, 'status')
  return isRecord(status) && typeof own(status, 'state') === 'string'
}
const isMessage: Check = (result) => isList(own(result, 'parts'))
const isArtifact: Check = (result) => isRecord(own(result, 'artifact'))
/** A2A 1.0 has the name of each kind around it. */
const isWrapped: Check = (result) =>
  ['task', 'message', 'statusUpdate', 'artifactUpdate'].some((key) => isRecord(own(result, key)))
const isCard: Check = (result) => ['name', 'url', 'skills'].some((key) => own(result, key) !== undefined)
const isAnswer: Check = (result) => [isTask, isMessage, isArtifact, isWrapped].some((check) => check(result))

const checks: ReadonlyMap<string, Check> = new Map([
  ['message/send', isAnswer],
  ['message/stream', isAnswer],
  ['tasks/resubscribe', isAnswer],
  ['tasks/get', isAnswer],
  ['tasks/cancel', isAnswer],
  ['tasks/list', (result: ValueRecord) => isList(own(result, 'tasks'))],
  ['agent/getAuthenticatedExtendedCard', isCard],
  ['agent_card/get', isCard],
])

/** Methods whose answer may hold nothing. */
const mayBeEmpty: ReadonlySet<string> = new Set([
  'tasks/pushNotificationConfig/delete',
  'tasks/pushNotificationConfig/list',
])

/** The states of a task, as A2A 0.3 spells them; 1.0 does it in capitals. */
const states = [
  'submitted',
  'working',
  'input-required',
  'completed',
  'canceled',
  'failed',
  'rejected',
  'auth-required',
]
const knownStates: ReadonlySet<Value | undefined> = new Set([
  ...states,
  ...states.map((state) => `TASK_STATE_${state.replace('-', '_').toUpperCase()}`),
])

/** How a call of ours failed, as the rest of a sentence; undefined when the answer is one, or may be a refusal. */
export function answerFault(method: string, content: Value, failed: boolean, params: Value = {}): string | undefined {
  if (failed) return errorFault(content, namesTask(method, params) ? [TASK_NOT_FOUND, TASK_NOT_CANCELABLE] : [])
  if (mayBeEmpty.has(method)) return undefined
  if (!isRecord(content)) return 'with a result that is not a mapping'
  if (Object.keys(content).length === 0) return 'with an empty result'
  if (checks.get(method)?.(content) === false) return 'with a result that the protocol does not have there'
  return stateFault(method, content)
}

/** Whether a request is about a task, which the agent may refuse to give. */
function namesTask(method: string, params: Value): boolean {
  const message = isRecord(params) ? own(params, 'message') : undefined
  return method.startsWith('tasks/') || (isRecord(message) && own(message, 'taskId') !== undefined)
}

function stateFault(method: string, content: ValueRecord): string | undefined {
  for (const part of [content, own(content, 'task'), own(content, 'statusUpdate')]) {
    const status = isRecord(part) ? own(part, 'status') : undefined
    if (!isRecord(status)) continue
    const state = own(status, 'state')
    if (!knownStates.has(state)) return 'with a task in an unknown state'
    // Nobody has asked for that.
    if (method.startsWith('message/') && String(state).toLowerCase().endsWith('canceled'))
      return 'with a task that was canceled'
  }
  return undefined
}
