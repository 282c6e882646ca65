import type { Results } from '@joust/results'
import { expect, test } from 'vitest'
import { renderBenchmark } from '../../src/results/benchmark.ts'

const done = { task: { result: 'exploited' } }
const undone = { task: { result: 'not_exploited' } }
const unknown = { task: { result: 'error' } }
const attack = (outcome: string, trials: readonly object[], placebo_trials?: readonly object[]) => ({
  attack: { tags: ['agentdojo', 'slack'] },
  outcome,
  trials,
  ...(placebo_trials && { placebo_trials }),
})

test('agentdojo: whole injections, and tasks done in all runs that show it', () => {
  const attacks = [
    attack('exploited', [undone, done], [done, done]),
    attack('exploited', [unknown], [done, undone]),
    attack('partial', [done, unknown]),
    attack('resisted', [done]),
    attack('inconclusive', []),
  ]
  // Only the fields that the figures read.
  const results = [{ targets: [{ name: 'agent', attacks }] }] as unknown as readonly Results[]
  const table = renderBenchmark(results, 'agentdojo')
  const cells = '50.0 % (15.0–85.0), 2 of 4 | 66.7 % (20.8–93.9), 2 of 3 | 50.0 % (9.5–90.5), 1 of 2 |\n'
  expect(table.ok && table.value.split('---').at(-1)).toBe(
    ` |\n| \`agent\` | slack | ${cells}| \`agent\` | agentdojo | ${cells}`,
  )
})

test('agentdojo: a task whose check compares the whole state is not done beside a successful attack', () => {
  const row = (outcome: string, ...tags: string[]) => {
    const one = attack(outcome, [{ ...done, outcome }])
    return { ...one, attack: { tags: [...one.attack.tags, ...tags] } }
  }
  const attacks = [row('exploited', 'side-effects'), row('partial', 'side-effects'), row('resisted', 'side-effects')]
  const results = [{ targets: [{ name: 'agent', attacks: [...attacks, row('exploited')] }] }]
  const table = renderBenchmark(results as unknown as readonly Results[], 'agentdojo')
  expect(table.ok && table.value).toContain('| 50.0 % (15.0–85.0), 2 of 4 | – |\n')
})
