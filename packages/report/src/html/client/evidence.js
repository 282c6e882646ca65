/** The proof behind a verdict: the text that was examined, with what matched in it marked. */
import { h } from './dom.js'

/** @import { ResultIndicatorVerdict } from '@joust/arena' */

/** The longest evidence that is shown beside an indicator. */
const LONGEST = 600

/**
 * What a verdict says for itself; nothing when it says nothing.
 * @param {ResultIndicatorVerdict} verdict
 * @returns {HTMLElement | false}
 */
export function evidenceText({ match, evidence, result }) {
  if (match === undefined) {
    if (evidence === undefined || evidence === '') return false
    return h('p', { class: result === 'matched' ? 'evidence evidence-code' : 'reason' }, clipped(evidence))
  }
  const path = h('code', { class: 'path' }, match.path === '' ? 'whole message' : match.path)
  if (match.value === '')
    return h('p', { class: 'evidence' }, path, ' ', h('span', { class: 'muted' }, 'is absent or empty'))
  return h('p', { class: 'evidence' }, path, ' ', h('bdi', { class: 'quote' }, quote(match)))
}

/**
 * @param {NonNullable<ResultIndicatorVerdict['match']>} match
 * @returns {(string | HTMLElement)[]}
 */
function quote({ value, span, offset = 0 }) {
  const before = offset > 0 ? '…' : ''
  if (span === undefined) return [before, h('mark', {}, clipped(value))]
  const { start, end } = span
  return [before, value.slice(0, start), h('mark', {}, value.slice(start, end)), clipped(value.slice(end))]
}

/** @param {string} text */
function clipped(text) {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
