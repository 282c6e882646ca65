/** The data flows of all attacks: tools that bring values by tools that they reach. */
import { flowMatrix } from '@joust/results'
import type { JSX } from 'preact'
import type { ReportRun } from './data.ts'
import { shown, shownName } from './text.tsx'
import { countText } from './words.ts'

/** The matrix of all runs together; nothing without a flow. */
export function FlowTable({ runs }: { readonly runs: readonly ReportRun[] }): JSX.Element | null {
  const { sources, sinks, trials } = flowMatrix(runs.flatMap(({ target }) => target.attacks))
  if (sources.length === 0) return null
  return (
    <details class="coverage flows">
      <summary>
        Data flows: {countText(sources.length, 'source')} by {countText(sinks.length, 'sink')}
      </summary>
      <div class="table-frame">
        <table>
          <thead>
            <tr>
              <th scope="col">Value of</th>
              {sinks.map((sink) => (
                <th key={sink} scope="col">
                  → {shown(sink)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sources.map((source, row) => (
              <tr key={source}>
                <th scope="row">{shownName(source)}</th>
                {sinks.map((sink, column) => (
                  <td key={sink}>
                    {trials[row]?.[column] ? (
                      countText(trials[row]?.[column] ?? 0, 'trial')
                    ) : (
                      <span class="muted">–</span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
