import { isList, isRecord, type Path, type Value, type ValueRecord, valueAt } from '@joust/source'
import { put } from '../walk/put.ts'
import type { BaitText, MutationDraft } from './mutation.ts'

export function mappingAt(root: Value, path: Path): ValueRecord | undefined {
  const value = valueAt(root, path)
  return isRecord(value) ? value : undefined
}

/** Replaces one bait text and keeps the text around it. */
export function replaceText(root: Value, { at, before, after }: BaitText, text: string): void {
  put(root, at, `${before}${text}${after}`)
}

export function rewriteTexts({ root, texts }: MutationDraft, rewrite: (text: string) => string): undefined {
  for (const bait of texts) replaceText(root, bait, rewrite(bait.text.trim()))
}

export function replaceEntry(root: Value, path: Path, entries: readonly Value[]): void {
  const list = valueAt(root, path.slice(0, -1))
  const index = path.at(-1)
  if (isList(list) && typeof index === 'number') (list as Value[]).splice(index, 1, ...entries)
}

export interface ToolPlace {
  /** The paths of the state and the tool, the index of the phase in its actor, and the path in the tool. */
  readonly state: Path
  readonly tool: Path
  readonly phase: number
  readonly below: Path
}

export function toolPlace(at: Path): ToolPlace | undefined {
  const state = at.indexOf('state')
  const index = at[state + 2]
  if (state < 0 || at[state + 1] !== 'tools' || typeof index !== 'number') return undefined
  return { state: at.slice(0, state + 1), tool: at.slice(0, state + 3), phase: phaseOf(at), below: at.slice(state + 3) }
}

function phaseOf(at: Path): number {
  const index = at[at.indexOf('phases') + 1]
  return typeof index === 'number' ? index : 0
}
