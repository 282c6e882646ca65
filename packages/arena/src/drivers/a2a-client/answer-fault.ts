/** Whether an answer of an agent says anything about the attack. */
import { beginning, isList, isRecord, own, ownList, ownText, type Value, type ValueRecord } from '@joust/source'
import { arenaLimits } from '../../model/limits.ts'
import { a2aCodes, CARD_METHOD } from '../a2a/places.ts'
import { modernState } from '../a2a/versions.ts'
import { jsonRpcCodes } from '../json-rpc.ts'
import { errorFault } from '../turned-away.ts'

type Check = (result: ValueRecord) => boolean

const isTask: Check = (result) => ownText(own(result, 'status'), 'state') !== undefined
const isMessage: Check = (result) => isList(own(result, 'parts'))
const isArtifact: Check = (result) => isRecord(own(result, 'artifact'))
/** A2A 1.0 wraps each kind in its name. */
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

/** How an agent declines a request about a task, and any other; a message that begins one is turned away unread. */
function refusalsOf(method: string, params: Value): readonly number[] {
  if (namesTask(method, params)) return [a2aCodes.taskNotFound, a2aCodes.taskNotCancelable, invalidParams]
  return method.startsWith('message/') ? [] : [invalidParams]
}

/** Methods whose answer may be empty. */
const mayBeEmpty: ReadonlySet<string> = new Set([
  'tasks/pushNotificationConfig/delete',
  'tasks/pushNotificationConfig/list',
])

/** The states of a task as A2A 0.3 spells them, under both spellings. */
const states: ReadonlyMap<Value | undefined, string> = new Map(
  [
    ...['submitted', 'working', 'input-required', 'completed'],
    ...['canceled', 'failed', 'rejected', 'auth-required'],
  ].flatMap((state) => [
    [state, state],
    [modernState(state), state],
  ]),
)

/** The statuses in an answer, each with its state; A2A 1.0 wraps them in the name of each kind. */
function statusesIn(content: Value): { readonly status: ValueRecord; readonly state: string | undefined }[] {
  return [content, own(content, 'task'), own(content, 'statusUpdate')]
    .map((part) => own(part, 'status'))
    .filter(isRecord)
    .map((status) => ({ status, state: states.get(own(status, 'state')) }))
}

/** How a call of ours failed, as the rest of a sentence; undefined when it was answered, or may have been refused. */
export function answerFault(method: string, content: Value, failed: boolean, params: Value = {}): string | undefined {
  if (failed) return errorFault(content, refusalsOf(method, params))
  if (mayBeEmpty.has(method)) return undefined
  if (!isRecord(content)) return 'with a result that is not a mapping'
  if (Object.keys(content).length === 0) return 'with an empty result'
  if (checks.get(method)?.(content) === false) return 'with a result that the protocol does not have there'
  return stateFault(method, content)
}

/** Whether a request is about a task that the agent may decline to show. */
function namesTask(method: string, params: Value): boolean {
  return method.startsWith('tasks/') || own(own(params, 'message'), 'taskId') !== undefined
}

function stateFault(method: string, content: ValueRecord): string | undefined {
  const found = statusesIn(content).map(({ state }) => state)
  if (found.includes(undefined)) return 'with a task in an unknown state'
  // Nobody asked for that.
  return method.startsWith('message/') && found.includes('canceled') ? 'with a task that was canceled' : undefined
}

/** Why the agent failed, in its own words; undefined when it did not. `isError`: the answer is a JSON-RPC error. */
export function agentFailure(content: Value, isError: boolean): string | undefined {
  if (isError) {
    if (own(content, 'code') !== internalError) return undefined
    return told('the agent answered with an internal error', ownText(content, 'message') ?? '')
  }
  // A task that the agent rejected is an answer.
  const failed = statusesIn(content).find(({ state }) => state === 'failed' || state === 'auth-required')
  if (failed === undefined) return undefined
  const asks = failed.state === 'auth-required'
  const what = asks ? 'the agent asks to be authorized' : 'the agent says that its task failed'
  return told(what, textOf(own(failed.status, 'message')))
}

function textOf(message: Value | undefined): string {
  return ownList(message, 'parts')
    .flatMap((part) => ownText(part, 'text') ?? [])
    .join(' ')
}

function told(what: string, why: string): string {
  return why === '' ? what : `${what}: ${beginning(why, arenaLimits.peerText)}`
}

/** Why an answer does not count: a task that is still being worked on while nobody asks for it again. */
export function unanswered(content: Value, asksAgain: boolean): string | undefined {
  const open = statusesIn(content).find(({ state }) => state === 'submitted' || state === 'working')
  if (asksAgain || open === undefined) return undefined
  return `the task was left in the state ${String(own(open.status, 'state'))}, and no action asks for it again`
}
