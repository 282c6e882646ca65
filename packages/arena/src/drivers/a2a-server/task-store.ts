/** The tasks of an agent, as last sent, and their push notification configurations. */

import { isList, isRecord, own, ownText, type Value, type ValueRecord } from '@joust/source'
import { arenaLimits, forgetOldest } from '../../model/limits.ts'
import type { PushTarget } from '../a2a/push.ts'

/** A push notification configuration with its id. */
type PushConfig = ValueRecord & { readonly id: string }

/** A stored task. */
export interface StoredTask {
  readonly id: string
  task: ValueRecord
  /** Configurations by id, in order of arrival. */
  readonly configs: Map<string, PushConfig>
  /** The ids of configurations from clients of A2A 1.0. */
  readonly modern: Set<string>
}

/** Stores tasks by their id. */
export interface TaskStore {
  find(id: Value | undefined): StoredTask | undefined
  /** All tasks, the most recent first. */
  all(): readonly ValueRecord[]
  /** Stores a task that was sent. A task whose id is not a string is not stored. */
  keep(task: ValueRecord): StoredTask | undefined
  /** True when a client has subscribed to a task. */
  isWatched(): boolean
  /** The addresses for push notifications, each once. */
  pushTargets(): readonly PushTarget[]
}

/** Creates an empty store. */
export function createTaskStore(): TaskStore {
  const tasks = new Map<string, StoredTask>()
  return {
    find: (id) => (typeof id === 'string' ? tasks.get(id) : undefined),
    all: () => [...tasks.values()].reverse().map(({ task }) => task),
    keep(task) {
      const id = own(task, 'id')
      if (typeof id !== 'string') return undefined
      const { configs = new Map<string, PushConfig>(), modern = new Set<string>() } = tasks.get(id) ?? {}
      const stored = { id, task, configs, modern }
      tasks.delete(id)
      tasks.set(id, stored)
      forgetOldest(tasks, arenaLimits.a2aTasks)
      return stored
    },
    isWatched: () => [...tasks.values()].some(({ configs }) => configs.size > 0),
    pushTargets() {
      const targets = [...tasks.values()].flatMap(({ configs, modern }) =>
        [...configs.values()].flatMap((config) => {
          const url = ownText(config, 'url')
          return url === undefined ? [] : [{ url, config, isModern: modern.has(config.id) }]
        }),
      )
      // The token of an earlier task without one would be missing.
      const rank = ({ config }: PushTarget) => (own(config, 'token') === undefined ? 0 : 1)
      const byUrl = new Map(targets.sort((one, other) => rank(one) - rank(other)).map((target) => [target.url, target]))
      return [...byUrl.values()]
    },
  }
}

/** Stores a configuration; its id defaults to the task id. Undefined when it is not a mapping. */
export function keepConfig(stored: StoredTask, config: Value | undefined, isModern = false): PushConfig | undefined {
  if (!isRecord(config)) return undefined
  const withId = { ...config, id: ownText(config, 'id') ?? stored.id }
  stored.configs.set(withId.id, withId)
  if (isModern) stored.modern.add(withId.id)
  forgetOldest(stored.configs, arenaLimits.a2aPushConfigs)
  return withId
}

/** Classified content: a task, or a single message or update. */
export type Shaped =
  | { readonly kind: 'task'; readonly content: ValueRecord }
  | { readonly kind: 'other'; readonly content: Value }

/** Generators for missing ids. */
interface Ids {
  readonly taskId: () => string
  readonly contextId: () => string
  readonly messageId: () => string
}

/** Classifies content. With `ids`, missing keys are added: `id`, `contextId`, `kind` to Tasks, `messageId`, `kind` to Messages. */
export function complete(content: Value, ids: Ids | undefined): Shaped {
  if (!isRecord(content)) return { kind: 'other', content }
  if (isMessage(content)) {
    const missing = ids && { messageId: ids.messageId, kind: () => 'message' }
    return { kind: 'other', content: withMissing(content, missing) }
  }
  if (!isTask(content)) return { kind: 'other', content }
  const missing = ids && { id: ids.taskId, contextId: ids.contextId, kind: () => 'task' }
  return { kind: 'task', content: withMissing(content, missing) }
}

function isMessage(content: ValueRecord): boolean {
  const kind = own(content, 'kind')
  return kind === 'message' || (kind === undefined && isList(own(content, 'parts')))
}

/** True for a Task. A `status` that is not a mapping is deliberately malformed content, which is left alone. */
function isTask(content: ValueRecord): boolean {
  const kind = own(content, 'kind')
  if (kind !== undefined && kind !== 'task') return false
  const status = own(content, 'status')
  return status === undefined ? isList(own(content, 'artifacts')) || isList(own(content, 'history')) : isRecord(status)
}

function withMissing(content: ValueRecord, missing: Readonly<Record<string, () => string>> = {}): ValueRecord {
  const absent = Object.entries(missing).filter(([key]) => own(content, key) === undefined)
  return absent.length === 0
    ? content
    : { ...content, ...Object.fromEntries(absent.map(([key, make]) => [key, make()])) }
}
