import { defaultLimits, type Limits, sourceBounds } from '../model/limits.ts'
import type { Path } from '../model/path.ts'
import { ok, type Result } from '../model/result.ts'
import { overLimit, type SourceDiagnostic, unreadable } from '../model/source.ts'
import { isList, isRecord, setOwn, type Value } from '../model/value.ts'
import { lineEdits } from '../text/line-diff.ts'
import { sameValue } from '../values/deep-equal.ts'
import { treeFault } from '../values/tree-fault.ts'
import { type OpenSource, openSource, readSource } from '../yaml/read-source.ts'
import { commentsIn, Draft, editText, inOrder, type TextEdit } from './draft.ts'
import { layoutOf } from './layout.ts'
import { planEdits } from './plan.ts'

/** A text after its edits. */
export interface Patch {
  readonly text: string
  /** What changed, as offsets in the text before; in order, none over another. */
  readonly edits: readonly TextEdit[]
  /** Paths where more than the difference had to be rewritten, in our own layout. */
  readonly rewritten: readonly Path[]
}

/**
 * Edits a YAML or JSON text by position so that it reads as `wished`, to the last detail, and is otherwise the same:
 * comments, order, quotes, blank lines. No comment is lost; those of a removed part stay on lines of their own. The
 * result is read again; where it is not as wished, the smallest part around it is rewritten.
 */
export function patchText(
  text: string,
  wished: Value,
  limits: Limits = defaultLimits,
): Result<Patch, SourceDiagnostic[]> {
  const source = openSource(text, limits)
  if (!source.ok) return source
  if (treeFault(wished, { ...limits, valueDepth: limits.yamlDepth }) !== undefined)
    return overLimit(limits, 'yamlDepth')
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
    if (made === undefined) return unreadable('syntax', 'the text cannot be edited to hold the new value')
    now = made.text
    if (made.at !== undefined) rewritten.push(made.at)
  }
  return ok({ text: now, edits: lineEdits(text, now), rewritten })
}

/** Makes one change, rewriting as little as it takes. */
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

/** The edits, provided that the text then says what was wished and keeps all its comments. */
function tryEdits(source: OpenSource, after: Value, limits: Limits, whole?: Path): readonly TextEdit[] | undefined {
  const { text } = source
  const outline = source.outline()
  const draft = new Draft(source, layoutOf(text, outline))
  planEdits(draft, outline, source.value, after, whole)
  const read = readSource(editText(text, draft.edits), limits)
  if (!read.ok || !sameValue(read.value.value, after)) return undefined
  return sameValue(commentsIn(source), commentsIn(read.value)) ? draft.edits : undefined
}

/** One difference between two values, with the whole value after it. */
interface Change {
  readonly path: Path
  readonly after: Value
  /** Whether the part has to be rewritten at once. */
  readonly whole?: boolean
}

/** The differences between two values one at a time: each starts from what the one before it made. */
function* changesBetween(before: Value, after: Value): Generator<Change> {
  let now = before
  for (const { path, value } of differences(before, after, [])) {
    const next = replaced(now, path, value)
    yield { path, after: next }
    now = next
  }
}

function* differences(before: Value, after: Value, path: Path): Generator<{ path: Path; value: Value }> {
  if (sameValue(before, after)) return
  if (isList(before) && isList(after) && before.length === after.length) {
    for (const [index, item] of before.entries()) yield* differences(item, after[index] ?? null, [...path, index])
  } else if (isRecord(before) && isRecord(after) && sameValue(Object.keys(before), Object.keys(after))) {
    for (const [key, child] of Object.entries(before)) yield* differences(child, after[key] ?? null, [...path, key])
  } else yield { path, value: after }
}

/** A copy with another value at a path that is there. */
function replaced(root: Value, [step, ...rest]: Path, value: Value): Value {
  if (step === undefined) return value
  if (isList(root)) return root.map((item, index) => (index === step ? replaced(item, rest, value) : item))
  if (!isRecord(root)) return root
  const copy = {}
  for (const [key, child] of Object.entries(root))
    setOwn(copy, key, key === step ? replaced(child, rest, value) : child)
  return copy
}
