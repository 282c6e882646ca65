/** The head of an attack: name, outcome, reasons, and links to its trials. */
import type { AttackResults, ResultAttack } from '@joust/results'
import { splitBlock } from '@joust/source'
import type { JSX } from 'preact'
import { Icon, ResultBadge, SeverityBadge } from './icons.tsx'
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
  const { attack, trials, file } = results
  const current = trials[trial] ?? results
  const tier = current.tier
  return (
    <header class="attack-head">
      <p class="crumbs">
        <a href={overview}>All attacks</a> / {shownName(attack.id ?? file)} on <b>{shown(targetName)}</b>
      </p>
      <div class="attack-title">
        <h1 tabIndex={-1}>{shown(attack.name)}</h1>
        <p class="attack-outcome">
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
      {trials.length > 1 && (
        <nav class="trials" aria-label="Trials">
          <span class="muted">Trial</span>
          {trials.map((one, place) => (
            <a
              key={one.trial}
              href={linkToTrial(place)}
              class={`trial trial-${one.outcome}`}
              aria-current={place === trial ? 'page' : undefined}
              title={`trial ${one.trial}: ${wordFor(one.outcome)}`}
            >
              <Icon name={one.outcome} />
              <span>{one.trial}</span>
            </a>
          ))}
        </nav>
      )}
    </header>
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
