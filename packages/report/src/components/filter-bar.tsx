/** The filters above the matrix. */
import { outcomes, stopperOf, stoppers } from '@joust/results'
import type { ComponentChildren, JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { SearchBox } from './boxes.tsx'
import { Icon, SeverityBadge } from './icons.tsx'
import { attacksOf, type Filter, type Row } from './matrix-rows.ts'
import { plainText } from './text.tsx'
import { SEVERITY_ORDER, TIER_ORDER, wordFor } from './words.ts'

export function FilterBar(props: {
  readonly rows: readonly Row[]
  readonly names: readonly string[]
  readonly filter: Filter
  readonly onFilter: (filter: Filter) => void
}): JSX.Element {
  const { rows, names, filter, onFilter } = props
  const counts = useMemo(() => countsIn(rows, names, filter.target), [rows, names, filter.target])
  const change = (changes: Partial<Filter>) => onFilter({ ...filter, ...changes })
  return (
    <search class="filters" aria-label="Filters">
      <div>
        <SearchBox label="Search attacks" text={filter.text} onText={(text) => change({ text })} shortcut="/" />
        <Choice
          field="target"
          counts={counts.targets}
          value={filter.target}
          onChoose={change}
          wordOf={(run) => plainText(names[Number(run)] ?? '')}
        />
        <Choice field="category" counts={counts.categories} value={filter.category} onChoose={change} />
        <Choice field="protocol" counts={counts.protocols} value={filter.protocol} onChoose={change} />
        <Choice field="tier" counts={counts.tiers} value={filter.tier} onChoose={change} />
        <Choice field="stopper" counts={counts.stoppers} value={filter.stopper} onChoose={change} />
      </div>
      <div>
        <Toggles
          name="Outcome"
          counts={counts.outcomes}
          chosen={filter.outcomes}
          onChoose={(chosen) => change({ outcomes: chosen })}
          draw={(value) => [<Icon key="sign" name={value} />, wordFor(value)]}
        />
        <Toggles
          name="Severity"
          counts={counts.severities}
          chosen={filter.severities}
          onChoose={(chosen) => change({ severities: chosen })}
          draw={(value) => <SeverityBadge severity={value} />}
        />
      </div>
    </search>
  )
}

type Counts = ReadonlyMap<string, number>

function countsIn(rows: readonly Row[], names: readonly string[], target: string) {
  const all = rows.flatMap((row) => attacksOf(row, target))
  const attacks = rows.map(({ first }) => first.attack)
  return {
    targets: new Map(names.map((_, run) => [String(run), rows.filter(({ cells }) => cells[run]).length])),
    categories: sorted(countsOf(attacks.map(({ category }) => category ?? 'none'))),
    protocols: sorted(countsOf(attacks.flatMap((attack) => attack.protocols))),
    tiers: inOrder(countsOf(all.map((results) => results.tier ?? 'none')), [...TIER_ORDER, 'none']),
    stoppers: inOrder(countsOf(all.flatMap((results) => stopperOf(results) ?? [])), stoppers),
    outcomes: inOrder(countsOf(all.map(({ outcome }) => outcome)), outcomes),
    severities: inOrder(countsOf(attacks.map(({ severity }) => severity ?? 'none')), SEVERITY_ORDER),
  }
}

function Toggles(props: {
  readonly name: string
  readonly counts: Counts
  readonly chosen: readonly string[]
  readonly onChoose: (chosen: readonly string[]) => void
  readonly draw: (value: string) => ComponentChildren
}): JSX.Element | null {
  const { name, counts, chosen, onChoose, draw } = props
  // A chosen value is kept, so that it can be cleared even if another filter hides all its attacks.
  const values = [...new Set([...counts.keys(), ...chosen])]
  if (values.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset adds a legend and a frame
    <div class="toggles" role="group" aria-label={name}>
      {values.map((value) => (
        <button
          key={value}
          type="button"
          class={`toggle toggle-${value}`}
          aria-pressed={chosen.includes(value)}
          data-value={value}
          onClick={() => onChoose(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value])}
        >
          {draw(value)}
          <span class="count">{counts.get(value) ?? 0}</span>
        </button>
      ))}
    </div>
  )
}

function Choice(props: {
  readonly field: 'target' | 'category' | 'protocol' | 'tier' | 'stopper'
  readonly counts: Counts
  readonly value: string
  readonly onChoose: (changes: Partial<Filter>) => void
  readonly wordOf?: (value: string) => string
}): JSX.Element | null {
  const { field, counts, value, onChoose, wordOf = wordFor } = props
  if (counts.size < 2) return null
  return (
    <select
      aria-label={wordFor(field)}
      data-field={field}
      value={value}
      onChange={({ currentTarget }) => onChoose({ [field]: currentTarget.value })}
    >
      <option value="">Any {field}</option>
      {[...counts].map(([one, count]) => (
        <option key={one} value={one}>
          {plainText(wordOf(one))} ({count})
        </option>
      ))}
    </select>
  )
}

function countsOf(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

function sorted(counts: Counts): Counts {
  return inOrder(counts, [...counts.keys()].sort())
}

function inOrder(counts: Counts, order: readonly string[]): Counts {
  return new Map(order.flatMap((value) => (counts.has(value) ? [[value, counts.get(value) ?? 0]] : [])))
}
