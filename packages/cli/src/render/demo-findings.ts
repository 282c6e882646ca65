/** The output of `joust demo` above its table: typical findings with evidence, and the controls of each agent. */
import { type AttackResults, compareListed, type TargetResults } from '@joust/results'
import { count, printable } from '@joust/source'
import type { Colours } from '../terminal/colours.ts'
import { happenedLines } from './evidence.ts'
import { cell, fit } from './fit.ts'
import { INDENT } from './outcome-text.ts'

interface Titled {
  readonly title: string
  readonly target: TargetResults
}

const MOST = 3

/** Returns the most severe successful attacks on one target, one per category, with the evidence. */
export function findingLines({ title, target }: Titled, colours: Colours, columns: number): string[] {
  const chosen = new Map<string | undefined, AttackResults>()
  for (const attack of target.attacks.filter(({ outcome }) => outcome === 'exploited').sort(compareListed))
    if (chosen.size < MOST && !chosen.has(attack.attack.category)) chosen.set(attack.attack.category, attack)
  const lines = [...chosen.values()].flatMap((results) => {
    const { name, severity = '' } = results.attack
    const evidence = happenedLines(results, target.kind, colours, columns - INDENT.length).at(-1)
    const head = fit(`  ${[severity, printable(name)].filter((word) => word !== '').join('  ')}`, columns)
    return [head, ...(evidence === undefined ? [] : [`${INDENT}${evidence}`])]
  })
  return lines.length === 0 ? [] : [colours.bold(`What the ${printable(title)} agent did`), ...lines]
}

/** Returns one line per agent, such as `cautious bait read in 43 of 43 runs, stopped by model: 39`. */
export function controlLines(all: readonly Titled[], colours: Colours, columns: number): string[] {
  const width = Math.max(...all.map(({ title }) => title.length))
  const lines = all.map(({ title, target }) => fit(`  ${cell(title, width)}  ${controlsOf(target)}`, columns))
  return [colours.bold('Controls'), ...lines]
}

function controlsOf({ preflight, attacks }: TargetResults): string {
  const trials = attacks.flatMap((attack) => attack.trials)
  const read = trials.filter(({ exposure: { read: paths = [], bait } }) => bait.some((path) => paths.includes(path)))
  const stops = new Map<string, number>()
  for (const { outcome, controls } of attacks)
    if (outcome === 'resisted' && controls?.stopped_by !== undefined)
      stops.set(controls.stopped_by, (stops.get(controls.stopped_by) ?? 0) + 1)
  const parts = [
    ...(preflight?.status === 'passed' ? ['preflight ok'] : []),
    `bait read in ${read.length} of ${count(trials.length, 'run')}`,
    ...(stops.size === 0 ? [] : [`stopped by ${[...stops].map(([by, times]) => `${by}: ${times}`).join(', ')}`]),
  ]
  return parts.join(', ')
}
