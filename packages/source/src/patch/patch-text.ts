import { defaultLimits, type Limits, sourceBounds } from '../limits.ts'
import { lineEdits } from '../line-diff.ts'
import type { Path } from '../path.ts'
import { type OpenSource, openSource, readSource } from '../read-source.ts'
import { ok, type Result } from '../result.ts'
import { overLimit, type SourceDiagnostic, unreadable } from '../source.ts'
import { treeFault } from '../tree-fault.ts'
import type { Value } from '../value.ts'
import { type Change, changesBetween } from './changes.ts'
import { Draft, editText, inOrder, type TextEdit } from './draft.ts'
import { keepsComments } from './keeps-comments.ts'
import { layoutOf } from './layout.ts'
import { planEdits } from './plan.ts'
import { isDeeperThan, sameValue } from './same-value.ts'

/** A text that has come to say something else. */
export interface Patch {
  readonly text: string
  /** What changed, as offsets in the text before; in order, none over another. */
  readonly edits: readonly TextEdit[]
  /** Where more than the difference had to be written anew, and the layout is ours. */
  readonly rewritten: readonly Path[]
}

/**
 * Edits a YAML or JSON text by position so that it reads as `wished`, to the last detail, and is otherwise the same: comments,
 * order, quotes, blank lines. No comment is lost; those of a part that goes away stay on lines of their own. What was
 * written is read again; where it is not what was wished, the smallest part around it is written anew.
 */
export function patchText(
  text: string,
  wished: Value,
  limits: Limits = defaultLimits,
): Result<Patch, SourceDiagnostic[]> {
  const source = openSource(text, limits)
  if (!source.ok) return source
  if (treeFault(wished, limits) !== undefined) return overLimit(limits, 'yamlDepth')
  if (isDeeperThan(wished, limits.yamlDepth)) return overLimit(limits, 'yamlDepth')
  const before = source.value.value
  const edits = tryEdits(source.value, wished, limits)
  if (edits !== undefined) return ok({ text: editText(text, edits), edits: inOrder(edits), rewritten: [] })
  return patchByPart(text, before, wished, limits)
}

function patchByPart(text: string, before: Value, wished: Value, limits: Limits): Result<Patch, SourceDiagnostic[]> {
  const changes = [...changesBetween(before, wished)]
  const rewritten: Path[] = []
  const steps: Change[] =
    changes.length * text.length > sourceBounds.patchCharacters ? [{ path: [], after: wished, whole: true }] : changes
  let now = text
  for (const step of steps) {
    const made = changePart(now, step, limits)
    if (made === undefined) return unreadable('syntax', 'the text cannot be made to say what was wished')
    now = made.text
    if (made.at !== undefined) rewritten.push(made.at)
  }
  return ok({ text: now, edits: lineEdits(text, now), rewritten })
}

/** One change, by as little as it takes. */
function changePart(
  text: string,
  { path, after, whole }: Change,
  limits: Limits,
): { readonly text: string; readonly at?: Path } | undefined {
  const source = openSource(text, limits)
  if (!source.ok) return undefined
  const edits = whole ? undefined : tryEdits(source.value, after, limits)
  if (edits !== undefined) return { text: editText(text, edits) }
  for (let length = path.length; length >= 0; length--) {
    const at = path.slice(0, length)
    const rewriting = tryEdits(source.value, after, limits, at)
    if (rewriting !== undefined) return { text: editText(text, rewriting), at }
  }
  return undefined
}

/** The edits, when the text with them says what was wished and has all its comments. */
function tryEdits(source: OpenSource, after: Value, limits: Limits, whole?: Path): readonly TextEdit[] | undefined {
  const { text } = source
  const outline = source.outline()
  const draft = new Draft(source, layoutOf(text, outline))
  planEdits(draft, outline, source.value, after, whole)
  const read = readSource(editText(text, draft.edits), limits)
  if (!read.ok || !sameValue(read.value.value, after)) return undefined
  return keepsComments(source, read.value) ? draft.edits : undefined
}
