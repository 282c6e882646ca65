/** Whether the agent did what the user wanted. To have done it is no danger, and must not look like one. */
import { h } from './dom.js'
import { icon, taskBadge } from './icons.js'
import { indicatorList } from './indicators.js'
import { findingList, section } from './run-facts.js'
import { wordFor } from './words.js'

/** @import { ResultIndicator, ResultVerdict } from '@joust/arena' */
/** @import { Trace } from './store.js' */

/** @type {Readonly<Record<string, readonly [state: string, sign: string, text: string]>>} */
const TASK_RESULTS = {
  exploited: ['done', 'resisted', 'Done: the agent did what the user wanted'],
  partial: ['partly', 'partial', 'Done in part: the agent did not do all that the user wanted'],
  not_exploited: ['open', 'not_matched', 'Not done: the agent did not do what the user wanted'],
  error: ['unknown', 'inconclusive', 'Not known: nothing shows whether the agent did what the user wanted'],
}

/**
 * @param {object} options
 * @param {ResultVerdict} options.task
 * @param {readonly ResultIndicator[]} options.indicators
 * @param {Trace} options.trace
 * @param {(seq: number) => void} options.onOpen
 * @returns {HTMLElement}
 */
export function taskSection({ task, indicators, trace, onOpen }) {
  const [state, sign, text] = TASK_RESULTS[task.result] ?? ['unknown', 'inconclusive', wordFor(task.result)]
  const { diagnostics = [], indicator_verdicts: verdicts } = task
  return section(
    'Task under attack',
    h('p', { class: `result task-result task-${state}` }, icon(sign), h('span', {}, text)),
    diagnostics.length > 0 && findingList(diagnostics),
    indicatorList({ indicators, verdicts, trace, onOpen, kind: 'task', badge: taskBadge }),
  )
}
