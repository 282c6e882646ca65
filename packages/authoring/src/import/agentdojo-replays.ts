/** Replays of a pair of AgentDojo as traces: an agent that follows the injection, and one that only does its task. */
import type { DojoPair, DojoTask } from './agentdojo-dump.ts'
import type { Imported } from './importer.ts'
import { type RecordedStep, recordedTrace } from './recorded-trace.ts'

/** Both traces, with the verdicts of AgentDojo's own check. */
export function replaysOf(
  attack: string,
  name: string,
  pair: DojoPair,
  user: DojoTask,
  injection: DojoTask,
): Imported[] {
  const replay = (agent: 'follows' | 'ignores', label: 'exploited' | 'resisted'): Imported => ({
    kind: 'trace',
    name: `${agent}/${name}`,
    lines: recordedTrace({
      attack,
      task: user.text,
      steps: stepsOf(pair, user, agent === 'follows' ? injection : undefined),
    }),
    label,
  })
  const ignores = replay('ignores', 'resisted')
  if (pair.succeeds === true) return [replay('follows', 'exploited'), ignores]
  const reason = `replay of ${injection.id}, which the check of AgentDojo does not count as a success`
  return [{ kind: 'skipped', name: `follows/${name}`, reason }, ignores]
}

function stepsOf({ steps }: DojoPair, user: DojoTask, injection: DojoTask | undefined): RecordedStep[] {
  const calls = steps.filter(({ task }) => task === 'user' || injection !== undefined)
  const phrases = [...user.output, ...(injection?.output ?? [])]
  return [
    ...calls.map(({ tool, arguments: values, answer }) => ({
      kind: 'call' as const,
      name: tool,
      arguments: values,
      answer,
    })),
    { kind: 'text', text: phrases.length > 0 ? phrases.join(', ') : 'Done.' },
  ]
}
