import { expect, test } from 'vitest'
import { editAgent } from '../../src/harden/edit.ts'
import type { Restraint } from '../../src/harden/restraint.ts'
import { agentFrom } from './support.ts'

const head = (id: string) => `# ${id}
schema_version: 1.0.0
metadata: {id: ${id}, name: ${id}, version: 1.0.0, description: Helps}
interface: {input: {type: string}, output: {type: string}}
execution_policy: {id: agf.react, config: {model: sim/silent, instructions: Help.}} # one line
`
const texts = {
  'a.agf.yaml': `${head('first')}action_space: {local_agents: [{alias: b, source: ./b.agf.yaml}]}\n`,
  'b.agf.yaml': head('second'),
}

const limit = (source: string, most: number): Restraint => ({
  kind: 'budget',
  source,
  text: 'limit',
  apply: (document) => ({ ...document, constraints: { limits: { max_tool_calls: most } } }),
})

test('edits the file that a restraint is about, keeps its comments, and loads the graph again', async () => {
  const edited = await editAgent(await agentFrom(texts), [limit('b.agf.yaml', 3)])
  if (!edited.ok) throw new Error(edited.error)
  const [file, ...others] = edited.value.files
  expect(others).toEqual([])
  expect(file).toMatchObject({ source: 'b.agf.yaml', before: texts['b.agf.yaml'] })
  expect(file?.after).toMatch(/^# second\n[\s\S]* # one line\nconstraints:/)
  expect(edited.value.agent.agents.get('b')?.document.constraints).toEqual({ limits: { max_tool_calls: 3 } })
})

test('has a reason if the changed agent would be invalid', async () => {
  const edited = await editAgent(await agentFrom(texts), [limit('a.agf.yaml', -1)])
  expect(edited).toMatchObject({ ok: false, error: expect.stringContaining('-1') })
})
