import { translateDialects } from '@joust/oatf'
import { versionFirst } from '@joust/oatf/on-demand'
import { BAIT, type IndicatorSite, indicatorId, plantsIn, type Walk, walkValue } from '@joust/oatf/vocabulary'
import {
  isList,
  isRecord,
  lineEdits,
  ownText,
  type Path,
  parsePath,
  patchText,
  type Span,
  type TextEdit,
  type Value,
  type ValueRecord,
  valueAt,
} from '@joust/source'
import { type Context, extentOf } from '../context.ts'
import { keyRuleAt } from '../grammar/grammar.ts'
import type { Finding, Fix } from '../model.ts'
import { type Entry, startsWith } from '../text/entry.ts'
import { languageLimits } from '../text/limits.ts'
import { diagnose } from './diagnose.ts'

/** Returns fixes for the findings in a range (suggestions, missing keys, dialects, baits), and for missing ids. */
export async function fixes(context: Context, range: Span, findings?: readonly Finding[]): Promise<Fix[]> {
  const here = (findings ?? (await diagnose(context))).filter((finding) => touches(finding.range, range))
  const candidates = here
    .slice(0, languageLimits.fixedFindings)
    .flatMap((finding) => [
      ...applySuggestion(context, finding),
      ...addMissingKey(context, finding),
      ...(context.kind === 'oatf' ? fixAttack(context, finding) : []),
    ])
  return distinctChanges(context.kind === 'oatf' ? [...candidates, ...addIds(context, range)] : candidates)
}

function fixAttack(context: Context, finding: Finding): Fix[] {
  return [...moveVersion(context, finding), ...migrate(context, finding), ...addBait(context, finding)]
}

/** Removes fixes that change nothing, and duplicates, because one change may fix two findings. */
function distinctChanges(all: readonly Fix[]): Fix[] {
  const changes = new Set<string>()
  return all.filter(({ title, edits }) => {
    if (edits.length === 0) return false
    const change = JSON.stringify([title, edits])
    return !changes.has(change) && changes.add(change)
  })
}

function touches(a: Span, b: Span): boolean {
  return a.start <= b.end && b.start <= a.end
}

function applySuggestion({ file, reading }: Context, finding: Finding): Fix[] {
  const { suggestion, range } = finding
  if (suggestion === undefined) return []
  const entry = reading.entries.find(
    ({ key, value }) => (key?.start ?? value.start) === range.start || value.start === range.start,
  )
  const written = entry !== undefined && entry.value.start >= range.start ? entry.value : range
  const whole = suggestion.replace === 'key' ? (entry?.key ?? range) : written
  const { part = '' } = suggestion
  const at = part === '' ? -1 : file.text.slice(whole.start, whole.end).indexOf(part)
  const span = at < 0 ? whole : { start: whole.start + at, end: whole.start + at + part.length }
  const quote = /^(["']).*\1$/s.exec(file.text.slice(span.start, span.end))?.[1] ?? ''
  const text = `${quote}${suggestion.with}${quote}`
  return [{ title: `Replace with "${suggestion.with}"`, finding, edits: [{ ...span, text }], preferred: true }]
}

function addMissingKey(context: Context, finding: Finding): Fix[] {
  const { reading } = context
  const path = parsePath(finding.path ?? '')
  if (path === undefined || valueAt(reading.value, path) !== undefined) return []
  const rule = keyRuleAt(context, path)
  const first = firstKey(reading.entries, path.slice(0, -1))
  if (!rule?.required || first?.column === undefined) return []
  const edit = { start: first.start, end: first.start, text: `${rule.name}: \n${' '.repeat(first.column)}` }
  return [{ title: `Add "${rule.name}"`, finding, edits: [edit], preferred: false }]
}

function firstKey(entries: readonly Entry[], mapping: Path): Entry | undefined {
  return entries.find(
    ({ path, key }) => key !== undefined && path.length === mapping.length + 1 && startsWith(path, mapping),
  )
}

function editsFor({ file, reading }: Context, value: Value): readonly TextEdit[] {
  const patch = reading.source === undefined ? undefined : patchText(file.text, value)
  return patch?.ok ? patch.value.edits : []
}

function moveVersion({ file: { text } }: Context, finding: Finding): Fix[] {
  if (finding.path !== 'oatf') return []
  return [{ title: 'Put "oatf" first', finding, edits: lineEdits(text, versionFirst(text)), preferred: true }]
}

function migrate(context: Context, finding: Finding): Fix[] {
  if (!finding.code.startsWith('D-')) return []
  const { value } = context.reading
  const one = editsFor(context, translateDialects(value, { only: finding.code }).value)
  const all = editsFor(context, translateDialects(value).value)
  return [
    { title: `Rewrite in the specified form (${finding.code})`, finding, edits: one, preferred: true },
    { title: 'Migrate all dialects of this document', finding, edits: all, preferred: false },
  ]
}

function addBait(context: Context, finding: Finding): Fix[] {
  const { value } = context.reading
  if (finding.path !== `attack.${BAIT}` || valueAt(value, ['attack', BAIT]) !== undefined) return []
  const paths = plantsIn(walkValue(value)).baits.map(({ path }) => path)
  if (paths.length === 0) return []
  const withBait = withAttack(value, (attack) => ({ ...attack, [BAIT]: paths }))
  const title = `Declare the bait: ${paths.join(', ')}`
  return [{ title, finding, edits: editsFor(context, withBait), preferred: true }]
}

function withAttack(value: Value, change: (attack: ValueRecord) => ValueRecord): Value {
  return isRecord(value) && isRecord(value.attack) ? { ...value, attack: change(value.attack) } : value
}

function addIds(context: Context, range: Span): Fix[] {
  const { value } = context.reading
  const walk = walkValue(value)
  const without = walk.indicators.filter((indicator) => indicator.value.id === undefined)
  const here = without.find(({ path }) => {
    const extent = extentOf(context, path)
    return extent !== undefined && touches(extent, range)
  })
  if (here === undefined) return []
  const ids = freshIds(walk, without)
  const adding = (sites: readonly IndicatorSite[]) => editsFor(context, withIds(value, sites, ids))
  const one = { title: `Add the id ${ids.get(here)}`, edits: adding([here]), preferred: false }
  const all = { title: 'Add an id to every indicator', edits: adding(without), preferred: false }
  return without.length === 1 ? [one] : [one, all]
}

function withIds(value: Value, sites: readonly IndicatorSite[], ids: ReadonlyMap<IndicatorSite, string>): Value {
  const byIndex = new Map(sites.map((site) => [site.path.at(-1), ids.get(site) ?? '']))
  return withAttack(value, (attack) => {
    const indicators = isList(attack.indicators) ? attack.indicators : []
    return {
      ...attack,
      indicators: indicators.map((indicator, index) => {
        const id = byIndex.get(index)
        return id !== undefined && isRecord(indicator) ? { id, ...indicator } : indicator
      }),
    }
  })
}

/** Returns unused ids in the form that normalization generates (OATF N-003). */
function freshIds({ attack, indicators }: Walk, without: readonly IndicatorSite[]): ReadonlyMap<IndicatorSite, string> {
  const idAt = (index: number) => indicatorId(ownText(attack, 'id'), null, index)
  const usedIds = new Set(indicators.map(({ value }) => value.id))
  const ids = new Map<IndicatorSite, string>()
  for (const indicator of without) {
    let index = Number(indicator.path.at(-1))
    while (usedIds.has(idAt(index))) index++
    usedIds.add(idAt(index))
    ids.set(indicator, idAt(index))
  }
  return ids
}
