/** The message that was opened: what it says, as text, with the evidence marked in it. */
import { fill, h } from './dom.js'
import { evidenceText } from './evidence.js'
import { FLAG_OUT, FLAG_RESPONSE } from './flags.js'
import { icon, resultBadge, taskBadge } from './icons.js'
import { jsonLines } from './json-lines.js'
import { contentOf } from './store.js'
import { countText, durationText, numberText } from './words.js'

/** @import { ResultIndicatorVerdict } from '@joust/arena' */
/** @import { Bounds, Mark } from './json-lines.js' */
/** @import { Trace } from './store.js' */

const FIRST_BOUNDS = { lines: 1500, characters: 6000 }
const LAST_BOUNDS = { lines: 30_000, characters: 400_000 }

/**
 * Draws a message.
 * @param {object} options
 * @param {HTMLElement} options.panel
 * @param {Trace} options.trace
 * @param {number} options.place
 * @param {string} options.agent
 * @param {readonly ResultIndicatorVerdict[]} options.verdicts those that this message decided
 * @param {readonly ResultIndicatorVerdict[]} options.done those of the task
 * @param {() => void} options.onClose
 */
export function drawMessage({ panel, trace, place, agent, verdicts, done, onClose }) {
  const { index } = trace
  const flags = index.flags[place] ?? 0
  const surface = index.strings[index.surface[place] ?? -1] ?? ''
  const close = h(
    'button',
    { type: 'button', class: 'plain', 'aria-label': 'Close the message', onclick: onClose },
    icon('close'),
  )
  const kind = (flags & FLAG_RESPONSE) === 0 ? 'request' : 'response'
  const title = h(
    'h2',
    { id: 'message-title' },
    h('span', { class: 'number' }, `#${index.seq[place]}`),
    surface || 'unreadable',
    ' ',
    h('span', { class: 'muted' }, kind),
  )
  const reason = index.malformed[place]
  const body = h('div', { class: 'message-text' })
  fill(
    panel,
    h('header', {}, title, close),
    facts(trace, place, agent, (flags & FLAG_OUT) !== 0),
    reason !== undefined &&
      h('p', { class: 'note' }, icon('warning'), `Could not be read: ${reason}. What follows is its raw text.`),
    verdicts.map((verdict) => proofOf(verdict, resultBadge)),
    done.map((verdict) => proofOf(verdict, taskBadge)),
    body,
  )
  const { value, cut } = contentOf(trace, place)
  const draw = (/** @type {Bounds} */ bounds) =>
    drawContent(body, value, cut ? undefined : marksOf([...verdicts, ...done]), bounds, draw)
  if (cut) body.before(h('p', { class: 'note' }, icon('warning'), shortenedText(trace, place, value)))
  draw(FIRST_BOUNDS)
  panel.scrollTop = 0
}

/**
 * @param {Trace} trace
 * @param {number} place
 * @param {string} agent
 * @param {boolean} out
 * @returns {HTMLElement}
 */
function facts({ index }, place, agent, out) {
  const sender = index.actors[index.actor[place] ?? -1]
  const [from, to] = out ? [sender?.name, agent] : [agent, sender?.name]
  const elapsed = index.elapsed[place] ?? 0
  const began = index.began === undefined ? Number.NaN : Date.parse(index.began)
  const at = Number.isNaN(began) ? '' : new Date(began + elapsed).toISOString()
  const session = index.session[place]
  /** @type {[string, string | undefined][]} */
  const pairs = [
    ['way', `${from ?? '?'} → ${to ?? '?'}`],
    ['phase', index.strings[index.phase[place] ?? -1]],
    ['time', `${durationText(elapsed)} after the start${at === '' ? '' : `, ${at}`}`],
    ['session', session],
  ]
  return h(
    'dl',
    { class: 'facts' },
    pairs.map(
      ([name, text]) => text !== undefined && text !== '' && h('div', {}, h('dt', {}, name), h('dd', {}, text)),
    ),
  )
}

/**
 * What an indicator found here.
 * @param {ResultIndicatorVerdict} verdict
 * @param {(result: string, word: string) => HTMLElement} badge
 * @returns {HTMLElement}
 */
function proofOf(verdict, badge) {
  return h('div', { class: 'proof' }, badge(verdict.result, verdict.indicator_id), evidenceText(verdict))
}

/**
 * Where the evidence is in a content; spans are counted in the whole text.
 * @param {readonly ResultIndicatorVerdict[]} verdicts
 * @returns {Mark[]}
 */
function marksOf(verdicts) {
  return verdicts.flatMap(({ result, match }) => {
    if (result !== 'matched' || match === undefined) return []
    const { path, span, offset = 0 } = match
    return span === undefined ? [{ path }] : [{ path, from: offset + span.start, to: offset + span.end }]
  })
}

/**
 * @param {HTMLElement} body
 * @param {unknown} value
 * @param {Mark[] | undefined} marks undefined for the beginning of a text that was cut
 * @param {Bounds} bounds
 * @param {(bounds: Bounds) => void} again
 */
function drawContent(body, value, marks, bounds, again) {
  if (marks === undefined)
    return fill(body, h('pre', { class: 'json', tabindex: 0 }, String(value).slice(0, LAST_BOUNDS.characters)))
  const { lines, cut, marked } = jsonLines(value, marks, bounds)
  const text = lines.map(({ indent, pieces }) => {
    const line = h(
      'div',
      { class: 'json-line' },
      pieces.map(({ text, kind, mark }) => h(mark === true ? 'mark' : 'span', { class: `json-${kind}` }, text)),
    )
    line.style.paddingLeft = `${Math.min(indent, 24) * 2 + 2}ch`
    return line
  })
  const more = h('button', { type: 'button', onclick: () => again(LAST_BOUNDS) }, 'Show more of it')
  const beyond = cut && marked < marks.length
  fill(
    body,
    beyond && h('p', { class: 'note' }, icon('warning'), 'What matched lies further down than is shown.'),
    h('div', { class: 'json', tabindex: 0, role: 'region', 'aria-label': 'Content as JSON' }, text),
    cut && bounds !== LAST_BOUNDS && more,
    cut && bounds === LAST_BOUNDS && h('p', { class: 'note' }, 'The rest is too long to be shown; the trace has it.'),
  )
  body.querySelector('mark')?.scrollIntoView({ block: 'center' })
}

/**
 * @param {Trace} trace
 * @param {number} place
 * @param {unknown} value
 * @returns {string}
 */
function shortenedText({ index }, place, value) {
  return `Shortened: the report holds the first ${numberText(String(value).length)} of ${countText(index.characters[place] ?? 0, 'character')}.`
}
