/** Results as annotations of GitHub Actions. */
import { type AttackResults, compareVerdicts } from '@joust/arena'
import { evidenceLines, headline, lineOf } from '../content/attack-lines.ts'
import type { ReportInput } from '../content/input.ts'
import { workflowCommand } from '../syntax/workflow-command.ts'

/** One line for each attack that was not resisted, worst first: GitHub shows only the first few. */
export function renderGithub({ attacks, stopped }: ReportInput): string {
  const told = attacks.filter(({ verdict }) => verdict.result !== 'not_exploited')
  const lines = told.sort((a, b) => compareVerdicts(a.verdict, b.verdict)).map(annotation)
  const note = stopped === undefined ? [] : [workflowCommand('warning', { title: 'not complete' }, stopped.message)]
  return [...lines, ...note].join('')
}

function annotation(results: AttackResults): string {
  const { verdict, attack, file } = results
  const line = lineOf(results)
  const about = {
    file,
    ...(line === undefined ? {} : { line: String(line) }),
    title: attack.id === undefined ? attack.name : `${attack.id} ${attack.name}`,
  }
  const name = verdict.result === 'exploited' ? 'error' : 'warning'
  return workflowCommand(name, about, [headline(results), ...evidenceLines(results)].join('\n'))
}
