/** The tasks that an agent has served, as last served, and where their clients want to be notified. */
import { isRecord, own, type Value, type ValueRecord } from '@joust/source'
import { bounds } from '../../model/limits.ts'

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
      forgetOldest(tasks, bounds.a2aTasks)
      return stored
    },
    isWatched: () => [...tasks.values()].some(({ configs }) => configs.size > 0),
    tokenFor(url) {
      for (const { configs } of tasks.values()) {
        for (const config of configs.values()) {
          const token = own(config, 'token')
          if (own(config, 'url') === url && typeof token === 'string') return token
        }
      }
      return undefined
    },
  }
}

/** Keeps a configuration; without an id of its own it has the task's. Undefined when it is not a mapping. */
export function keepConfig(stored: StoredTask, config: Value | undefined): PushConfig | undefined {
  if (!isRecord(config)) return undefined
  const written = own(config, 'id')
  const kept = { ...config, id: typeof written === 'string' ? written : stored.id }
  stored.configs.set(kept.id, kept)
  forgetOldest(stored.configs, bounds.a2aPushConfigs)
  return kept
}

function forgetOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}
