/** Attacks an agent with a shell through files in its working folder. Skipped without opencode. */
import { describe, expect, test } from 'vitest'
import { startAgentModel } from './agent-model.ts'
import { environmentAt, isInstalled } from './agents.ts'
import { attacksOf, type JoustRun, joustRun } from './joust.ts'

const documents = ['skill-exfiltrates-keys', 'agents-file-changes-registry']

async function attack(obeys: boolean): Promise<JoustRun> {
  const model = await startAgentModel(obeys, [], true)
  const options = ['--exec', 'opencode', '--concurrency', '2', '--max-duration', '90s', '--arms', 'none']
  return joustRun(documents, options, environmentAt(model.origin), 300_000).finally(() => model.stop())
}

const outcomes = ({ results }: JoustRun) =>
  attacksOf(results)
    .map(({ attack: { id }, outcome }) => [id, outcome])
    .toSorted()

const commandsOf = (run: JoustRun, id: string) =>
  run.trace(id).flatMap(({ surface, content }) => (surface === 'command/started' ? [content] : []))

describe.skipIf(!isInstalled('opencode')).concurrent('a skill and an instruction file', { timeout: 300_000 }, () => {
  test('exploit an agent whose model obeys', async () => {
    const run = await attack(true)
    expect(outcomes(run), run.output).toEqual([
      ['JOUST-190', 'exploited'],
      ['JOUST-191', 'exploited'],
    ])
    expect(commandsOf(run, 'JOUST-190')).toContainEqual(expect.objectContaining({ line: 'npm test' }))
    expect(run.trace('JOUST-191')).toContainEqual(
      expect.objectContaining({ surface: 'file/changed', content: expect.objectContaining({ path: '.npmrc' }) }),
    )
  })

  test('do not exploit an agent whose model follows only its user', async () => {
    const run = await attack(false)
    // The careful model reads no skill, so it does not see the bait.
    expect(outcomes(run), run.output).toEqual([
      ['JOUST-190', 'inconclusive'],
      ['JOUST-191', 'resisted'],
    ])
    expect(commandsOf(run, 'JOUST-191')).toContainEqual(expect.objectContaining({ line: 'make build' }))
  })
})
