/** Data flows: a list for one trial, and a matrix of sources and sinks for all attacks. */
import { type Flow, flowMatrix, flowText } from '@joust/results'
import { cut } from '@joust/source'
import type { JSX } from 'preact'
import { ScrollBox } from './boxes.tsx'
import type { ReportRun } from './data.ts'
import { Block } from './run-facts.tsx'
import { shown, shownName } from './text.tsx'
import { countText } from './words.ts'

/** Maximum length of a displayed value in characters. */
const SHOWN_VALUE = 80

/** The flows of a trial, with links to their messages. Omitted if the trial has no flows. */
export function DataFlows(props: {
  readonly flows: readonly Flow[] | undefined
  readonly onOpen: (seq: number) => void
}): JSX.Element {
  const { flows = [], onOpen } = props
  return (
    <Block title="Data flows" isEmpty={flows.length === 0}>
      <ul class="plain-list data-flows">
        {flows.map((flow, place) => (
          <li key={place}>
            {shown(flowText(flow))} <code>{shown(cut(flow.text, SHOWN_VALUE))}</code>
            <span class="flow-ends">
              <MessageButton seq={flow.from.seq} onOpen={onOpen} /> →{' '}
              <MessageButton seq={flow.to.seq} onOpen={onOpen} />
            </span>
          </li>
        ))}
      </ul>
    </Block>
  )
}

/** The flows that start or end at the open message, each with a link to the other end. */
export function FlowsOfMessage(props: {
  readonly flows: readonly Flow[]
  readonly seq: number
  readonly onOpen: (seq: number) => void
}): JSX.Element {
  const { flows, seq, onOpen } = props
  return (
    <>
      {flows
        .filter(({ from, to }) => from.seq === seq || to.seq === seq)
        .map((flow, place) => {
          const isSink = flow.to.seq === seq
          return (
            <p class="proof" key={place}>
              Data flow: {shown(flowText(flow))}, {isSink ? 'from' : 'to'}{' '}
              <MessageButton seq={isSink ? flow.from.seq : flow.to.seq} onOpen={onOpen} />
            </p>
          )
        })}
    </>
  )
}

function MessageButton({ seq, onOpen }: { readonly seq: number; readonly onOpen: (seq: number) => void }): JSX.Element {
  return (
    <button type="button" class="plain link" onClick={() => onOpen(seq)}>
      message {seq}
    </button>
  )
}

/** The combined flow matrix of all runs. Omitted if there are no flows. */
export function FlowTable({ runs }: { readonly runs: readonly ReportRun[] }): JSX.Element | null {
  const { sources, sinks, trials } = flowMatrix(runs.flatMap(({ target }) => target.attacks))
  if (sources.length === 0) return null
  return (
    <details class="coverage flows">
      <summary>
        Data flows: {countText(sources.length, 'source')} by {countText(sinks.length, 'sink')}
      </summary>
      <ScrollBox class="table-frame" aria-label="Data flows">
        <table>
          <thead>
            <tr>
              <th scope="col">Value from</th>
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
      </ScrollBox>
    </details>
  )
}
