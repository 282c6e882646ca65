/** What an attack is called, what kind it is, and which of its trials is shown. */
import { h } from './dom.js'
import { icon, resultBadge, severityBadge } from './icons.js'
import { attackLink } from './router.js'
import { wordFor } from './words.js'

/** @import { AttackResults, ResultAttack, Trial } from '@joust/arena' */
/** @import { ReportRun } from './data.ts' */
/** @import { AttackRoute } from './router.js' */

/**
 * @param {ReportRun} run
 * @param {AttackResults} results
 * @param {AttackRoute} route
 * @returns {HTMLElement}
 */
export function attackHead({ results }, { attack, verdict, trials, file }, route) {
  const current = trials[route.trial]?.verdict ?? verdict
  const tier = current.max_tier
  return h(
    'header',
    { class: 'attack-head' },
    h(
      'p',
      { class: 'crumbs' },
      h('a', { href: '#/' }, 'All attacks'),
      ' / ',
      h('bdi', {}, attack.id ?? file),
      ' on ',
      h('b', {}, results.target.name),
    ),
    h(
      'div',
      { class: 'attack-title' },
      h('h1', { tabindex: -1 }, attack.name),
      resultBadge(current.result),
      tier !== undefined && h('span', { class: 'tier' }, wordFor(tier)),
    ),
    chips(attack, file),
    attack.description !== undefined && h('p', { class: 'description' }, attack.description),
    trials.length > 1 && trialLinks(trials, route),
    h('button', { type: 'button', class: 'jump', onclick: showSequence }, 'To the sequence'),
  )
}

/** On a narrow screen the sequence is far below. */
function showSequence() {
  document.querySelector('.sequence')?.scrollIntoView()
}

/**
 * @param {ResultAttack} attack
 * @param {string} file
 * @returns {HTMLElement}
 */
function chips({ severity, category, protocols, mappings = [], tags = [] }, file) {
  return h(
    'ul',
    { class: 'chips' },
    h('li', {}, severityBadge(severity)),
    category !== undefined && h('li', {}, wordFor(category)),
    protocols.map((protocol) => h('li', {}, wordFor(protocol))),
    mappings.map(({ framework, id, name }) => h('li', { title: name ?? '' }, `${framework} ${id}`)),
    tags.map((tag) => h('li', { class: 'muted' }, tag)),
    h('li', { class: 'muted' }, file),
  )
}

/**
 * @param {readonly Trial[]} trials
 * @param {AttackRoute} route
 * @returns {HTMLElement}
 */
function trialLinks(trials, route) {
  const links = trials.map(({ trial, verdict: { result } }, place) => {
    const attributes = {
      href: attackLink({ ...route, trial: place, seq: undefined }),
      class: `trial trial-${result}`,
      'aria-current': place === route.trial ? 'page' : undefined,
      title: `trial ${trial}: ${wordFor(result)}`,
    }
    return h('a', attributes, icon(result), h('span', {}, trial))
  })
  return h('nav', { class: 'trials', 'aria-label': 'Trials' }, h('span', { class: 'muted' }, 'Trial'), links)
}
