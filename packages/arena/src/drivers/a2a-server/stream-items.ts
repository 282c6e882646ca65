/** A response content as the items of a stream (§7.2.4 "Streaming"). */
import { isList, isRecord, own, type Value, type ValueRecord } from '@joust/source'
import type { Shaped } from './task-shape.ts'

/**
 * A Task with a status is followed by what it is made of: its status, then its artifacts. Anything else is one item. Clients
 * of A2A 0.3.0 may leave at the update that is `final`, so where artifacts follow, the status comes once more to end the
 * stream.
 */
export function streamItems(shaped: Shaped): readonly Value[] {
  const { content } = shaped
  if (shaped.kind !== 'task') return [content]
  const last = finalStatus(shaped.content)
  const artifacts = artifactUpdates(shaped.content)
  if (last === undefined) return [content]
  return artifacts.length === 0 ? [content, last] : [content, { ...last, final: false }, ...artifacts, last]
}

/** The update that ends the stream of a task; undefined when the task has no status. */
export function finalStatus(task: ValueRecord): ValueRecord | undefined {
  const status = own(task, 'status')
  return isRecord(status) ? { kind: 'status-update', ...idsOf(task), status, final: true } : undefined
}

function artifactUpdates(task: ValueRecord): readonly ValueRecord[] {
  const artifacts = own(task, 'artifacts')
  return isList(artifacts) ? artifacts.map((artifact) => ({ kind: 'artifact-update', ...idsOf(task), artifact })) : []
}

function idsOf(task: ValueRecord): ValueRecord {
  return { taskId: own(task, 'id') ?? null, contextId: own(task, 'contextId') ?? null }
}
