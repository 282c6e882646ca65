/** What an attack is called, what kind it is, and which of its trials is shown. */
import { h } from './dom.js'
import { icon, resultBadge, severityBadge } from './icons.js'
import { attackLink } from './router.js'
import { tierOf, wordFor } from './words.js'

/** @import { AttackResults, ResultAttack, Trial } from '@joust/arena' */
/** @import { ReportRun } from './data.ts' */
/** @import { AttackRoute } from './router.js' */

/**
 * @param {ReportRun} run
 * @param {AttackResults} results
 * @param {AttackRoute} route
 * @returns {HTMLElement}
 */
export function attackHead({ target, sent }, results, route) {
  const { attack, trials, file } = results
  const current = trials[route.trial] ?? results
  const tier = tierOf(current)
  const exposure = sent[route.attack]?.[route.trial] ?? ''
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
      h('b', {}, target.name),
    ),
    h(
      'div',
      { class: 'attack-title' },
      h('h1', { tabindex: -1 }, attack.name),
      resultBadge(current.outcome),
      tier !== undefined && h('span', { class: 'tier' }, wordFor(tier)),
    ),
    chips(attack, file),
    current.reasons.length > 0 &&
      h(
        'ul',
        { class: 'reasons' },
        current.reasons.map((reason) => h('li', {}, reason)),
      ),
    exposure !== '' && h('p', { class: 'exposure' }, `The agent ${exposure}.`),
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
  const links = trials.map(({ trial, outcome }, place) => {
    const attributes = {
      href: attackLink({ ...route, trial: place, seq: undefined }),
      class: `trial trial-${outcome}`,
      'aria-current': place === route.trial ? 'page' : undefined,
      title: `trial ${trial}: ${wordFor(outcome)}`,
    }
    return h('a', attributes, icon(outcome), h('span', {}, trial))
  })
  return h('nav', { class: 'trials', 'aria-label': 'Trials' }, h('span', { class: 'muted' }, 'Trial'), links)
}
