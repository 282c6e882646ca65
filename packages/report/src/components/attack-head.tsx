/** The header of an attack: name, outcome, reasons, and links to its trials. */
import { type AttackResults, type ResultAttack, runsOf, type Trial } from '@joust/results'
import { splitBlock } from '@joust/source'
import type { JSX } from 'preact'
import { Icon, Note, ResultBadge, SeverityBadge } from './icons.tsx'
import { plainText, shown, shownName } from './text.tsx'
import { wordFor } from './words.ts'

export function AttackHead(props: {
  readonly attack: AttackResults
  readonly targetName: string
  readonly trial: number
  readonly overview: string
  readonly linkToTrial: (trial: number) => string
}): JSX.Element {
  const { attack: results, targetName, trial, overview, linkToTrial } = props
  const { attack, trials, placebo_trials: placebo = [], file } = results
  const current = runsOf(results)[trial] ?? results
  const tier = current.tier
  const isPlacebo = trial >= trials.length && trial < trials.length + placebo.length
  return (
    <header class="attack-head">
      <p class="crumbs">
        <a href={overview}>All attacks</a> / {shownName(attack.id ?? file)} on <b>{shown(targetName)}</b>
      </p>
      <div class="attack-title">
        <h1 tabIndex={-1}>{shown(attack.name)}</h1>
        <p class="attack-outcome">
          {isPlacebo && <span>Without the bait:</span>}
          <ResultBadge result={current.outcome} />
          {tier !== undefined && <span class="tier">{wordFor(tier)}</span>}
          {current.reasons.length > 0 && (
            <span class="reasons">{shown(current.reasons.map((reason) => splitBlock(reason)[0]).join('; '))}</span>
          )}
        </p>
      </div>
      <Chips attack={attack} file={file} />
      {attack.description !== undefined && <p class="description">{shown(attack.description)}</p>}
      {attack.remediation !== undefined && (
        <p class="description">
          <b>What to change:</b> {shown(attack.remediation)}
        </p>
      )}
      {trials.length + placebo.length > 1 && (
        <TrialLinks name="Trial" runs={trials} first={0} current={trial} linkTo={linkToTrial} />
      )}
      {placebo.length > 0 && (
        <TrialLinks name="Without the bait" runs={placebo} first={trials.length} current={trial} linkTo={linkToTrial} />
      )}
      {isPlacebo && <Note>In this run, a harmless text replaces the bait.</Note>}
    </header>
  )
}

/** Links to the runs of an arm. `first` is the index of the arm's first run among all runs of the attack. */
function TrialLinks(props: {
  readonly name: string
  readonly runs: readonly Trial[]
  readonly first: number
  readonly current: number
  readonly linkTo: (trial: number) => string
}): JSX.Element {
  const { name, runs, first, current, linkTo } = props
  return (
    <nav class="trials" aria-label={`${name}: runs`}>
      <span class="muted">{name}</span>
      {runs.map(({ trial, outcome }, place) => (
        <a
          key={trial}
          href={linkTo(first + place)}
          class={`trial trial-${outcome}`}
          aria-current={first + place === current ? 'page' : undefined}
          title={`${name.toLowerCase()} ${trial}: ${wordFor(outcome)}`}
        >
          <Icon name={outcome} />
          <span>{trial}</span>
        </a>
      ))}
    </nav>
  )
}

function Chips({ attack, file }: { readonly attack: ResultAttack; readonly file: string }): JSX.Element {
  const { severity, category, protocols, mappings = [], tags = [] } = attack
  return (
    <ul class="chips">
      <li>
        <SeverityBadge severity={severity} />
      </li>
      {category !== undefined && <li>{wordFor(category)}</li>}
      <li>{shown(protocols.map(wordFor).join(', '))}</li>
      {mappings.map(({ framework, id, name }) => (
        <li key={`${framework} ${id}`} title={plainText(name ?? '')}>
          {shown(`${framework} ${id}`)}
        </li>
      ))}
      {tags.map((tag) => (
        <li key={tag} class="muted">
          {shown(tag)}
        </li>
      ))}
      <li class="muted">{shown(file)}</li>
    </ul>
  )
}
