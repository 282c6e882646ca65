/**
 * Changes of AG-UI's state. An agent has nothing but its output, so the state that it gives back is the property `state`
 * that its interface declares.
 */
import { type AGUIEvent, EventType, type JsonPatchOperation } from '@ag-ui/core'
import type { InterfaceSchema } from '@joust/agentformat'
import { deepEqual, isRecord, own, type Value, type ValueRecord } from '@joust/source'

/** The events that tell how the state changed; none when it did not. */
export function stateEvents(schema: InterfaceSchema, before: Value, output: Value): AGUIEvent[] {
  const properties = own(schema, 'properties')
  if (!isRecord(properties) || own(properties, 'state') === undefined || !isRecord(output)) return []
  const after = own(output, 'state')
  if (after === undefined || deepEqual(before, after)) return []
  if (!isRecord(before) || !isRecord(after)) return [{ type: EventType.STATE_SNAPSHOT, snapshot: after }]
  return [{ type: EventType.STATE_DELTA, delta: patch(before, after) }]
}

/** A JSON Patch (RFC 6902) of the top level. */
function patch(before: ValueRecord, after: ValueRecord): JsonPatchOperation[] {
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
  const changed = Object.entries(after).flatMap(([key, value]): JsonPatchOperation[] => {
    const old = own(before, key)
    if (old === undefined) return [{ op: 'add', path: pointer(key), value }]
    return deepEqual(old, value) ? [] : [{ op: 'replace', path: pointer(key), value }]
  })
  return [...gone.map((key): JsonPatchOperation => ({ op: 'remove', path: pointer(key) })), ...changed]
}

function pointer(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
