/** The most recent tasks of an agent, and their push notification configurations. */

import { isList, isRecord, own, ownText, type Value, type ValueRecord } from '@joust/source'
import { arenaLimits, forgetOldest } from '../../model/limits.ts'
import type { PushTarget } from '../a2a/push.ts'

type PushConfig = ValueRecord & { readonly id: string }

export interface StoredTask {
  readonly id: string
  task: ValueRecord
  readonly configs: Map<string, PushConfig>
  /** Ids of configurations from A2A 1.0 clients. */
  readonly modern: Set<string>
}

export interface TaskStore {
  find(id: Value | undefined): StoredTask | undefined
  /** Most recent first. */
  all(): readonly ValueRecord[]
  /** Returns undefined if the task id is not a string; such a task is not stored. */
  keep(task: ValueRecord): StoredTask | undefined
  /** True once a client has subscribed to a task. */
  isWatched(): boolean
  pushTargets(): readonly PushTarget[]
}

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
      // Configurations with a token replace those for the same URL without a token.
      const rank = ({ config }: PushTarget) => (own(config, 'token') === undefined ? 0 : 1)
      const byUrl = new Map(targets.sort((one, other) => rank(one) - rank(other)).map((target) => [target.url, target]))
      return [...byUrl.values()]
    },
  }
}

/** Stores a configuration; its id defaults to the task id. Returns undefined if the configuration is not an object. */
export function keepConfig(stored: StoredTask, config: Value | undefined, isModern = false): PushConfig | undefined {
  if (!isRecord(config)) return undefined
  const withId = { ...config, id: ownText(config, 'id') ?? stored.id }
  stored.configs.set(withId.id, withId)
  if (isModern) stored.modern.add(withId.id)
  forgetOldest(stored.configs, arenaLimits.a2aPushConfigs)
  return withId
}

export type Shaped =
  | { readonly kind: 'task'; readonly content: ValueRecord }
  | { readonly kind: 'other'; readonly content: Value }

type Ids = Readonly<Record<'taskId' | 'contextId' | 'messageId', () => string>>

/** Classifies content. With `ids`, adds missing ids and `kind` to Tasks and Messages. */
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

/** True for a Task. If `status` is not an object, the content is deliberately malformed and left unchanged. */
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
