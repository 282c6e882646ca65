import { expect, test } from 'vitest'
import { agentText, teamText } from '../../agents.ts'
import { folder, joust } from '../../world.ts'

const files = { 'team.agf.yaml': teamText('writer.agf.yaml'), 'writer.agf.yaml': `${agentText()}surprise: 1\n` }

test('a tree', async () => {
  expect(await joust(['agent', 'graph', 'team.agf.yaml'], { cwd: folder(files) })).toEqual({
    code: 0,
    stdout: 'team (agf.sequential)\n└─ step 1: step_0 = helper (agf.react)\n',
    stderr: '',
  })
})

test('Mermaid', async () => {
  const { code, stdout } = await joust(['agent', 'graph', 'team.agf.yaml', '--format', 'mermaid'], {
    cwd: folder(files),
  })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^flowchart TD\n {2}n0\["team<br\/>agf/)
})

test('an agent with errors is not drawn', async () => {
  const cwd = folder({ 'team.agf.yaml': teamText('none.agf.yaml') })
  const { code, stdout, stderr } = await joust(['agent', 'graph', 'team.agf.yaml'], { cwd })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('error unresolvable_source')
  expect(stderr).toContain('joust: team.agf.yaml cannot be used: it has errors\n')
})
