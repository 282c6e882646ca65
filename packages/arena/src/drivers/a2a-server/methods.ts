/** The methods of A2A 0.3.0 over JSON-RPC. */
import { defined, isList, isRecord, own, ownList, type Value, type ValueRecord } from '@joust/source'
import { a2aCodes } from '../a2a/endpoints.ts'
import type { Scene, Stage } from '../driver.ts'
import { type Answered, failure, jsonRpcCodes } from '../json-rpc.ts'
import { agentCardOf, refusesPush } from './agent-card.ts'
import { complete, keepConfig, type Shaped, type StoredTask, type TaskStore } from './task-store.ts'

export interface Call {
  readonly stage: Stage
  /** The phase in which the request arrived. */
  readonly scene: Scene
  readonly params: Value
  readonly store: TaskStore
  readonly url: string
  /** The current time in ISO 8601. */
  readonly now: () => string
  readonly newId: () => string
  readonly isModern?: boolean
}

export type Answer = Answered | { readonly stream: readonly Answered[] }

type Method = (call: Call) => Answer

const ok = (result: Value): Answered => ({ result })
const taskNotFound = failure(a2aCodes.taskNotFound, 'Task not found')
const taskNotCancelable = failure(a2aCodes.taskNotCancelable, 'Task cannot be canceled')
const pushNotSupported = failure(a2aCodes.pushNotSupported, 'Push Notification is not supported')
const invalidParams = failure(jsonRpcCodes.invalidParams, 'Invalid parameters')

const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['message/send', (call) => ok(respond(call).content)],
  ['message/stream', (call) => ({ stream: streamItems(respond(call)).map(ok) })],
  ['tasks/get', (call) => withTask(call, ({ task }) => ok(shorten(task, own(call.params, 'historyLength'))))],
  ['tasks/list', listTasks],
  ['tasks/cancel', (call) => withTask(call, (stored) => cancel(call, stored))],
  ['tasks/resubscribe', (call) => ({ stream: [withTask(call, ({ task }) => ok(finalStatus(task) ?? task))] })],
  ['tasks/pushNotificationConfig/set', (call) => withPush(call, 'taskId', (stored) => setConfig(call, stored))],
  ['tasks/pushNotificationConfig/get', (call) => withPush(call, 'id', (stored) => getConfig(call, stored))],
  ['tasks/pushNotificationConfig/list', (call) => withPush(call, 'id', listConfigs)],
  ['tasks/pushNotificationConfig/delete', (call) => withPush(call, 'id', (stored) => deleteConfig(call, stored))],
  ['agent/getAuthenticatedExtendedCard', (call) => ok(agentCardOf(call.stage, call.scene, call.url, call.params))],
])

/** Streaming methods also stream errors, since clients of these methods read only the stream. */
export function answerMethod(method: string, call: Call): Answer {
  return methods.get(method)?.(call) ?? failure(jsonRpcCodes.methodNotFound, 'Method not found')
}

const finished: ReadonlySet<unknown> = new Set(['completed', 'canceled', 'failed', 'rejected'])

/** Returns the document's response to a message; by default, an empty completed task. */
function respond(call: Call): Shaped {
  const { stage, scene, params, store, newId } = call
  const message = own(call.params, 'message')
  const existing = store.find(own(message, 'taskId'))
  const context = existing === undefined ? undefined : own(existing.task, 'contextId')
  const entries = own(scene.state, 'task_responses')
  const written = stage.choose(entries, params, 'task_responses')?.content
  const content = written === undefined ? { status: { state: 'completed' } } : stage.fill(written, params, written)
  const ids = {
    taskId: () => textOr(own(message, 'taskId'), newId),
    contextId: () => textOr(own(message, 'contextId'), () => textOr(context, newId)),
    messageId: newId,
  }
  const shaped = complete(content, stage.verbatim && written !== undefined ? undefined : ids)
  const stored = shaped.kind === 'task' ? store.keep(shaped.content) : undefined
  const configuration = own(call.params, 'configuration')
  if (stored !== undefined && isRecord(configuration))
    keepConfig(stored, own(configuration, 'pushNotificationConfig'), call.isModern)
  return shaped
}

function shorten(task: ValueRecord, length: Value | undefined): ValueRecord {
  const history = own(task, 'history')
  if (typeof length !== 'number' || !isList(history) || length >= history.length) return task
  return { ...task, history: length > 0 ? history.slice(-Math.floor(length)) : [] }
}

