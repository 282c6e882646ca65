import type { Path } from '../model/path.ts'
import { isList, isRecord, type Value, type ValueRecord } from '../model/value.ts'
import { sameValue } from '../values/deep-equal.ts'
import type { OutlineNode } from '../yaml/outline.ts'
import { columnOf } from '../yaml/scan.ts'
import { type Alignment, alignItems, alignKeys } from './align.ts'
import type { Draft, ValueSite } from './draft.ts'
import { insertIntoBlock, insertIntoFlow, type Part, partsOf, removeFromBlock, removeFromFlow } from './parts.ts'
import { marginOf, replaceValue } from './replace.ts'
import { afterDash, afterKey, flowText, jsonLines, keyText } from './write-value.ts'

/** Plans the edits that change the value of a text. The value at `whole` is rewritten completely. */
export function planEdits(draft: Draft, root: OutlineNode, before: Value, after: Value, whole?: Path): void {
  const start = root.properties ?? root.start
  const place: ValueSite = { node: root, kind: 'root', column: 0, after: start, line: start }
  visit({ draft, whole }, place, before, after, [])
}

interface Plan {
  readonly draft: Draft
  readonly whole: Path | undefined
}

function visit(plan: Plan, place: ValueSite, before: Value, after: Value, path: Path): void {
  const { node } = place
  const { draft, whole } = plan
  // The value of an alias may change even if nothing changes here.
  if (whole === undefined && !draft.hasAliases && sameValue(before, after)) return
  if (node.form === 'alias') {
    const target = draft.anchors.get(node.anchor ?? '')
    if (target === undefined || !sameValue(target, after)) replaceValue(draft, place, after)
    return
  }
  if (node.anchor !== undefined) draft.anchors.set(node.anchor, after)
  if (whole !== undefined && whole.length === path.length && whole.every((step, at) => step === path[at])) {
    replaceValue(draft, place, after)
  } else if (isList(before) && isList(after)) changeList(plan, place, before, after, path)
  else if (isRecord(before) && isRecord(after)) changeRecord(plan, place, before, after, path)
  else if (!sameValue(before, after)) replaceValue(draft, place, after)
}

function changeRecord(plan: Plan, place: ValueSite, before: ValueRecord, after: ValueRecord, path: Path): void {
  const { draft } = plan
  const keys = Object.keys(before)
  const newKeys = Object.keys(after)
  const { origins, removed } = alignKeys(
    { keys, values: Object.values(before) },
    { keys: newKeys, values: Object.values(after) },
  )
  // JavaScript objects list numeric keys first, regardless of their position in the text.
  const written = new Map([...(place.node.children?.keys() ?? [])].map((key, index) => [key, index]))
  const inText = keys.map((key) => written.get(key) ?? -1)
  changeParts(draft, place, after, {
    removed: new Set([...removed].map((at) => inText[at] ?? -1)),
    origins: origins.map((origin) => (origin === undefined ? undefined : inText[origin])),
    keep(part, at) {
      const [old = '', key = ''] = [keys[origins[at] ?? -1], newKeys[at]]
      if (old !== key) rename(draft, place, part, key)
      visit(plan, within(draft, place, part, 'entry'), before[old] ?? null, after[key] ?? null, [...path, key])
    },
    write: (at) => entryText(draft, place, newKeys[at] ?? '', after[newKeys[at] ?? ''] ?? null),
  })
}

function changeList(plan: Plan, place: ValueSite, before: readonly Value[], after: readonly Value[], path: Path): void {
  const { draft } = plan
  const alignment = alignItems(before, after)
  changeParts(draft, place, after, {
    ...alignment,
    keep(part, at) {
      const old = before[alignment.origins[at] ?? -1] ?? null
      visit(plan, within(draft, place, part, 'item'), old, after[at] ?? null, [...path, at])
    },
    write: (at) => itemText(draft, place, after[at] ?? null),
  })
}

/** Changes to the elements of a collection, by their index in the text. */
interface Change extends Alignment {
  readonly keep: (part: Part, at: number) => void
  readonly write: (at: number) => string
}

function changeParts(draft: Draft, place: ValueSite, after: Value, { removed, origins, keep, write }: Change): void {
  const { node, line } = place
  const parts = partsOf(draft.text, node)
  const same = removed.size === 0 && !origins.includes(undefined)
  // An empty collection has no position for an element, and a pair without braces has none for a second element.
  const hasPlace = node.form === 'block' || /[[{]/.test(draft.text.charAt(node.start))
  if (!same && (!hasPlace || parts.length === 0 || removed.size === parts.length)) {
    replaceValue(draft, place, after)
    return
  }
  for (const [at, origin] of origins.entries()) {
    const part = parts[origin ?? -1]
    if (part !== undefined) keep(part, at)
  }
  // Elements are removed last, because insertions inside and after an element may have the same offset.
  if (node.form === 'block') removeFromBlock(draft, parts, removed)
  else removeFromFlow(draft, parts, removed, line)
  const insert = node.form === 'block' ? insertIntoBlock : insertIntoFlow
  let previous: Part | undefined
  for (const [at, origin] of origins.entries()) {
    if (origin === undefined) insert(draft, parts, previous, write(at))
    else previous = parts[origin]
  }
}

function within(draft: Draft, place: ValueSite, { node, start, after }: Part, kind: 'entry' | 'item'): ValueSite {
  if (place.node.form === 'flow') return { node, kind: 'flow', column: 0, after, line: place.line }
  return { node, kind, column: columnOf(draft.text, start), after, line: start }
}

function rename(draft: Draft, place: ValueSite, { node }: Part, key: string): void {
  const { keyStart = 0, keyEnd = 0 } = node
  const quote = draft.text.charAt(keyStart)
  const form = quote === '"' ? 'double' : quote === "'" ? 'single' : 'plain'
  const text = place.node.form === 'flow' ? flowText(key, form, draft.layout) : keyText(key, form)
  draft.put(keyStart, keyEnd, text)
}

function entryText(draft: Draft, { node }: ValueSite, key: string, value: Value): string {
  const { layout, text } = draft
  if (node.form === 'flow') return `${flowText(key, 'plain', layout)}: ${flowPart(draft, node, value)}`
  return `${keyText(key, 'plain')}:${afterKey(value, columnOf(text, node.start), layout)}`
}

function itemText(draft: Draft, { node }: ValueSite, value: Value): string {
  if (node.form === 'flow') return flowPart(draft, node, value)
  return `-${afterDash(value, columnOf(draft.text, node.start), draft.layout)}`
}

/** Returns the text of a new element. In multi-line JSON, the text also spans several lines. */
function flowPart(draft: Draft, node: OutlineNode, value: Value): string {
  const { layout, text } = draft
  const lines = layout.json && /[\r\n]/.test(text.slice(node.start, node.end))
  if (!lines) return flowText(value, 'plain', layout)
  const first = partsOf(text, node)[0]
  return jsonLines(value, first === undefined ? '' : marginOf(draft, first.start), layout)
}
