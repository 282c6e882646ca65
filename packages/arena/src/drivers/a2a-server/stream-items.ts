/** A response content as the items of a stream (§7.2.4 "Streaming"). */
import { isList, isRecord, own, type Value, type ValueRecord } from '@joust/source'
import type { Shaped } from './task-shape.ts'

/**
 * A Task with a status is followed by what it is made of; anything else is one item. The artifacts come before the
 * status: A2A 0.3.0 ends a stream with the update that is `final`, so an artifact after it would reach nobody.
 */
export function streamItems(shaped: Shaped): readonly Value[] {
  const { content } = shaped
  if (shaped.kind !== 'task') return [content]
  const last = finalStatus(shaped.content)
  return last === undefined ? [content] : [content, ...artifactUpdates(shaped.content), last]
}

/** The update that ends the stream of a task; undefined when the task has no status. */
export function finalStatus(task: ValueRecord): ValueRecord | undefined {
  const status = own(task, 'status')
  return isRecord(status) ? { kind: 'status-update', ...idsOf(task), status, final: true } : undefined
}

function artifactUpdates(task: ValueRecord): readonly ValueRecord[] {
  const artifacts = own(task, 'artifacts')
  if (!isList(artifacts)) return []
  return artifacts.map((artifact) => ({
    kind: 'artifact-update',
    ...idsOf(task),
    artifact,
    append: false,
    lastChunk: true,
  }))
}

function idsOf(task: ValueRecord): ValueRecord {
  return { taskId: own(task, 'id') ?? null, contextId: own(task, 'contextId') ?? null }
}
