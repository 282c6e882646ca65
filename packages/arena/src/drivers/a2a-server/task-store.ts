/** The tasks that an agent has served, as last served, and where their clients want to be notified. */
import { isList, isRecord, own, ownText, type Value, type ValueRecord } from '@joust/source'
import { arenaLimits, forgetOldest } from '../../model/limits.ts'

/** A push notification configuration with its id. */
type PushConfig = ValueRecord & { readonly id: string }

/** What is kept of a task. */
export interface StoredTask {
  readonly id: string
  task: ValueRecord
  /** By their id, in the order in which they came. */
  readonly configs: Map<string, PushConfig>
}

/** Tasks by their id. */
export interface TaskStore {
  find(id: Value | undefined): StoredTask | undefined
  /** Every task, the last served first. */
  all(): readonly ValueRecord[]
  /** Keeps a task that has just been served; one whose id is not a string cannot be asked for. */
  keep(task: ValueRecord): StoredTask | undefined
  /** Whether somebody wants to be notified of a task. */
  isWatched(): boolean
  /** The token of the configuration for an address. */
  tokenFor(url: string): string | undefined
}

/** An empty store. */
export function createTaskStore(): TaskStore {
  const tasks = new Map<string, StoredTask>()
  return {
    find: (id) => (typeof id === 'string' ? tasks.get(id) : undefined),
    all: () => [...tasks.values()].reverse().map(({ task }) => task),
    keep(task) {
      const id = own(task, 'id')
      if (typeof id !== 'string') return undefined
      const stored = { id, task, configs: tasks.get(id)?.configs ?? new Map<string, PushConfig>() }
      tasks.delete(id)
      tasks.set(id, stored)
      forgetOldest(tasks, arenaLimits.a2aTasks)
      return stored
    },
    isWatched: () => [...tasks.values()].some(({ configs }) => configs.size > 0),
    tokenFor(url) {
      for (const { configs } of tasks.values()) {
        for (const config of configs.values()) {
          const token = ownText(config, 'token')
          if (own(config, 'url') === url && token !== undefined) return token
        }
      }
      return undefined
    },
  }
}

/** Keeps a configuration; without an id of its own it has the task's. Undefined when it is not a mapping. */
export function keepConfig(stored: StoredTask, config: Value | undefined): PushConfig | undefined {
  if (!isRecord(config)) return undefined
  const kept = { ...config, id: ownText(config, 'id') ?? stored.id }
  stored.configs.set(kept.id, kept)
  forgetOldest(stored.configs, arenaLimits.a2aPushConfigs)
  return kept
}

/** A content and what it is. */
export type Shaped =
  | { readonly kind: 'task'; readonly content: ValueRecord }
  | { readonly kind: 'other'; readonly content: Value }

/** Ids to fill in where they are missing. */
interface Ids {
  readonly taskId: () => string
  readonly contextId: () => string
  readonly messageId: () => string
}

/** Says whether a content is a task. With ids, Tasks get `id`, `contextId`, `kind`, and Messages `messageId`, `kind`. */
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

/** A `status` that is not a mapping is wrong on purpose: such content is left alone. */
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
