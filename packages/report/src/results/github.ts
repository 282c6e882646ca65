/** Renders results as GitHub Actions annotations. */
import { compareListed } from '@joust/results'
import { evidenceLines, headline, type ListedAttack, listedAttacks, titleOf } from '../content/attack-lines.ts'
import type { ReportInput } from '../content/input.ts'
import { workflowCommand } from '../syntax/workflow-command.ts'

/**
 * Renders one line for each attack that succeeded or is inconclusive, worst first, because GitHub shows only the first
 * few annotations.
 *
 * @example
 * process.stdout.write(renderGithub(results))
 */
export function renderGithub(input: ReportInput): string {
  const { stopped } = input
  const lines = listedAttacks(input)
    .filter(({ results: { outcome } }) => outcome !== 'resisted' && outcome !== 'not_applicable')
    .sort((a, b) => compareListed(a.results, b.results))
    .map(annotation)
  const note = stopped === undefined ? [] : [workflowCommand('warning', { title: 'incomplete' }, stopped.message)]
  return [...lines, ...note].join('')
}

function annotation({ results, target, kind, place }: ListedAttack): string {
  const { outcome } = results
  const name = titleOf(results)
  const about = { ...place, title: target === undefined ? name : `${name} on ${target}` }
  const level = outcome === 'exploited' ? 'error' : 'warning'
  return workflowCommand(level, about, [headline(results), ...evidenceLines(results, kind)].join('\n'))
}
