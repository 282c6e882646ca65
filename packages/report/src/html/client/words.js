/** What the report calls things. */
import { severityLevels, tiers } from '@joust/oatf'

/** @type {Readonly<Record<string, string>>} */
const WORDS = {
  exploited: 'Exploited',
  partial: 'Partial',
  matched: 'Matched',
  not_matched: 'Not matched',
  skipped: 'Skipped',
  ingested: 'Ingested',
  local_action: 'Local action',
  boundary_breach: 'Boundary breach',
  mcp: 'MCP',
  a2a: 'A2A',
  ag_ui: 'AG-UI',
  done: 'everything was done',
  expired: 'the time limit was reached',
  interrupted: 'stopped from outside',
  flooded: 'too many messages',
  failed: 'it could not be run',
}

/** @import { Assessed } from '@joust/arena' */

/** From worst to best. */
export const OUTCOME_ORDER = ['exploited', 'partial', 'inconclusive', 'resisted', 'not_applicable']
/** @type {readonly string[]} */
export const SEVERITY_ORDER = severityLevels.toReversed()
/** @type {readonly string[]} */
export const TIER_ORDER = tiers.toReversed()

/**
 * A value of an enumeration in words.
 * @param {string} value
 * @returns {string}
 */
export function wordFor(value) {
  const known = Object.hasOwn(WORDS, value) ? WORDS[value] : undefined
  if (known !== undefined) return known
  const spaced = value.replaceAll('_', ' ')
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

/**
 * How far an attack got, where it got anywhere.
 * @param {Assessed} assessed
 * @returns {string | undefined}
 */
export function tierOf({ outcome, verdict }) {
  return outcome === 'exploited' || outcome === 'partial' ? verdict.max_tier : undefined
}

/**
 * Milliseconds, in three digits or so.
 * @param {number} milliseconds
 * @returns {string}
 */
export function durationText(milliseconds) {
  if (!Number.isFinite(milliseconds)) return '?'
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1000
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/**
 * A count with its noun.
 * @param {number} count
 * @param {string} noun
 * @param {string} [nouns]
 * @returns {string}
 */
export function countText(count, noun, nouns = `${noun}s`) {
  return `${numberText(count)} ${count === 1 ? noun : nouns}`
}

/**
 * A whole number with its thousands apart.
 * @param {number} value
 * @returns {string}
 */
export function numberText(value) {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f')
}

/**
 * A share from 0 to 1.
 * @param {number} share
 * @returns {string}
 */
export function percentText(share) {
  return `${Math.round(share * 1000) / 10} %`
}

/**
 * A time to the second, as UTC.
 * @param {string} iso
 * @returns {string}
 */
export function timeText(iso) {
  const time = new Date(iso)
  return Number.isNaN(time.getTime()) ? iso : `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
