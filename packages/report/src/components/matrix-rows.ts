/** Filters and sorts the rows of the matrix. URLs can contain the filter and the sort order. */

import { severityRank } from '@joust/oatf'
import { type AttackResults, isSuspicious, outcomes, type StoppedBy, stopperOf, stoppers } from '@joust/results'
import type { ReportRun } from './data.ts'
import { attackKeys } from './place-names.ts'

/** An attack in a run. `place` is the index of the attack in the results. */
export interface Cell {
  readonly attack: AttackResults
  readonly run: number
  readonly place: number
}

export interface Row {
  readonly key: string
  readonly first: AttackResults
  /** Cells by run. Undefined for a run that does not contain the attack. */
  readonly cells: readonly (Cell | undefined)[]
}

/** A filter. An empty field matches everything. */
export interface Filter {
  readonly text: string
  /** Index of the run to which the filters for outcomes and tiers apply. Empty for any run. */
  readonly target: string
  readonly outcomes: readonly string[]
  readonly severities: readonly string[]
  readonly category: string
  readonly protocol: string
  readonly tier: string
  /** Part of the target that stopped the attack. */
  readonly stopper: string
  /** Sort key: `worst`, a column, or a run index. A leading `-` reverses the order. */
  readonly sort: string
}

export const noFilter: Filter = {
  text: '',
  target: '',
  outcomes: [],
  severities: [],
  category: '',
  protocol: '',
  tier: '',
  stopper: '',
  sort: 'worst',
}

/** Parses the filter in a URL query. */
export function readFilter(query: string): Filter {
  const params = new URLSearchParams(query)
  const fields = Object.entries(noFilter).map(([name, initial]) => {
    const text = params.get(name) ?? String(initial)
    return [name, Array.isArray(initial) ? text.split(',').filter((word) => word !== '') : text]
  })
  // Each field has the same type as in `noFilter`.
  return Object.fromEntries(fields)
}

/** Writes a filter as a URL query. Default values are omitted. */
export function writeFilter(filter: Filter): string {
  const defaults = new Map(Object.entries(noFilter).map(([name, value]) => [name, String(value)]))
  const chosen = Object.entries(filter).filter(([name, value]) => String(value) !== defaults.get(name))
  return new URLSearchParams(chosen.map(([name, value]) => [name, String(value)])).toString()
}

/** Returns a row for each attack. The same attack in several runs shares a row. */
export function matrixRows(runs: readonly ReportRun[]): Row[] {
  const rows = new Map<string, Row & { readonly cells: (Cell | undefined)[] }>()
  for (const [run, { target }] of runs.entries()) {
    const keys = attackKeys(target.attacks)
    for (const [place, attack] of target.attacks.entries()) {
      const key = keys[place] ?? ''
      const row = rows.get(key) ?? { key, first: attack, cells: runs.map(() => undefined) }
      row.cells[run] = { attack, run, place }
      rows.set(key, row)
    }
  }
  return [...rows.values()]
}

export function isShown(row: Row, filter: Filter): boolean {
  const { attack } = row.first
  const attacks = attacksOf(row, filter.target)
  if (attacks.length === 0) return false
  if (filter.outcomes.length > 0 && !attacks.some(({ outcome }) => filter.outcomes.includes(outcome))) return false
  if (filter.severities.length > 0 && !filter.severities.includes(attack.severity ?? 'none')) return false
  if (filter.category !== '' && filter.category !== (attack.category ?? 'none')) return false
  if (filter.protocol !== '' && !attack.protocols.includes(filter.protocol)) return false
  if (filter.tier !== '' && !attacks.some((results) => (results.tier ?? 'none') === filter.tier)) return false
  if (filter.stopper !== '' && !attacks.some((results) => stopperOf(results) === filter.stopper)) return false
  if (filter.text === '') return true
  const words = filter.text.toLowerCase().split(/\s+/)
  const text = searchText(row)
  return words.every((word) => text.includes(word))
}

/** Sorts rows. The sort is stable. */
export function sortRows(rows: readonly Row[], sort: string): Row[] {
  const key = sort.replace(/^-/, '')
  const sign = sort.startsWith('-') ? -1 : 1
  const keyed = rows.map((row) => ({ row, keys: sortKeys(row, key) }))
  return keyed.sort((left, right) => sign * compareKeys(left.keys, right.keys)).map(({ row }) => row)
}

/** Returns the sort order after a click on a column. A second click on the same column reverses the order. */
export function sortBy(key: string, sort: string): string {
  return sort === key ? `-${key}` : key
}

/** Returns the attacks of a row in one run or in all runs. */
export function attacksOf({ cells }: Row, target = ''): AttackResults[] {
  const attacks: AttackResults[] = []
  for (const cell of target === '' ? cells : [cells[Number(target)]]) if (cell !== undefined) attacks.push(cell.attack)
  return attacks
}

type SortKeys = readonly (string | number)[]

function sortKeys(row: Row, key: string): SortKeys {
  const { attack } = row.first
  const severity = -severityRank(attack.severity)
  if (key === 'name') return [attack.name]
  // Combines two keys in one number for speed, because the first view waits for this order.
  if (key === 'severity') return [severity * 100 + worstRank(row)]
  if (key === 'category') return [attack.category ?? '~']
  if (key === 'protocol') return [attack.protocols.join()]
  if (key === 'stopper') return [stopperRank(row)]
  return [worstRank(row, key === 'worst' ? '' : key) * 100 + severity]
}

const collator = new Intl.Collator()

function compareKeys(left: SortKeys, right: SortKeys): number {
  for (let index = 0; index < left.length; index++) {
    const [one, other] = [left[index] ?? 0, right[index] ?? 0]
    const order = typeof one === 'number' ? one - Number(other) : collator.compare(one, String(other))
    if (order !== 0) return order
  }
  return 0
}

export function stoppedBy(row: Row): StoppedBy[] {
  const all = new Set(attacksOf(row).map(stopperOf))
  return stoppers.filter((stopper) => all.has(stopper))
}

function stopperRank(row: Row): number {
  const [first] = stoppedBy(row)
  return first === undefined ? stoppers.length : stoppers.indexOf(first)
}

function worstRank(row: Row, target = ''): number {
  let worst: number = outcomes.length
  for (const attack of attacksOf(row, target))
    worst = Math.min(worst, isSuspicious(attack) ? -1 : outcomes.indexOf(attack.outcome))
  return worst
}

/** Cached search texts. A row object does not change while its results are shown. */
const texts = new WeakMap<Row, string>()

function searchText(row: Row): string {
  const known = texts.get(row)
  if (known !== undefined) return known
  const { file, attack } = row.first
  const mappings = (attack.mappings ?? []).map(({ framework, id, name }) => `${framework} ${id} ${name ?? ''}`)
  const indicators = attack.indicators.map(({ id }) => id)
  const parts = [attack.name, attack.id, file, attack.category, attack.description, ...(attack.tags ?? [])]
  const text = [...parts, ...mappings, ...indicators].join(' ').toLowerCase()
  texts.set(row, text)
  return text
}
