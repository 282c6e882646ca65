import { defaultLimits, sourceBounds } from '../model/limits.ts'
import type { Path } from '../model/path.ts'
import { ok, type Result } from '../model/result.ts'
import { overLimit, type Source, type SourceDiagnostic, unreadable } from '../model/source.ts'
import { isList, isRecord, setOwn, type Value } from '../model/value.ts'
import { lineEdits } from '../text/line-diff.ts'
import { sameValue } from '../values/deep-equal.ts'
import { checkTree } from '../values/tree.ts'
import { type OpenSource, openSource, readSource } from '../yaml/read-source.ts'
import { commentsIn, Draft, editText, inOrder, type TextEdit } from './draft.ts'
import { moveToFront } from './parts.ts'
import { planEdits } from './plan.ts'

/** The text after the edits, and the edits. */
export interface Patch {
  readonly text: string
  /** The edits, as offsets in the original text. Sorted and not overlapping. */
  readonly edits: readonly TextEdit[]
  /** The paths of values that had to be rewritten completely, in the default layout. */
  readonly rewritten: readonly Path[]
}

/**
 * Edits YAML or JSON text so that its value is exactly `wanted`. Everything else is kept: comments, order, quotes,
 * blank lines. Comments of removed elements remain on separate lines. The result is parsed again; if it differs, the
 * smallest element around the difference is rewritten.
 */
export function patchText(text: string, wanted: Value): Result<Patch, SourceDiagnostic[]> {
  const source = openSource(text)
  if (!source.ok) return source
  if (!checkTree(wanted, { ...defaultLimits, valueDepth: defaultLimits.yamlDepth }).ok)
    return overLimit(defaultLimits, 'yamlDepth')
  const edits = tryEdits(source.value, wanted)
  if (edits !== undefined) return ok({ text: editText(text, edits), edits: inOrder(edits), rewritten: [] })
  return patchByPart(text, source.value.value, wanted)
}

/**
 * Moves a top-level key to the start, with the comments directly above and after it. Returns the text unchanged if the
 * key is missing or moving it would change the value, as with an alias before its anchor.
 */
export function putFirst(text: string, key: string): string {
  const source = openSource(text)
  const value = source.ok ? source.value.value : null
  if (!source.ok || !isRecord(value) || !Object.hasOwn(value, key) || Object.keys(value)[0] === key) return text
  const draft = new Draft(source.value)
  moveToFront(draft, source.value.outline(), key)
  const moved = editText(text, draft.edits)
  return hasContent(moved, { [key]: value[key] ?? null, ...value }, source.value) ? moved : text
}

function patchByPart(text: string, before: Value, wanted: Value): Result<Patch, SourceDiagnostic[]> {
  const changes = [...differences(before, wanted, [])]
  const isTooMuch = changes.length * text.length > sourceBounds.patchCharacters
  const rewritten: Path[] = []
  let [now, value] = [text, before]
  for (const change of isTooMuch ? [{ path: [], value: wanted }] : changes) {
    value = replaced(value, change.path, change.value)
    const result = changePart(now, change.path, value)
    if (result === undefined) return unreadable('syntax', 'the text cannot be edited to contain the new value')
    now = result.text
    if (result.at !== undefined) rewritten.push(result.at)
  }
  return ok({ text: now, edits: lineEdits(text, now), rewritten })
}

function changePart(text: string, path: Path, after: Value): { readonly text: string; readonly at?: Path } | undefined {
  const source = openSource(text)
  if (!source.ok) return undefined
  const edits = tryEdits(source.value, after)
  if (edits !== undefined) return { text: editText(text, edits) }
  for (let length = path.length; length >= 0; length--) {
    const at = path.slice(0, length)
    const rewriting = tryEdits(source.value, after, at)
    if (rewriting !== undefined) return { text: editText(text, rewriting), at }
  }
  return undefined
}

/** Returns the edits, or undefined if the resulting text does not have the wanted value and all comments. */
function tryEdits(source: OpenSource, after: Value, whole?: Path): readonly TextEdit[] | undefined {
  const draft = new Draft(source)
  planEdits(draft, source.outline(), source.value, after, whole)
  return hasContent(editText(source.text, draft.edits), after, source) ? draft.edits : undefined
}

function hasContent(text: string, value: Value, before: Source): boolean {
  const read = readSource(text)
  return read.ok && sameValue(read.value.value, value) && sameValue(commentsIn(read.value), commentsIn(before))
}

/** Yields the smallest replacements that turn one value into the other. */
function* differences(before: Value, after: Value, path: Path): Generator<{ path: Path; value: Value }> {
  if (sameValue(before, after)) return
  if (isList(before) && isList(after) && before.length === after.length) {
    for (const [index, item] of before.entries()) yield* differences(item, after[index] ?? null, [...path, index])
  } else if (isRecord(before) && isRecord(after) && sameValue(Object.keys(before), Object.keys(after))) {
    for (const [key, child] of Object.entries(before)) yield* differences(child, after[key] ?? null, [...path, key])
  } else yield { path, value: after }
}

function replaced(root: Value, [step, ...rest]: Path, value: Value): Value {
  if (step === undefined) return value
  if (isList(root)) return root.map((item, index) => (index === step ? replaced(item, rest, value) : item))
  if (!isRecord(root)) return root
  const copy = {}
  for (const [key, child] of Object.entries(root))
    setOwn(copy, key, key === step ? replaced(child, rest, value) : child)
  return copy
}
