import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderMarkdown } from '../../src/results/markdown.ts'
import { manyResults, redacted, results, resultsWith, twoTargets } from '../results.ts'

describe('Markdown', () => {
  test('matches the golden file', async () => {
    await expect(renderMarkdown(results)).toMatchFileSnapshot('golden/summary.md')
  })

  test('fits a comment and reports the omitted parts', () => {
    const text = renderMarkdown(manyResults('x'.repeat(1000), 2000))
    expect(text.length).toBeLessThan(60_000)
    expect(text).toMatch(/And \d+ more attacks\./)
    expect(renderMarkdown(manyResults('a', 300)).length).toBeLessThan(60_000)
  })

  test('includes the reason why a task could not be judged', () => {
    const fine = results.targets[0]?.attacks.find(({ outcome }) => outcome === 'resisted')
    const trial = fine?.trials[0]
    if (fine === undefined || trial === undefined) throw new Error('no trial')
    const diagnostics = [
      { severity: 'error', code: 'task-malformed', message: 'no indicators', path: 'attack.x-joust-task' } as const,
    ]
    const task = { ...trial.verdict, result: 'error', diagnostics } as const
    const text = renderMarkdown(resultsWith([{ ...fine, trials: [{ ...trial, task }] }]))
    expect(text).toContain('| unknown |')
    expect(text).toContain('  - `task not judged, task-malformed: no indicators (attack.x-joust-task)`')
  })

  test('has a part for each target', () => {
    expect(renderMarkdown(twoTargets).match(/^Target: .*?`.*?`/gm)).toEqual([
      'Target: agent `clerk`',
      'Target: model `deputy`',
    ])
  })

  test('draws the data flows of all attacks, with names that cannot end a label or the block', () => {
    const [first] = results.targets[0]?.attacks ?? []
    const [one] = first?.trials ?? []
    if (first === undefined || one === undefined) throw new Error('no trial')
    const flow = (name: string, kind: 'untrusted' | 'user') => ({
      kind,
      from: { seq: 1, actor: 'a', name },
      to: { seq: 2, actor: 'a', name: 'send_email', argument: 'to' },
      extent: 'whole' as const,
      text: 'x',
    })
    const flows = [flow('read"]\n```\n<b>', 'untrusted'), flow('prompt', 'user')]
    const text = renderMarkdown(resultsWith([{ ...first, trials: [{ ...one, flows }] }]))
    expect(text).toContain(
      [
        '### Data flows',
        '',
        '```mermaid',
        'flowchart LR',
        '  s0["read········b· (untrusted)"] -->|1 trial| t0["send_email"]',
        '```',
      ].join('\n'),
    )
    expect(renderMarkdown(results)).not.toContain('mermaid')
  })

  test('lists restraints and attacks that none of them stops', () => {
    const [target] = results.targets
    const [attack] = target?.attacks ?? []
    if (target === undefined || attack === undefined) throw new Error('no attack')
    const cost = { sets: 1, runs: 1, calls: 0, tokens: 0 }
    const open = {
      status: 'open',
      before: 'exploited',
      by: [],
      alternatives: [],
      reason: 'it is in the answer',
    } as const
    const hardening = {
      restraints: [{ kind: 'budget', file: 'a.agf.yaml', text: 'set max_tool_calls to 2', weak: true as const }],
      attacks: [{ file: attack.file, ...open }],
      diff: '--- a\n+++ a\n+```\n',
      cost,
    }
    const text = renderMarkdown(redacted({ ...results, targets: [{ ...target, hardening }] }))
    expect(text).toContain('### Hardening\n\n- `set max_tool_calls to 2` (weak)\n- not stopped: ')
    expect(text).toContain('`it is in the answer`')
    expect(text).toContain('````diff\n--- a\n+++ a\n+```\n````\n')
  })

  test('reports an empty suite', () => {
    expect(renderMarkdown(resultsWith([]))).toContain('no verdict, none of 0 attacks was judged')
  })

  test('every row has the same number of cells for any names', () => {
    const names = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('|', '`', '\\', '\n', 'a') }),
    )
    fc.assert(
      fc.property(names, (name) => {
        const rows = renderMarkdown(manyResults(name, 2))
          .split('\n')
          .filter((line) => line.startsWith('|'))
        expect(rows).toHaveLength(4)
        for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(8)
      }),
    )
  })
})

test('of attacks with the same outcome, the severest is first', () => {
  const [leak] = results.targets[0]?.attacks ?? []
  if (leak === undefined) throw new Error('no attack')
  const of = (name: string, severity: 'low' | 'critical' | 'medium') => ({
    ...leak,
    file: `${name}.yaml`,
    attack: { ...leak.attack, name, severity },
  })
  const text = renderMarkdown(resultsWith([of('First', 'low'), of('Second', 'critical'), of('Third', 'medium')]))
  const at = ['Second', 'Third', 'First'].map((name) => text.indexOf(name))
  expect(at).toEqual(at.toSorted((a, b) => a - b))
})
