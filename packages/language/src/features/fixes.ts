/** Changes that an editor can offer: what was probably meant, the words of the specification, what is still missing. */
import { translateDialects } from '@joust/oatf'
import { BAIT, type IndicatorSite, plantsIn, type Walk, walkValue } from '@joust/oatf/vocabulary'
import { cloneValue, isRecord, patchText, type Span, setOwn, type TextEdit, type Value } from '@joust/source'
import { type Context, extentOf } from '../context.ts'
import type { Finding, Fix } from '../model.ts'
import { valueAt } from '../text/reading.ts'

/** What can be done about the findings in a stretch of text, and what can be added there. */
export function fixes(context: Context, range: Span, findings: readonly Finding[]): Fix[] {
  const here = findings.filter((finding) => touches(finding.range, range))
  const mends = here.flatMap((finding) => [
    ...suggested(context, finding),
    ...missing(context, finding),
    ...(context.kind === 'oatf' ? [...migrated(context, finding), ...baitNamed(context, finding)] : []),
  ])
  return context.kind === 'oatf' ? [...mends, ...idsAdded(context, range)] : mends
}

function touches(a: Span, b: Span): boolean {
  return a.start <= b.end && b.start <= a.end
}

/** "Did you mean" as an edit of the key, the value, or a part of it. */
function suggested({ file, reading }: Context, finding: Finding): Fix[] {
  const { suggestion: meant, range } = finding
  if (meant === undefined) return []
  const entry = reading.entries.find(
    ({ key, value }) => (key?.start ?? value.start) === range.start || value.start === range.start,
  )
  const whole =
    meant.replace === 'key'
      ? (entry?.key ?? range)
      : entry !== undefined && entry.value.start >= range.start
        ? entry.value
        : range
  const at = meant.part === undefined ? -1 : file.text.slice(whole.start, whole.end).indexOf(meant.part)
  const span =
    at < 0 || meant.part === undefined ? whole : { start: whole.start + at, end: whole.start + at + meant.part.length }
  const quote = file.text.charAt(span.start)
  const text =
    /["']/.test(quote) && file.text.charAt(span.end - 1) === quote ? `${quote}${meant.with}${quote}` : meant.with
  return [{ title: `Replace by "${meant.with}"`, finding, edits: [{ ...span, text }], preferred: true }]
}

/** A required key with its colon, as the first of its mapping. */
function missing({ file, reading }: Context, finding: Finding): Fix[] {
  const name = /^the field "([\w$-]+)" is required$/.exec(finding.message)?.[1]
  if (name === undefined) return []
  const first = reading.entries.find((entry) => {
    const parent = entry.path.slice(0, -1).map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    return entry.key !== undefined && `${parent.join('')}.${name}`.replace(/^\./, '') === finding.path
  })
  if (first === undefined) return []
  const indent = ' '.repeat(first.column)
  const edit = { start: first.start, end: first.start, text: `${name}: \n${indent}` }
  return /[{,]\s*$/.test(file.text.slice(0, first.start))
    ? []
    : [{ title: `Add "${name}"`, finding, edits: [edit], preferred: false }]
}

/** The text with another value, by as few edits as it takes. */
function patched(text: string, value: Value): readonly TextEdit[] {
  const patch = patchText(text, value)
  return patch.ok ? patch.value.edits : []
}

function migrated({ file, reading }: Context, finding: Finding): Fix[] {
  if (!finding.code.startsWith('D-') || reading.source === undefined) return []
  const one = patched(file.text, translateDialects(reading.value, { only: finding.code }).value)
  const all = patched(file.text, translateDialects(reading.value).value)
  const fix = (title: string, edits: readonly TextEdit[], preferred: boolean): Fix[] =>
    edits.length === 0 ? [] : [{ title, finding, edits, preferred }]
  return [
    ...fix(`Write it as the specification has it (${finding.code})`, one, true),
    ...fix('Migrate every dialect of this document', all, false),
  ]
}

function baitNamed({ file, reading }: Context, finding: Finding): Fix[] {
  const { value } = reading
  // The one finding about the attack that asks for it.
  if (finding.path !== 'attack' || !finding.message.includes(BAIT) || reading.source === undefined) return []
  const paths = plantsIn(walkValue(value)).baits.map(({ path }) => path)
  const edits = paths.length === 0 ? [] : patched(file.text, withAttack(value, BAIT, paths))
  return edits.length === 0 ? [] : [{ title: `Name the bait: ${paths.join(', ')}`, finding, edits, preferred: true }]
}

function withAttack(value: Value, key: string, to: Value): Value {
  const copy = cloneValue(value)
  const attack = valueAt(copy, ['attack'])
  // The copy is ours.
  if (isRecord(attack)) setOwn(attack as { [key: string]: Value }, key, to)
  return copy
}

/** An id for the indicator under the cursor, and one for all that have none. */
function idsAdded(context: Context, range: Span): Fix[] {
  const { value, source } = context.reading
  if (source === undefined) return []
  const walk = walkValue(value)
  const without = walk.indicators.filter((indicator) => indicator.value.id === undefined)
  const here = without.filter(({ path }) => {
    const extent = extentOf(context, path)
    return extent !== undefined && touches(extent, range)
  })
  const ids = freshIds(walk, without)
  const [first] = here
  if (first === undefined) return []
  const one: Fix = { title: `Add the id ${ids.get(first)}`, edits: idEdits(context, [first], ids), preferred: false }
  if (without.length === 1) return [one]
  return [one, { title: 'Add an id to every indicator', edits: idEdits(context, without, ids), preferred: false }]
}

/** The attack's id, a hyphen and the place in the list, as normalization gives them (N-003); none that is taken. */
function freshIds({ attack, indicators }: Walk, without: readonly IndicatorSite[]): ReadonlyMap<IndicatorSite, string> {
  const stem = typeof attack.id === 'string' ? attack.id : 'indicator'
  const taken = new Set(indicators.map(({ value }) => value.id))
  const found = new Map<IndicatorSite, string>()
  for (const indicator of without) {
    let number = indicators.indexOf(indicator) + 1
    while (taken.has(idOf(stem, number))) number++
    taken.add(idOf(stem, number))
    found.set(indicator, idOf(stem, number))
  }
  return found
}

function idOf(stem: string, number: number): string {
  return `${stem}-${String(number).padStart(2, '0')}`
}

function idEdits(
  { file, reading }: Context,
  sites: readonly IndicatorSite[],
  ids: ReadonlyMap<IndicatorSite, string>,
): readonly TextEdit[] {
  return sites.flatMap((site) => {
    const first = reading.entries.find(
      ({ path, key }) =>
        key !== undefined &&
        path.length === site.path.length + 1 &&
        site.path.every((step, index) => step === path[index]),
    )
    if (first === undefined) return []
    const inFlow = /[{,]\s*$/.test(file.text.slice(0, first.start))
    const after = inFlow ? ', ' : `\n${' '.repeat(first.column)}`
    // In JSON, texts have quotes.
    const pair = /^\s*[[{]/.test(file.text) ? `"id": "${ids.get(site)}"` : `id: ${ids.get(site)}`
    return [{ start: first.start, end: first.start, text: `${pair}${after}` }]
  })
}
