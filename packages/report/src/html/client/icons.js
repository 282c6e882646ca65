/** Signs that differ in shape, so that colour is never needed to tell them apart. */
import { h, s } from './dom.js'
import { SEVERITY_ORDER, wordFor } from './words.js'

/** @type {Readonly<Record<string, string>>} */
const PATHS = {
  // A filled octagon with a stroke through it.
  exploited: 'M5.2 1h5.6L15 5.2v5.6L10.8 15H5.2L1 10.8V5.2zM7.2 4v5h1.6V4zm0 6.4V12h1.6v-1.6z',
  // A disc, half of it filled.
  partial: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm0 1.6v10.8A5.4 5.4 0 0 0 8 2.6z',
  // A ring with a tick.
  resisted:
    'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm0 1.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM7.2 11 4.4 8.2l1.1-1.1 1.7 1.7 3.4-3.5 1.1 1.1z',
  // A square, dashed, with a question in it.
  inconclusive:
    'M1 1h4v1.5H2.500V5H1zm10 0h4v4h-1.500V2.500H11zM1 11h1.500v2.500H5V15H1zm12.500 0H15v4h-4v-1.500h2.500zM7.2 10.6h1.6v1.6H7.2zm.05-1.100C7.250 7.500 9 7.600 9 6.300c0-.6-.4-.9-1-.9-.7 0-1.100.4-1.200 1.100H5.200C5.300 4.900 6.400 4 8 4c1.600 0 2.700.9 2.700 2.200 0 1.900-1.900 1.900-1.900 3.300z',
  matched: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm-.8 10 4.500-4.600-1.100-1.100-3.400 3.500-1.700-1.700-1.100 1.100z',
  not_matched:
    'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm0 1.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11zM4.500 7.200h7v1.600h-7z',
  // Three dashes.
  not_applicable: 'M1.500 7h3v2h-3zm5 0h3v2h-3zm5 0h3v2h-3z',
  skipped: 'M1.500 7h3v2h-3zm5 0h3v2h-3zm5 0h3v2h-3z',
  warning: 'M8 1.500 15.500 14.500H.5zM7.200 6v4.200h1.600V6zm0 5.200v1.600h1.600v-1.600z',
  trigger: 'M9.500.5 3 9h3.700L6 15.500 13 6.500H8.800z',
  evidence: 'M3 1h1.500v14H3zm2.500.5h8L11.300 5l2.200 3.500h-8z',
  close:
    'm3.700 2.600 4.300 4.300 4.300-4.300 1.100 1.100L9.100 8l4.300 4.300-1.100 1.100L8 9.100l-4.300 4.300-1.100-1.100L6.900 8 2.600 3.700z',
}

/** @type {Readonly<Record<string, readonly [state: string, sign: string, word: string]>>} */
const TASK_SIGNS = {
  matched: ['done', 'resisted', 'Seen'],
  not_matched: ['open', 'not_matched', 'Not seen'],
}

/**
 * A sign; it says nothing to assistive technology, the words beside it do.
 * @param {string} name
 * @returns {SVGElement}
 */
export function icon(name) {
  const path = s('path', { d: PATHS[name === 'error' ? 'inconclusive' : name] ?? '', 'fill-rule': 'evenodd' })
  return s('svg', { class: `icon icon-${name}`, viewBox: '0 0 16 16', 'aria-hidden': 'true', focusable: 'false' }, path)
}

/**
 * An outcome, or the result of an indicator: sign and word.
 * @param {string} result
 * @param {string} [word]
 * @returns {HTMLElement}
 */
export function resultBadge(result, word = wordFor(result)) {
  return h('span', { class: `result result-${result}` }, icon(result), h('span', {}, word))
}

/**
 * What became of an indicator of the user's task: to see it is no danger.
 * @param {string} result
 * @param {string} [word]
 * @returns {HTMLElement}
 */
export function taskBadge(result, word) {
  const [state, sign, usual] = TASK_SIGNS[result] ?? ['unknown', result, wordFor(result)]
  return h('span', { class: `result task-${state}` }, icon(sign), h('span', {}, word ?? usual))
}

/**
 * A severity: as many bars as it has weight, and its word.
 * @param {string | undefined} severity
 * @returns {HTMLElement}
 */
export function severityBadge(severity) {
  if (severity === undefined) return h('span', { class: 'muted' }, '–')
  const weight = SEVERITY_ORDER.toReversed().indexOf(severity)
  const bars = [1, 2, 3, 4].map((bar) =>
    s('rect', {
      x: bar * 4 - 3,
      y: 11 - bar * 2.5,
      width: 2.6,
      height: bar * 2.5 + 1,
      class: bar <= weight ? 'on' : 'off',
    }),
  )
  const drawing = s('svg', { class: 'bars', viewBox: '0 0 17 13', 'aria-hidden': 'true', focusable: 'false' }, bars)
  return h('span', { class: `severity severity-${severity}` }, drawing, h('span', {}, wordFor(severity)))
}