/** A2A 0.3.0 defines no params for this method over JSON-RPC, so the params of 1.0 are used. */
function listTasks(call: Call): Answered {
  const [size, token] = [own(call.params, 'pageSize') ?? 50, own(call.params, 'pageToken') ?? '']
  const isPage = typeof size === 'number' && size >= 1 && size <= 100 && typeof token === 'string'
  if (!isPage || !/^\d{0,9}$/.test(token)) return invalidParams
  const [contextId, state] = [own(call.params, 'contextId'), own(call.params, 'status')]
  const matches = call.store.all().filter((task) => {
    const isInState = state === undefined || own(own(task, 'status'), 'state') === state
    return isInState && (contextId === undefined || own(task, 'contextId') === contextId)
  })
  const [begin, pageSize] = [Number(token), Math.floor(size)]
  const tasks = matches.slice(begin, begin + pageSize).map((task) => {
    const whole = shorten(task, own(call.params, 'historyLength'))
    const { artifacts: _, ...rest } = whole
    return own(call.params, 'includeArtifacts') === true ? whole : rest
  })
  const nextPageToken = begin + pageSize < matches.length ? String(begin + pageSize) : ''
  return ok({ tasks, totalSize: matches.length, pageSize, nextPageToken })
}

function cancel({ store, now }: Call, { task }: StoredTask): Answered {
  if (finished.has(own(own(task, 'status'), 'state'))) return taskNotCancelable
  const canceled = { ...task, status: { state: 'canceled', timestamp: now() } }
  store.keep(canceled)
  return ok(canceled)
}

function setConfig(call: Call, stored: StoredTask): Answered {
  const config = keepConfig(stored, own(call.params, 'pushNotificationConfig'), call.isModern)
  return config === undefined ? invalidParams : ok({ taskId: stored.id, pushNotificationConfig: config })
}

function getConfig(call: Call, { id, configs }: StoredTask): Answered {
  const configId = own(call.params, 'pushNotificationConfigId')
  const config = configId === undefined ? [...configs.values()][0] : configs.get(String(configId))
  return config === undefined ? taskNotFound : ok({ taskId: id, pushNotificationConfig: config })
}

function listConfigs({ id, configs }: StoredTask): Answered {
  return ok([...configs.values()].map((config) => ({ taskId: id, pushNotificationConfig: config })))
}

function deleteConfig(call: Call, { configs }: StoredTask): Answered {
  return configs.delete(String(own(call.params, 'pushNotificationConfigId'))) ? ok(null) : taskNotFound
}

function withTask(call: Call, then: (stored: StoredTask) => Answered, key = 'id'): Answered {
  const stored = call.store.find(own(call.params, key))
  return stored === undefined ? taskNotFound : then(stored)
}

function withPush(call: Call, key: string, then: (stored: StoredTask) => Answered): Answered {
  return refusesPush(call.scene) ? pushNotSupported : withTask(call, then, key)
}

function textOr(value: Value | undefined, make: () => string): string {
  return typeof value === 'string' && value !== '' ? value : make()
}

/**
 * A Task is followed by its status, if any, and its artifacts; other content is a single item ([OATF
 * §7.2.4](https://oatf.io/specification/protocol-bindings/a2a/)). Clients of A2A 0.3.0 may stop at the `final` update,
 * so that update comes last.
 */
function streamItems(shaped: Shaped): readonly Value[] {
  const { content } = shaped
  if (shaped.kind !== 'task') return [content]
  const last = finalStatus(shaped.content)
  const artifacts = ownList(shaped.content, 'artifacts').map((artifact) => {
    return { kind: 'artifact-update', ...idsOf(shaped.content), artifact }
  })
  if (last === undefined) return [content, ...artifacts]
  return artifacts.length === 0 ? [content, last] : [content, { ...last, final: false }, ...artifacts, last]
}

function finalStatus(task: ValueRecord): ValueRecord | undefined {
  const status = own(task, 'status')
  return isRecord(status) ? { kind: 'status-update', ...idsOf(task), status, final: true } : undefined
}

function idsOf(task: ValueRecord): ValueRecord {
  return defined({ taskId: own(task, 'id'), contextId: own(task, 'contextId') })
}
