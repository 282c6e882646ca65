/** Messages and parts of A2A as older versions have them. */
import { isList, isRecord, own, type Path, type Value, valueAt } from '@joust/source'
import type { Site } from '../rules/walk.ts'
import type { Edit } from './edits.ts'

const KINDS: readonly Value[] = ['text', 'file', 'data']

/** Whether this is a part, in any version. */
export function isPart(value: Value): boolean {
  if (!isRecord(value)) return typeof value === 'string'
  return KINDS.includes(own(value, 'kind') ?? own(value, 'type') ?? null)
}

/** What A2A 0.3 demands of a message and this one lacks; `to` is where it goes, when it moves as well. */
export function messageEdits({ path, value }: Site, id: string, role: 'agent' | 'user', to: Path = path): Edit[] {
  const demanded = { role, kind: 'message', messageId: id }
  const missing = Object.entries(demanded).filter(([key]) => own(value, key) === undefined)
  return missing.map(([key, text]) => ({ op: 'set', path: [...to, key], value: text, before: 'parts', from: path }))
}

/** The `kind` of parts that only have a `type`, added beside it. */
export function kindEdits(holder: Site): Edit[] {
  return partEdits(holder).flatMap((edit): Edit[] =>
    edit.op === 'move'
      ? [
          {
            op: 'set',
            path: edit.path,
            value: valueAt(holder.value, edit.from.slice(holder.path.length)) ?? null,
            before: 'type',
            from: edit.from,
          },
        ]
      : [],
  )
}

/** Parts that say `type` for `kind`, or are bare texts. */
export function partEdits({ path, value }: Site): Edit[] {
  const parts = own(value, 'parts')
  if (!isList(parts)) return []
  return parts.flatMap((part, index): Edit[] => {
    const at = [...path, 'parts', index]
    if (typeof part === 'string') return [{ op: 'set', path: at, value: { kind: 'text', text: part } }]
    if (!isRecord(part) || own(part, 'kind') !== undefined) return []
    const type = own(part, 'type')
    const known = type !== undefined && KINDS.includes(type)
    return known ? [{ op: 'move', from: [...at, 'type'], path: [...at, 'kind'] }] : []
  })
}
