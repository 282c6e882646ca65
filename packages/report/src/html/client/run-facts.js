/** What is known of a trial beside its messages: actors, wiring, approvals, findings, times. */
import { h } from './dom.js'
import { icon } from './icons.js'
import { countText, durationText, wordFor } from './words.js'

/** @import { ActorOutcome, RunDiagnostic, Trial } from '@joust/arena' */
/** @import { TraceSummary } from './data.ts' */

/** @typedef {Pick<RunDiagnostic, 'severity' | 'code' | 'message' | 'suggestion' | 'path' | 'actor' | 'times'>} Finding */

/**
 * The sections that have something to say.
 * @param {Trial} trial
 * @param {TraceSummary | undefined} summary
 * @returns {(HTMLElement | false)[]}
 */
export function runFacts(trial, summary) {
  const { verdict, diagnostics, actors, wiring = [], approvals = [], answer, printed } = trial
  const findings = [...diagnostics, ...(verdict.diagnostics ?? [])]
  return [
    findings.length > 0 && section('Diagnostics', findingList(findings)),
    answer !== undefined && section('Answer', h('p', { class: 'quote' }, answer)),
    printed !== undefined && section('Printed', h('pre', { class: 'json', tabindex: 0 }, printed)),
    actors.length > 0 && section('Actors', actors.map(actorItem)),
    wiring.length > 0 &&
      section(
        'Wiring',
        h(
          'ul',
          { class: 'plain-list' },
          wiring.map((line) => h('li', {}, h('code', {}, line))),
        ),
      ),
    approvals.length > 0 && section('Approvals', h('ul', { class: 'plain-list' }, approvals.map(approvalItem))),
    section('Run', runItem(trial, summary)),
  ]
}

/**
 * @param {string} title
 * @param {import('./dom.js').Child[]} children
 * @returns {HTMLElement}
 */
export function section(title, ...children) {
  return h('section', { class: 'block' }, h('h2', {}, title), children)
}

/**
 * What is to be said about a run.
 * @param {readonly Finding[]} findings
 * @returns {HTMLElement}
 */
export function findingList(findings) {
  return h('ul', { class: 'findings' }, findings.map(findingItem))
}

/** @param {Finding} finding */
function findingItem({ severity, code, message, suggestion, path, actor, times }) {
  return h(
    'li',
    { class: `finding finding-${severity}` },
    icon(severity === 'error' ? 'exploited' : 'warning'),
    h(
      'div',
      {},
      h(
        'span',
        { class: 'finding-head' },
        wordFor(severity),
        ' ',
        h('code', {}, code),
        actor !== undefined && [' · ', actor],
        times !== undefined && ` · ${times} times`,
      ),
      h('div', {}, message, suggestion !== undefined && ` Did you mean "${suggestion.with}"?`),
      path !== undefined && path !== '' && h('code', { class: 'path' }, path),
    ),
  )
}

/** @param {ActorOutcome} actor */
function actorItem({ name, mode, status, address, phases, error }) {
  const visits = phases.map(({ phase, elapsed_ms, reason }, place) =>
    h(
      'li',
      {},
      h('i', { class: `swatch lane-band-${place % 3}` }),
      h('b', {}, phase),
      ' ',
      h(
        'span',
        { class: 'muted' },
        durationText(elapsed_ms),
        ' · ',
        reason === 'start' ? 'start' : reason === 'timeout' ? 'time' : 'trigger',
      ),
    ),
  )
  return h(
    'div',
    { class: 'actor' },
    h('div', {}, h('b', {}, name), ' ', h('span', { class: 'muted' }, mode, ' · ', status)),
    address !== undefined && h('code', { class: 'path' }, address),
    error !== undefined && h('p', { class: 'note' }, icon('warning'), error),
    h('ol', { class: 'phases' }, visits),
  )
}

/** @param {NonNullable<Trial['approvals']>[number]} approval */
function approvalItem({ request, approved }) {
  return h('li', {}, h('b', {}, approved ? 'Approved' : 'Refused'), ' ', h('bdi', {}, request))
}

/**
 * @param {Trial} trial
 * @param {TraceSummary | undefined} summary
 * @returns {HTMLElement}
 */
function runItem({ duration_ms, ended, exit_code, trace, verdict, usage }, summary) {
  /** @type {[string, string | undefined][]} */
  const pairs = [
    ['duration', durationText(duration_ms)],
    ['ended', wordFor(ended).toLowerCase()],
    ['exit code', exit_code === undefined ? undefined : String(exit_code)],
    ['messages', summary === undefined ? undefined : String(summary.messages)],
    ['trace', trace],
    ['model', usage === undefined ? undefined : usageText(usage)],
    ['judged by', verdict.source],
  ]
  return h(
    'dl',
    { class: 'facts' },
    pairs.map(([name, text]) => text !== undefined && h('div', {}, h('dt', {}, name), h('dd', {}, text))),
  )
}

/** @param {NonNullable<Trial['usage']>} usage */
function usageText({ calls, input_tokens, output_tokens }) {
  return `${countText(calls, 'call')}, ${countText(input_tokens + output_tokens, 'token')}`
}
