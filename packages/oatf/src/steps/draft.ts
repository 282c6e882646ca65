import { isRecord, own, ownList } from '@joust/source'
import type { Draft } from './step.ts'

export function mappingAt(draft: Draft | undefined, key: string): Draft | undefined {
  const value = own(draft, key)
  return isRecord(value) ? (value as Draft) : undefined
}

/** Returns the mappings in the list at a key, with their indices. */
export function mappingsAt(draft: Draft | undefined, key: string): (readonly [index: number, value: Draft])[] {
  return ownList(draft, key).flatMap((item, index) => (isRecord(item) ? [[index, item as Draft] as const] : []))
}

export function attackOf(draft: Draft): Draft | undefined {
  return mappingAt(draft, 'attack')
}

export function phaseLists(draft: Draft): (readonly (readonly [index: number, phase: Draft])[])[] {
  const execution = mappingAt(attackOf(draft), 'execution')
  const actors = mappingsAt(execution, 'actors').map(([, actor]) => mappingsAt(actor, 'phases'))
  return [mappingsAt(execution, 'phases'), ...actors]
}

export function setDefault(draft: Draft, key: string, value: unknown): void {
  if (!Object.hasOwn(draft, key)) draft[key] = value
}

/** Creates the actor of a document that does not declare actors. */
export function defaultActor(mode: unknown, phases: unknown): Draft {
  return mode === undefined ? { name: 'default', phases } : { name: 'default', mode, phases }
}
