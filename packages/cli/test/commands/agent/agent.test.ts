import { expect, test } from 'vitest'
import { joust } from '../../world.ts'

test.each(['new', 'check', 'run', 'chat', 'serve', 'graph'])('agent %s --help has examples', async (command) => {
  const { code, stdout, stderr } = await joust(['agent', command, '--help'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain(`Usage: joust agent ${command}`)
  expect(stdout).toContain(`$ joust agent ${command}`)
})

test.each([
  [['agent'], 'Usage: joust agent'],
  [['agent', 'chekc', 'a'], 'Did you mean check?'],
  [['agent', 'a.agf.yaml'], "unknown command 'a.agf.yaml'"],
  [['agent', 'check'], "missing required argument 'file'"],
  [['agent', 'graph', 'a', '--format', 'png'], '--format expects one of text, mermaid, not "png"'],
])('%j is wrong usage', async (argv, message) => {
  const { code, stdout, stderr } = await joust(argv)
  expect({ code, stdout }).toEqual({ code: 64, stdout: '' })
  expect(stderr).toContain(message)
})
