/** One attack, one trial: why the outcome is what it is, the sequence, and the message that is open. */
import { attackHead } from './attack-head.js'
import { h } from './dom.js'
import { icon } from './icons.js'
import { indicatorList } from './indicators.js'
import { drawMessage } from './message.js'
import { runFacts, section } from './run-facts.js'
import { createSequence } from './sequence.js'
import { statisticsBlock } from './statistics.js'
import { readTraceBlock } from './store.js'
import { taskSection } from './task.js'
import { countText } from './words.js'

/** @import { AttackResults, ResultIndicatorVerdict, Trial } from '@joust/arena' */
/** @import { ReportRun, TraceSummary } from './data.ts' */
/** @import { AttackRoute } from './router.js' */

/**
 * @typedef {object} AttackView
 * @property {HTMLElement} element
 * @property {(seq: number | undefined) => void} show opens a message, or closes the one that is open
 */

/**
 * @param {ReportRun} run
 * @param {AttackRoute} route
 * @param {(route: AttackRoute, replace?: boolean) => void} go
 * @returns {AttackView}
 */
export function createAttack(run, route, go) {
  const attack = /** @type {AttackResults} */ (run.target.attacks[route.attack])
  const trial = attack.trials[route.trial]
  const summary = run.traces[route.attack]?.[route.trial]
  const statistics = run.statistics[route.attack]
  const head = attackHead(run, attack, route)
  if (trial === undefined || summary === undefined) {
    const none = h('p', { class: 'note' }, icon('warning'), 'No trial of this attack was run.')
    return { element: h('div', { class: 'attack' }, head, none), show: () => {} }
  }
  const trace = readTraceBlock(summary.block)
  const verdicts = trial.verdict.indicator_verdicts
  const places = new Map(trace.index.seq.map((seq, place) => [seq, place]))
  const open = (/** @type {number | undefined} */ seq) => go({ ...route, seq }, shown !== undefined)
  /** @type {number | undefined} */
  let shown
  const agent = run.target.name
  const sequence = createSequence({
    trace,
    actors: trial.actors,
    agent,
    clientModes: run.clientModes,
    evidence: evidenceByPlace(verdicts, places),
    onOpen: (place) => open(trace.index.seq[place]),
    isOpen: () => shown !== undefined,
  })
  const indicators = indicatorList({ indicators: attack.attack.indicators, verdicts, trace, onOpen: open })
  const why = h(
    'div',
    { class: 'why', tabindex: -1 },
    statistics !== undefined && attack.trials.length > 1 && section('Trials', statisticsBlock(statistics)),
    section('Indicators', indicators),
    trial.task !== undefined &&
      taskSection({ task: trial.task, indicators: attack.attack.task ?? [], trace, onOpen: open }),
    runFacts(trial, summary),
  )
  const panel = h('aside', { class: 'message', 'aria-labelledby': 'message-title', tabindex: -1, hidden: true })
  const body = h('div', { class: 'attack-body' }, why, sequence.element, panel)
  return {
    element: h('div', { class: 'attack' }, head, cutNote(trial, summary), body),
    show(seq) {
      const place = seq === undefined ? undefined : places.get(seq)
      const wasOpen = shown !== undefined
      shown = place === undefined ? undefined : seq
      panel.hidden = place === undefined
      body.classList.toggle('with-message', place !== undefined)
      if (place === undefined) {
        if (wasOpen) sequence.focus()
        return
      }
      const decidedHere = (/** @type {readonly ResultIndicatorVerdict[]} */ all) =>
        all.filter(({ entry }) => entry?.seq === seq)
      const decided = decidedHere(verdicts)
      const done = decidedHere(trial.task?.indicator_verdicts ?? [])
      drawMessage({ panel, trace, place, agent, verdicts: decided, done, onClose: () => open(undefined) })
      sequence.select(place)
      // There the message covers everything else.
      if (matchMedia('(max-width: 900px)').matches) panel.focus()
    },
  }
}

/**
 * @param {readonly ResultIndicatorVerdict[]} verdicts
 * @param {ReadonlyMap<number, number>} places
 * @returns {Map<number, string[]>}
 */
function evidenceByPlace(verdicts, places) {
  /** @type {Map<number, string[]>} */
  const evidence = new Map()
  for (const { result, entry, indicator_id } of verdicts) {
    const place = entry === undefined ? undefined : places.get(entry.seq)
    if (place !== undefined && result === 'matched') evidence.set(place, [...(evidence.get(place) ?? []), indicator_id])
  }
  return evidence
}

/**
 * What is not in the report, said where it cannot be overlooked.
 * @param {Trial} trial
 * @param {TraceSummary} summary
 * @returns {(HTMLElement | false)[]}
 */
function cutNote({ trace }, { leftOut, shortened, fault }) {
  return [
    leftOut > 0 &&
      h(
        'p',
        { class: 'note' },
        icon('warning'),
        h(
          'span',
          {},
          `${countText(leftOut, 'message')} of this trace left out to bound the size of the report; those that decided an indicator are all here. The whole trace is in `,
          h('code', {}, trace),
          '.',
        ),
      ),
    shortened > 0 &&
      h(
        'p',
        { class: 'note' },
        icon('warning'),
        h(
          'span',
          {},
          `${countText(shortened, 'message')} shortened: only the beginning is in the report. All of it is in `,
          h('code', {}, trace),
          '.',
        ),
      ),
    fault !== undefined &&
      h('p', { class: 'note note-error' }, icon('warning'), h('span', {}, `The trace could not be read: ${fault}`)),
  ]
}
