/** Changes that an editor can offer: what was probably meant, the spelling of the specification, what is missing. */
import { translateDialects } from '@joust/oatf'
import { versionFirst } from '@joust/oatf/on-demand'
import {
  BAIT,
  type IndicatorSite,
  indicatorId,
  parsePath,
  plantsIn,
  type Walk,
  walkValue,
} from '@joust/oatf/vocabulary'
import {
  isList,
  isRecord,
  lineEdits,
  ownText,
  type Path,
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

/** What can be done about the findings in a stretch of text, and what can be added there. */
export async function fixes(context: Context, range: Span, known?: readonly Finding[]): Promise<Fix[]> {
  const here = (known ?? (await diagnose(context))).filter((finding) => touches(finding.range, range))
  const mends = here
    .slice(0, languageLimits.mended)
    .flatMap((finding) => [
      ...suggested(context, finding),
      ...missing(context, finding),
      ...(context.kind === 'oatf' ? ofAttack(context, finding) : []),
    ])
  return changing(context.kind === 'oatf' ? [...mends, ...idsAdded(context, range)] : mends)
}

function ofAttack(context: Context, finding: Finding): Fix[] {
  return [...versionMoved(context, finding), ...migrated(context, finding), ...baitNamed(context, finding)]
}

/** Those that change something. Two findings may be mended by the same change, which is offered once. */
function changing(all: readonly Fix[]): Fix[] {
  const seen = new Set<string>()
  return all.filter(({ title, edits }) => {
    if (edits.length === 0) return false
    const change = JSON.stringify([title, edits])
    return !seen.has(change) && seen.add(change)
  })
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
  const written = entry !== undefined && entry.value.start >= range.start ? entry.value : range
  const whole = meant.replace === 'key' ? (entry?.key ?? range) : written
  const { part = '' } = meant
  const at = part === '' ? -1 : file.text.slice(whole.start, whole.end).indexOf(part)
  const span = at < 0 ? whole : { start: whole.start + at, end: whole.start + at + part.length }
  const quote = /^(["']).*\1$/s.exec(file.text.slice(span.start, span.end))?.[1] ?? ''
  const text = `${quote}${meant.with}${quote}`
  return [{ title: `Replace with "${meant.with}"`, finding, edits: [{ ...span, text }], preferred: true }]
}

/** A required key that is missing, with its colon, as the first of its mapping. */
function missing(context: Context, finding: Finding): Fix[] {
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

/** The edits that make the text say another value, as few as possible. */
function patched({ file, reading }: Context, value: Value): readonly TextEdit[] {
  const patch = reading.source === undefined ? undefined : patchText(file.text, value)
  return patch?.ok ? patch.value.edits : []
}

function versionMoved({ file: { text } }: Context, finding: Finding): Fix[] {
  if (finding.path !== 'oatf') return []
  return [{ title: 'Put "oatf" first', finding, edits: lineEdits(text, versionFirst(text)), preferred: true }]
}

function migrated(context: Context, finding: Finding): Fix[] {
  if (!finding.code.startsWith('D-')) return []
  const { value } = context.reading
  const one = patched(context, translateDialects(value, { only: finding.code }).value)
  const all = patched(context, translateDialects(value).value)
  return [
    { title: `Write it as the specification has it (${finding.code})`, finding, edits: one, preferred: true },
    { title: 'Migrate every dialect of this document', finding, edits: all, preferred: false },
  ]
}

function baitNamed(context: Context, finding: Finding): Fix[] {
  const { value } = context.reading
  if (finding.path !== `attack.${BAIT}` || valueAt(value, ['attack', BAIT]) !== undefined) return []
  const paths = plantsIn(walkValue(value)).baits.map(({ path }) => path)
  if (paths.length === 0) return []
  const named = changed(value, (attack) => ({ ...attack, [BAIT]: paths }))
  const title = `Name the bait: ${paths.join(', ')}`
  return [{ title, finding, edits: patched(context, named), preferred: true }]
}

/** A copy of a document with another attack. */
function changed(value: Value, change: (attack: ValueRecord) => ValueRecord): Value {
  return isRecord(value) && isRecord(value.attack) ? { ...value, attack: change(value.attack) } : value
}

/** An id for the indicator under the cursor, and ids for all that have none. */
function idsAdded(context: Context, range: Span): Fix[] {
  const { value } = context.reading
  const walk = walkValue(value)
  const without = walk.indicators.filter((indicator) => indicator.value.id === undefined)
  const here = without.find(({ path }) => {
    const extent = extentOf(context, path)
    return extent !== undefined && touches(extent, range)
  })
  if (here === undefined) return []
  const ids = freshIds(walk, without)
  const adding = (sites: readonly IndicatorSite[]) => patched(context, withIds(value, sites, ids))
  const one = { title: `Add the id ${ids.get(here)}`, edits: adding([here]), preferred: false }
  const all = { title: 'Add an id to every indicator', edits: adding(without), preferred: false }
  return without.length === 1 ? [one] : [one, all]
}

/** A copy of a document in which some of its indicators have their ids. */
function withIds(value: Value, sites: readonly IndicatorSite[], ids: ReadonlyMap<IndicatorSite, string>): Value {
  const added = new Map(sites.map((site) => [site.path.at(-1), ids.get(site) ?? '']))
  return changed(value, (attack) => {
    const indicators = isList(attack.indicators) ? attack.indicators : []
    return {
      ...attack,
      indicators: indicators.map((one, index) => {
        const id = added.get(index)
        return id !== undefined && isRecord(one) ? { id, ...one } : one
      }),
    }
  })
}

/** Ids as normalization gives them (N-003); never one that is taken. */
function freshIds({ attack, indicators }: Walk, without: readonly IndicatorSite[]): ReadonlyMap<IndicatorSite, string> {
  const idAt = (index: number) => indicatorId(ownText(attack, 'id'), null, index)
  const taken = new Set(indicators.map(({ value }) => value.id))
  const found = new Map<IndicatorSite, string>()
  for (const indicator of without) {
    let index = Number(indicator.path.at(-1))
    while (taken.has(idAt(index))) index++
    taken.add(idAt(index))
    found.set(indicator, idAt(index))
  }
  return found
}
