/** Coverage tables: the outcomes of attacks by technique and protocol. */
import { type Counts, coverageOf, outcomes } from '@joust/results'
import type { JSX } from 'preact'
import { ScrollBox } from './boxes.tsx'
import type { ReportRun } from './data.ts'
import { Icon } from './icons.tsx'
import { shown, shownName } from './text.tsx'
import { countText, wordFor } from './words.ts'

export function CoverageTable({ runs }: { readonly runs: readonly ReportRun[] }): JSX.Element | null {
  const { techniques, protocols, unmapped } = coverageOf({ attacks: runs.flatMap(({ target }) => target.attacks) })
  if (techniques.length === 0) return null
  return (
    <details class="coverage">
      <summary>
        Coverage: {countText(techniques.length, 'technique')} by {countText(protocols.length, 'protocol')}
      </summary>
      <ScrollBox class="table-frame" aria-label="Coverage">
        <table>
          <thead>
            <tr>
              <th scope="col">Technique</th>
              {protocols.map((protocol) => (
                <th key={protocol} scope="col">
                  {shown(wordFor(protocol))}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {techniques.map(({ framework, id, name, protocols: cells }) => (
              <tr key={`${framework} ${id}`}>
                <th scope="row">
                  <span class="muted">{shown(framework)}</span> {shownName(id)}{' '}
                  <span class="muted">{shown(name ?? '')}</span>
                </th>
                {protocols.map((protocol) => (
                  <td key={protocol}>
                    <CountsCell counts={cells.find((cell) => cell.protocol === protocol)?.attacks} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {unmapped.length > 0 && <p class="muted">{countText(new Set(unmapped).size, 'attack')} without a technique</p>}
    </details>
  )
}

function CountsCell({ counts }: { readonly counts: Counts | undefined }): JSX.Element {
  if (counts === undefined) return <span class="muted">–</span>
  return (
    <>
      {outcomes
        .filter((outcome) => counts[outcome] > 0)
        .map((outcome) => (
          <span key={outcome} class={`result result-${outcome}`} title={wordFor(outcome)}>
            <Icon name={outcome} />
            <span>
              {counts[outcome]}
              <span class="visually-hidden"> {wordFor(outcome)}</span>
            </span>
          </span>
        ))}
    </>
  )
}
