/** A document as a picture: an attack as lanes and bands, an agent as a graph. Clicking a part shows it in the text. */
import type { AgentPicture, AttackPicture, Band, Lane } from '@joust/language'
import { plainText, shown, shownName } from '@joust/report/components'
import type { JSX } from 'preact'
import { AgentGraph } from './agent-graph.tsx'

/** How a picture and its text follow each other. */
interface Following {
  readonly cursor: number
  readonly onGo: (offset: number) => void
}

export function Picture(
  props: Following & { readonly picture: AttackPicture | AgentPicture; readonly onFile: (file: string) => void },
): JSX.Element {
  const { picture, ...rest } = props
  return picture.kind === 'attack' ? <Attack picture={picture} {...rest} /> : <AgentGraph picture={picture} {...rest} />
}

function Attack({ picture, cursor, onGo }: Following & { readonly picture: AttackPicture }): JSX.Element {
  const { title, lanes, indicators, flows } = picture
  return (
    <section class="picture" aria-label="The attack as a picture">
      <h2>{shownName(title)}</h2>
      {lanes.length === 0 && <p class="muted">No actors yet: give “execution” a mode, or actors.</p>}
      <div class="picture-lanes">
        {lanes.map((lane, place) => (
          <LaneView
            key={place}
            {...{ lane, cursor, onGo }}
            flowsTo={(band) => flows.filter(({ to }) => to.lane === place && to.band === band).map(({ name }) => name)}
          />
        ))}
      </div>
      <h3>Indicators</h3>
      {indicators.length === 0 && <p class="muted">None: nothing can be said about an agent without them.</p>}
      <ul class="picture-indicators">
        {indicators.map(({ label, range, actor, surface, target, tier }) => (
          <li key={`${label} ${range.start}`}>
            <button type="button" aria-current={isIn(cursor, range)} onClick={() => onGo(range.start)}>
              <b>⚑ {shown(label)}</b>{' '}
              {tier !== undefined && <span class="tier">{shown(tier.replaceAll('_', ' '))}</span>}
              <span class="muted">
                {shown([actor, surface, target].filter((one) => one !== undefined).join(' · '))}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function LaneView(
  props: Following & { readonly lane: Lane; readonly flowsTo: (band: number) => readonly string[] },
): JSX.Element {
  const { lane, cursor, onGo, flowsTo } = props
  return (
    <div class="picture-lane">
      <button type="button" class="plain picture-actor" onClick={() => onGo(lane.range.start)}>
        <b>{shown(lane.actor || 'actor')}</b> <span class="muted">{shown(lane.mode)}</span>
      </button>
      <ol>
        {lane.bands.map((band, place) => (
          <li key={place}>
            <BandView {...{ band, cursor, onGo }} ordinal={place} uses={flowsTo(place)} />
          </li>
        ))}
      </ol>
    </div>
  )
}

function BandView(
  props: Following & { readonly band: Band; readonly ordinal: number; readonly uses: readonly string[] },
): JSX.Element {
  const { band, ordinal, cursor, uses, onGo } = props
  const { name, range, trigger, state, sends, extractors, baits } = band
  const facts: readonly (readonly [string, readonly string[]])[] = [
    ['has', state],
    ['sends', sends],
    ['takes', extractors],
    ['uses', uses],
  ]
  return (
    <>
      <button
        type="button"
        class={`band band-${ordinal % 3}`}
        aria-current={isIn(cursor, range)}
        onClick={() => onGo(range.start)}
      >
        <b>{shown(name)}</b>
        {facts
          .filter(([, names]) => names.length > 0)
          .map(([word, names]) => (
            <span key={word} class="muted">
              {word} {shown(names.join(', '))}
            </span>
          ))}
      </button>
      {baits.map((bait) => (
        <button
          type="button"
          key={bait.path}
          class="bait"
          onClick={() => onGo(bait.range.start)}
          title={plainText(bait.path)}
        >
          ◆ bait
        </button>
      ))}
      {trigger !== undefined && (
        <button type="button" class="plain trigger" onClick={() => onGo(trigger.range.start)}>
          <svg viewBox="0 0 12 26" aria-hidden="true" focusable="false">
            <path d="M6 0V25M1.5 19 6 25l4.5-6" />
          </svg>
          <span>{shown(trigger.label)}</span>
        </button>
      )}
    </>
  )
}

function isIn(cursor: number, { start, end }: { readonly start: number; readonly end: number }): boolean {
  return cursor >= start && cursor < end
}
