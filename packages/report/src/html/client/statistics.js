/** What several trials say together: a rate, how sure it is, and a square per trial. */
import { h, s } from './dom.js'
import { resultBadge } from './icons.js'
import { countText, percentText, wordFor } from './words.js'

/** @import { AttackResults, AttackStatistics, Proportion } from '@joust/arena' */

/** Squares that are drawn; more are told as a number. */
const SQUARES = 40

/**
 * A square per trial, shaped and coloured by its outcome.
 * @param {AttackResults} attack
 * @returns {HTMLElement | false}
 */
export function trialStrip({ trials }) {
  if (trials.length < 2) return false
  const shown = trials.slice(0, SQUARES)
  const squares = shown.map(({ outcome, trial }) =>
    h('i', { class: `square square-${outcome}`, title: `trial ${trial}: ${wordFor(outcome)}` }),
  )
  return h(
    'span',
    { class: 'strip', 'aria-hidden': 'true' },
    squares,
    trials.length > SQUARES && `+${trials.length - SQUARES}`,
  )
}

/**
 * How often an attack got through, in a few words.
 * @param {AttackStatistics | undefined} statistics
 * @returns {string}
 */
export function rateText(statistics) {
  if (statistics === undefined || statistics.counts.total < 2) return ''
  return `${statistics.counts.exploited}/${statistics.judged}${statistics.flaky ? ' · flaky' : ''}`
}

/**
 * The figures of an attack, with the interval drawn.
 * @param {AttackStatistics} statistics
 * @returns {HTMLElement}
 */
export function statisticsBlock({ counts, success, passHat, flaky, utility }) {
  const k = passHat.length
  return h(
    'div',
    { class: 'statistics' },
    success === undefined
      ? h('p', {}, 'No trial says anything about the agent.')
      : proportionBlock(success, 'of the trials got through'),
    counts.partial > 0 &&
      h('p', {}, resultBadge('partial', `${countText(counts.partial, 'trial')} got through in part`)),
    counts.inconclusive > 0 &&
      h('p', {}, resultBadge('inconclusive', `${countText(counts.inconclusive, 'trial')} inconclusive, not counted`)),
    counts.not_applicable > 0 &&
      h(
        'p',
        {},
        resultBadge('not_applicable', `${countText(counts.not_applicable, 'trial')} not applicable, not counted`),
      ),
    flaky && h('p', {}, resultBadge('partial', 'Flaky: the trials disagree')),
    k > 1 &&
      h('p', { class: 'muted' }, `${k} runs in a row all resist with probability ${percentText(passHat[k - 1] ?? 0)}`),
    utility !== undefined && h('div', { class: 'utility' }, proportionBlock(utility, 'did what the user wanted')),
  )
}

/**
 * A rate in words and as a drawing.
 * @param {Proportion} proportion
 * @param {string} words
 * @returns {HTMLElement}
 */
export function proportionBlock({ hits, of, rate, low, high }, words) {
  const interval = `${percentText(low)} to ${percentText(high)}`
  return h(
    'div',
    { class: 'proportion' },
    h('p', { class: 'rate' }, h('b', {}, percentText(rate)), ` ${words}: ${hits} of ${of}`),
    intervalDrawing(rate, low, high),
    h('p', { class: 'muted' }, `95 % interval: ${interval}`),
  )
}

/**
 * @param {number} rate
 * @param {number} low
 * @param {number} high
 * @returns {SVGElement}
 */
function intervalDrawing(rate, low, high) {
  return s(
    'svg',
    { class: 'interval', viewBox: '0 0 200 14', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    s('rect', { class: 'interval-all', x: 0, y: 6, width: 200, height: 2 }),
    s('rect', { class: 'interval-range', x: low * 200, y: 4, width: Math.max(1, (high - low) * 200), height: 6 }),
    s('rect', { class: 'interval-rate', x: Math.min(198, rate * 200), y: 0, width: 2, height: 14 }),
  )
}
