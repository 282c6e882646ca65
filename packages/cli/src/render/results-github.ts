/** Results as annotations of GitHub Actions. */
import { type AttackResults, compareVerdicts, type Results } from '@joust/arena'
import { evidenceLines, headline, lineOf } from './result-findings.ts'
import { workflowCommand } from './workflow-command.ts'

/** One line for each attack that was not resisted, worst first: GitHub shows only the first few. */
export function renderResultsGithub({ attacks, stopped }: Results): string {
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
