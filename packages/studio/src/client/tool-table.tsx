/** The tools of a map, their labels, which can be corrected, and the reasons for the labels. */
import { shown } from '@joust/report/components'
import type { JSX } from 'preact'
import type { MappedTool } from '../model/api.ts'
import { ArrowBox, useSearch } from './boxes.tsx'

const labels = ['source', 'private', 'sink'] as const

/** Maximum number of rows. Further tools can be found with the search field. */
const FIRST = 200

export function ToolTable(props: {
  readonly tools: readonly MappedTool[]
  readonly isBusy: boolean
  readonly onLabels: (name: string, labels: readonly string[]) => void
}): JSX.Element {
  const { tools, isBusy, onLabels } = props
  const { box, finds } = useSearch('Find a tool')
  const matches = tools.filter(({ name }) => finds(name))
  return (
    <>
      <div class="attack-tools">
        {box}
        <span class="muted">Changes are saved in joust.yaml.</span>
      </div>
      <ArrowBox class="live-frame" label="Tools" row="tbody tr" cell="input">
        <table class="live-matrix" aria-label="Tools">
          <thead>
            <tr>
              <th scope="col">Tool</th>
              <th scope="col">Labels</th>
              <th scope="col">Reasons</th>
            </tr>
          </thead>
          <tbody>
            {matches.slice(0, FIRST).map((tool) => (
              <tr key={tool.name}>
                <th scope="row">
                  <code>{shown(tool.name)}</code>
                </th>
                <td>
                  {labels.map((label) => (
                    <label key={label}>
                      <input
                        type="checkbox"
                        tabIndex={-1}
                        disabled={isBusy}
                        checked={tool.labels.some((one) => one.label === label)}
                        onChange={({ currentTarget }) =>
                          onLabels(tool.name, labelsWith(tool, label, currentTarget.checked))
                        }
                      />
                      {label}
                    </label>
                  ))}
                </td>
                <td>{shown([...new Set(tool.labels.flatMap(({ reasons }) => reasons))].join('; '))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ArrowBox>
      {matches.length > FIRST && <p class="muted">… and {matches.length - FIRST} more: use the search to see them</p>}
    </>
  )
}

function labelsWith({ labels: before }: MappedTool, label: string, isOn: boolean): string[] {
  const rest = before.map((one) => one.label).filter((one) => one !== label)
  return isOn ? [...rest, label] : rest
}
