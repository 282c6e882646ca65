/** The flow table, with a row per source and sink, and a button in each row to write attacks. */
import { numberText, SeverityBadge, shown } from '@joust/report/components'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { MappedFlow } from '../model/api.ts'
import { ArrowBox } from './boxes.tsx'

/** Number of rows shown initially. */
const FIRST = 20
/** Number of attacks that the button in a row writes. */
const ATTACKS = 3

export function FlowList(props: {
  readonly flows: readonly MappedFlow[]
  /** Tool to filter flows by. If undefined, all flows are shown. */
  readonly chosen: string | undefined
  readonly isBusy: boolean
  readonly onWrite: (max: number, flows: readonly string[]) => void
}): JSX.Element {
  const { flows, chosen, isBusy, onWrite } = props
  const all = useSignal(false)
  const groups = groupsOf(
    chosen === undefined ? flows : flows.filter((flow) => [flow.source, flow.private, flow.sink].includes(chosen)),
  )
  const listed = all.value ? groups : groups.slice(0, FIRST)
  return (
    <>
      <ArrowBox class="live-frame" label="Flows" row="tbody tr" cell="button">
        <table class="live-matrix" aria-label="Flows">
          <thead>
            <tr>
              <th scope="col">Flow</th>
              <th scope="col">Severity</th>
              <th scope="col">Effect</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {listed.map((group) => {
              const [first] = group
              const ids = group.map(({ id }) => id)
              return (
                <tr key={first.id}>
                  <th scope="row">
                    <code>{shown(pathText(group))}</code>
                  </th>
                  <td>
                    <SeverityBadge severity={first.severity} />
                  </td>
                  <td>{shown(first.effect)}</td>
                  <td>
                    <button
                      type="button"
                      class="repeat"
                      tabIndex={-1}
                      aria-disabled={isBusy}
                      onClick={() => onWrite(ATTACKS, ids)}
                    >
                      Write {ATTACKS} attacks
                    </button>
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </ArrowBox>
      {groups.length > listed.length && (
        <p>
          <button type="button" onClick={() => (all.value = true)}>
            Show all {numberText(groups.length)} pairs of a source and a sink
          </button>
        </p>
      )}
    </>
  )
}

type Group = readonly [MappedFlow, ...MappedFlow[]]

/** Groups flows that differ only in the private tool. */
function groupsOf(flows: readonly MappedFlow[]): Group[] {
  const groups = new Map<string, [MappedFlow, ...MappedFlow[]]>()
  for (const flow of flows) {
    const key = JSON.stringify([flow.source, flow.private === undefined, flow.sink])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [flow])
    else group.push(flow)
  }
  return [...groups.values()]
}

function pathText([{ source, private: middle, sink }, ...others]: Group): string {
  const more = others.length === 0 ? '' : ` or ${others.length} other${others.length === 1 ? '' : 's'}`
  return [source, ...(middle === undefined ? [] : [`${middle}${more}`]), sink].join(' → ')
}
