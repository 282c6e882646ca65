/** Results as annotations of GitHub Actions. */
import { type AttackResults, compareOutcomes, type ResultTarget } from '@joust/arena'
import { evidenceLines, headline, lineOf } from '../content/attack-lines.ts'
import type { ReportInput } from '../content/input.ts'
import { workflowCommand } from '../syntax/workflow-command.ts'

/** One line for each attack that got through or is inconclusive, worst first: GitHub shows only the first few. */
export function renderGithub({ targets, stopped }: ReportInput): string {
  const all = targets.flatMap(({ name, kind, attacks }) =>
    attacks.map((results) => ({ results, kind, target: targets.length > 1 ? name : undefined })),
  )
  const told = all.filter(({ results: { outcome } }) => outcome !== 'resisted' && outcome !== 'not_applicable')
  const lines = told
    .sort((a, b) => compareOutcomes(a.results, b.results))
    .map(({ results, target, kind }) => annotation(results, target, kind))
  const note = stopped === undefined ? [] : [workflowCommand('warning', { title: 'not complete' }, stopped.message)]
  return [...lines, ...note].join('')
}

function annotation(results: AttackResults, target: string | undefined, kind: ResultTarget['kind']): string {
  const { outcome, attack, file } = results
  const line = lineOf(results)
  const name = attack.id === undefined ? attack.name : `${attack.id} ${attack.name}`
  const about = {
    file,
    ...(line === undefined ? {} : { line: String(line) }),
    title: target === undefined ? name : `${name} on ${target}`,
  }
  const level = outcome === 'exploited' ? 'error' : 'warning'
  return workflowCommand(level, about, [headline(results), ...evidenceLines(results, kind)].join('\n'))
}
