import { findComments } from '../comments.ts'
import { defaultLimits, type Limits } from '../limits.ts'
import { lineEdits } from '../line-diff.ts'
import { buildOutline } from '../outline.ts'
import type { Path } from '../path.ts'
import { readSource } from '../read-source.ts'
import { ok, type Result } from '../result.ts'
import { lineEnd } from '../scan.ts'
import { overLimit, type SourceDiagnostic, unreadable } from '../source.ts'
import type { Value } from '../value.ts'
import { readEvents } from '../yaml.ts'
import { type Change, changesBetween } from './changes.ts'
import { applyEdits, Draft, inOrder, type TextEdit } from './draft.ts'
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
export function patchText(text: string, wished: Value, limits: Limits = defaultLimits): Result<Patch, SourceDiagnostic[]> {
  const source = readSource(text, limits)
  if (!source.ok) return source
  if (isDeeperThan(wished, limits.yamlDepth)) return overLimit(limits, 'yamlDepth')
  const before = source.value.value
  const edits = tryEdits(text, before, wished, limits)
  if (edits !== undefined) return ok({ text: applyEdits(text, edits), edits: inOrder(edits), rewritten: [] })
  return patchByPart(text, before, wished, limits)
}

/** Characters that may be read again while parts are changed one at a time. */
const MOST_WORK = 50_000_000

function patchByPart(text: string, before: Value, wished: Value, limits: Limits): Result<Patch, SourceDiagnostic[]> {
  const changes = [...changesBetween(before, wished)]
  const rewritten: Path[] = []
  const steps: Change[] =
    changes.length * text.length > MOST_WORK ? [{ path: [], before, after: wished, whole: true }] : changes
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
  { path, before, after, whole }: Change,
  limits: Limits,
): { readonly text: string; readonly at?: Path } | undefined {
  const edits = whole ? undefined : tryEdits(text, before, after, limits)
  if (edits !== undefined) return { text: applyEdits(text, edits) }
  for (let length = path.length; length >= 0; length--) {
    const at = path.slice(0, length)
    const rewriting = tryEdits(text, before, after, limits, at)
    if (rewriting !== undefined) return { text: applyEdits(text, rewriting), at }
  }
  return undefined
}

/** The edits, when the text with them says what was wished and has all its comments. */
function tryEdits(
  text: string,
  before: Value,
  after: Value,
  limits: Limits,
  whole?: Path,
): readonly TextEdit[] | undefined {
  const parsed = readEvents(text, limits.yamlDepth + 2)
  if ('fault' in parsed) return undefined
  const outline = buildOutline(parsed.events, text)
  const comments = findComments(parsed.events, text)
  const draft = new Draft(text, layoutOf(text, outline), comments)
  planEdits(draft, outline, before, after, whole)
  const patched = applyEdits(text, draft.edits)
  const read = readSource(patched, limits)
  if (!read.ok || !sameValue(read.value.value, after)) return undefined
  return keepsComments(text, comments, patched, read.value.comments()) ? draft.edits : undefined
}

function keepsComments(before: string, from: readonly number[], after: string, to: readonly number[]): boolean {
  if (from.length !== to.length) return false
  const sorted = (text: string, offsets: readonly number[]): string[] =>
    offsets.map((offset) => text.slice(offset, lineEnd(text, offset)).trimEnd()).sort()
  const others = sorted(after, to)
  return sorted(before, from).every((comment, index) => comment === others[index])
}
