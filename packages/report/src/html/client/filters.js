/** Which rows of the matrix are shown, and in which order. */
import { OUTCOME_ORDER, SEVERITY_ORDER, tierOf } from './words.js'

/** @import { AttackResults } from '@joust/arena' */
/** @import { ReportRun } from './data.ts' */

/** @typedef {{ attack: AttackResults, run: number, place: number }} Cell */
/** @typedef {{ first: AttackResults, cells: (Cell | undefined)[] }} Row */
/**
 * Nothing chosen means everything.
 * @typedef {object} Filter
 * @property {string} text
 * @property {Set<string>} outcomes
 * @property {Set<string>} severities
 * @property {string} category
 * @property {string} protocol
 * @property {string} tier
 */
/** @typedef {'worst' | 'name' | 'severity' | 'category' | 'file'} Order */

/**
 * One row per attack; the same attack of several runs stands in one row.
 * @param {readonly ReportRun[]} runs
 * @returns {Row[]}
 */
export function matrixRows(runs) {
  /** @type {Map<string, Row>} */
  const rows = new Map()
  for (const [run, { target }] of runs.entries()) {
    /** @type {Map<string, number>} */
    const seen = new Map()
    for (const [place, attack] of target.attacks.entries()) {
      const name = attack.attack.id ?? attack.file
      const times = seen.get(name) ?? 0
      seen.set(name, times + 1)
      const key = `${times} ${name}`
      const row = rows.get(key) ?? { first: attack, cells: runs.map(() => undefined) }
      row.cells[run] = { attack, run, place }
      rows.set(key, row)
    }
  }
  return [...rows.values()]
}

/** @returns {Filter} */
export function emptyFilter() {
  return { text: '', outcomes: new Set(), severities: new Set(), category: '', protocol: '', tier: '' }
}

/**
 * Whether a row is shown.
 * @param {Row} row
 * @param {Filter} filter
 * @returns {boolean}
 */
export function isShown(row, filter) {
  const { attack } = row.first
  const attacks = attacksOf(row)
  if (filter.outcomes.size > 0 && !attacks.some(({ outcome }) => filter.outcomes.has(outcome))) return false
  if (filter.severities.size > 0 && !filter.severities.has(attack.severity ?? 'none')) return false
  if (filter.category !== '' && filter.category !== (attack.category ?? 'none')) return false
  if (filter.protocol !== '' && !attack.protocols.includes(filter.protocol)) return false
  if (filter.tier !== '' && !attacks.some((results) => (tierOf(results) ?? 'none') === filter.tier)) return false
  const words = filter.text.toLowerCase().split(/\s+/)
  const text = searchText(row)
  return words.every((word) => text.includes(word))
}

/**
 * The rows in an order; those that are equal in it stay as they were.
 * @param {Row[]} rows
 * @param {Order} order
 * @returns {Row[]}
 */
export function sortRows(rows, order) {
  return rows.toSorted((left, right) => compareRows(left, right, order))
}

/**
 * @param {Row} left
 * @param {Row} right
 * @param {Order} order
 * @returns {number}
 */
function compareRows(left, right, order) {
  if (order === 'name') return left.first.attack.name.localeCompare(right.first.attack.name)
  if (order === 'file') return left.first.file.localeCompare(right.first.file)
  const bySeverity = severityRank(left) - severityRank(right)
  if (order === 'severity') return bySeverity || worstRank(left) - worstRank(right)
  if (order === 'category') {
    return (left.first.attack.category ?? '~').localeCompare(right.first.attack.category ?? '~')
  }
  return worstRank(left) - worstRank(right) || bySeverity
}

/** @param {Row} row */
function attacksOf({ cells }) {
  return cells.flatMap((cell) => (cell === undefined ? [] : [cell.attack]))
}

/** @param {Row} row */
function worstRank(row) {
  return Math.min(...attacksOf(row).map(({ outcome }) => OUTCOME_ORDER.indexOf(outcome)))
}

/** @param {Row} row */
function severityRank({ first }) {
  const rank = SEVERITY_ORDER.indexOf(first.attack.severity ?? '')
  return rank < 0 ? SEVERITY_ORDER.length : rank
}

/** @param {Row} row */
function searchText({ first: { file, attack } }) {
  const mappings = (attack.mappings ?? []).map(({ framework, id, name }) => `${framework} ${id} ${name ?? ''}`)
  const indicators = attack.indicators.map(({ id }) => id)
  const parts = [attack.name, attack.id, file, attack.category, attack.description, ...(attack.tags ?? [])]
  return [...parts, ...mappings, ...indicators].join(' ').toLowerCase()
}
