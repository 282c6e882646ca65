/** Checks A2A responses: a malformed response or an error shows nothing about the attack. */

import { isList, isRecord, own, ownList, ownText, type Value, type ValueRecord } from '@joust/source'
import { peerError } from '../../model/peer-error.ts'
import { a2aCodes, CARD_METHOD } from '../a2a/endpoints.ts'
import { modernState } from '../a2a/versions.ts'
import { jsonRpcCodes } from '../json-rpc.ts'
import { errorFault } from '../rejections.ts'

type Check = (result: ValueRecord) => boolean

const isTask: Check = (result) => ownText(own(result, 'status'), 'state') !== undefined
const isMessage: Check = (result) => isList(own(result, 'parts'))
const isArtifact: Check = (result) => isRecord(own(result, 'artifact'))
/** Matches results of A2A 1.0, which are wrapped in an object named after their kind. */
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
  [CARD_METHOD, isCard],
])

const { invalidParams, internalError } = jsonRpcCodes

/** Returns the error codes with which an agent may refuse a request; none for a message that only starts a task. */
function refusalsOf(method: string, params: Value): readonly number[] {
  const namesTask = method.startsWith('tasks/') || own(own(params, 'message'), 'taskId') !== undefined
  if (namesTask) return [a2aCodes.taskNotFound, a2aCodes.taskNotCancelable, invalidParams]
  const hasAddress = own(own(params, 'configuration'), 'pushNotificationConfig') !== undefined
  return method.startsWith('message/') && !hasAddress ? [] : [invalidParams]
}

const mayBeEmpty: ReadonlySet<string> = new Set([
  'tasks/pushNotificationConfig/delete',
  'tasks/pushNotificationConfig/list',
])

/** The task states of A2A 0.3, by their spellings in 0.3 and 1.0. */
const states: ReadonlyMap<Value | undefined, string> = new Map(
  [
    ...['submitted', 'working', 'input-required', 'completed'],
    ...['canceled', 'failed', 'rejected', 'auth-required'],
  ].flatMap((state) => [
    [state, state],
    [modernState(state), state],
  ]),
)

/** Returns the statuses in a response, each with its state; A2A 1.0 nests statuses by kind. */
function statusesIn(content: Value): { readonly status: ValueRecord; readonly state: string | undefined }[] {
  return [content, own(content, 'task'), own(content, 'statusUpdate')]
    .map((part) => own(part, 'status'))
    .filter(isRecord)
    .map((status) => ({ status, state: states.get(own(status, 'state')) }))
}

/** Describes the fault in a response, as a clause after "was answered"; undefined for a valid response or a refusal. */
export function answerFault(method: string, content: Value, failed: boolean, params: Value = {}): string | undefined {
  if (failed) return errorFault(content, refusalsOf(method, params))
  if (mayBeEmpty.has(method)) return undefined
  if (!isRecord(content)) return 'with a result that is not an object'
  if (Object.keys(content).length === 0) return 'with an empty result'
  if (checks.get(method)?.(content) === false) return 'with a result of an unexpected type'
  return stateFault(method, content)
}

function stateFault(method: string, content: ValueRecord): string | undefined {
  const taskStates = statusesIn(content).map(({ state }) => state)
  if (taskStates.includes(undefined)) return 'with a task in an unknown state'
  // A cancellation that the client did not request.
  return method.startsWith('message/') && taskStates.includes('canceled') ? 'with a task that was canceled' : undefined
}

/** Describes a failure that the agent reported; undefined if there is none. `isError` marks a JSON-RPC error. */
export function agentFailure(content: Value, isError: boolean): string | undefined {
  if (isError) {
    if (own(content, 'code') !== internalError) return undefined
    return withDetail('the agent answered with an internal error', ownText(content, 'message') ?? '')
  }
  // A task that the agent rejected is an answer.
  const failed = statusesIn(content).find(({ state }) => state === 'failed' || state === 'auth-required')
  if (failed === undefined) return undefined
  const needsAuth = failed.state === 'auth-required'
  const what = needsAuth ? 'the agent requires authorization' : 'the agent reported a failed task'
  const texts = ownList(own(failed.status, 'message'), 'parts').flatMap((part) => ownText(part, 'text') ?? [])
  return withDetail(what, texts.join(' '))
}

function withDetail(what: string, detail: string): string {
  return detail === '' ? what : `${what}: ${peerError(detail)}`
}

export function unanswered(content: Value, isPolled: boolean): string | undefined {
  const open = statusesIn(content).find(({ state }) => state === 'submitted' || state === 'working')
  if (isPolled || open === undefined) return undefined
  return `the task is still ${String(own(open.status, 'state'))}, and no later action polls it`
}
