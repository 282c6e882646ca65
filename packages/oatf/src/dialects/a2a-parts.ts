import { isList, isRecord, own, type Path, type Value, valueAt } from '@joust/source'
import type { Site } from '../walk/walk.ts'
import type { Edit } from './edits.ts'

const KINDS: readonly Value[] = ['text', 'file', 'data']

/** True for a part of any A2A version. */
export function isPart(value: Value): boolean {
  if (!isRecord(value)) return typeof value === 'string'
  return KINDS.includes(own(value, 'kind') ?? own(value, 'type') ?? null)
}

/** Adds missing fields that A2A 0.3 requires. `to` is the new path if the message is also moved. */
export function messageEdits({ path, value }: Site, id: string, role: 'agent' | 'user', to: Path = path): Edit[] {
  const demanded = { role, kind: 'message', messageId: id }
  const missing = Object.entries(demanded).filter(([key]) => own(value, key) === undefined)
  return missing.map(([key, text]) => ({ op: 'set', path: [...to, key], value: text, before: 'parts', from: path }))
}

/** Adds `kind` to parts that only have `type`. */
export function kindEdits(holder: Site): Edit[] {
  return partEdits(holder).flatMap((edit): Edit[] => {
    if (edit.op !== 'move') return []
    const { path, from } = edit
    return [
      { op: 'set', path, value: valueAt(holder.value, from.slice(holder.path.length)) ?? null, before: 'type', from },
    ]
  })
}

/** Converts plain strings and parts with `type` instead of `kind`. */
export function partEdits({ path, value }: Site): Edit[] {
  const parts = own(value, 'parts')
  if (!isList(parts)) return []
  return parts.flatMap((part, index): Edit[] => {
    const at = [...path, 'parts', index]
    if (typeof part === 'string') return [{ op: 'set', path: at, value: { kind: 'text', text: part } }]
    if (!isRecord(part) || own(part, 'kind') !== undefined) return []
    const type = own(part, 'type')
    const isKnown = type !== undefined && KINDS.includes(type)
    return isKnown ? [{ op: 'move', from: [...at, 'type'], path: [...at, 'kind'] }] : []
  })
}
