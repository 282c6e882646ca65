/** The data flows of a run as text. */
import { type AttackResults, flowText } from '@joust/results'
import { printable } from '@joust/source'
import type { Colours } from '../terminal/colours.ts'
import { fit } from './fit.ts'

/** Maximum number of flows printed per target; the results contain all of them. */
const MOST = 30

/**
 * Returns one line per distinct flow of untrusted or private values, with the attacks below; empty if there are none.
 */
export function flowBlock(attacks: readonly AttackResults[], colours: Colours, columns: number): string {
  const files = new Map<string, Set<string>>()
  for (const { file, trials } of attacks)
    for (const flow of trials.flatMap(({ flows = [] }) => flows)) {
      if (flow.kind === 'user') continue
      const { times: _, ...once } = flow
      const text = flowText(once)
      files.set(text, (files.get(text) ?? new Set()).add(file))
    }
  if (files.size === 0) return ''
  const lines = [...files]
    .slice(0, MOST)
    .flatMap(([text, names]) => [
      `  ${fit(printable(text), columns - 2)}`,
      colours.dim(`    ${fit(printable([...names].join(', ')), columns - 4)}`),
    ])
  const more = files.size - MOST
  return [colours.bold('data flows'), ...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n')
}
