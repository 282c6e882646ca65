/** Reads and writes a draft by path. */

import { isList, isRecord, type Path, type Value, type ValueRecord, valueAt } from '@joust/source'
import { put } from '../walk/put.ts'
import type { BaitText, MutationDraft } from './mutation.ts'

/** The mapping at a path. */
export function mappingAt(root: Value, path: Path): ValueRecord | undefined {
  const value = valueAt(root, path)
  return isRecord(value) ? value : undefined
}

/** Replaces one text of the bait and keeps the text around it. */
export function say(root: Value, { at, before, after }: BaitText, text: string): void {
  put(root, at, `${before}${text}${after}`)
}

/** Replaces every text of the bait. */
export function rewriteTexts({ root, texts }: MutationDraft, rewrite: (text: string) => string): undefined {
  for (const bait of texts) say(root, bait, rewrite(bait.text.trim()))
}

/** Replaces one entry of a list with several. */
export function replaceEntry(root: Value, path: Path, entries: readonly Value[]): void {
  const list = valueAt(root, path.slice(0, -1))
  const index = path.at(-1)
  if (isList(list) && typeof index === 'number') (list as Value[]).splice(index, 1, ...entries)
}

/** The position of a text in a tool of an MCP server. */
export interface ToolPlace {
  /** The state, the tool, and the phase among those of its actor. */
  readonly state: Path
  readonly tool: Path
  readonly phase: number
  readonly below: Path
}

/** The tool that a text belongs to. */
export function toolPlace(at: Path): ToolPlace | undefined {
  const state = at.indexOf('state')
  const index = at[state + 2]
  if (state < 0 || at[state + 1] !== 'tools' || typeof index !== 'number') return undefined
  return {
    state: at.slice(0, state + 1),
    tool: at.slice(0, state + 3),
    phase: phaseOf(at),
    below: at.slice(state + 3),
  }
}

function phaseOf(at: Path): number {
  const index = at[at.indexOf('phases') + 1]
  return typeof index === 'number' ? index : 0
}
