import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder, joust } from '../../world.ts'

test.each(['react', 'sequential', 'parallel', 'loop', 'batch', 'conditional'])(
  'a %s agent runs as it is created, with the printed command',
  async (shape) => {
    const cwd = folder()
    const { code, stdout } = await joust(['agent', 'new', 'My-Clerk', '--shape', shape], { cwd })
    expect(code).toBe(0)
    const [, words = '', input = ''] = /^joust (agent run .*) --input '(.*)'\n$/s.exec(stdout) ?? []
    const run = await joust([...words.split(' '), '--input', input.replaceAll("'\\''", "'"), '-q'], { cwd })
    expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 0, stdout: expect.stringContaining('simulated') })
    const config = words.split(' ').slice(3)
    expect((await joust(['agent', 'check', 'My-Clerk', '--strict', ...config], { cwd })).code).toBe(0)
    const text = readFileSync(join(cwd, 'My-Clerk/agent.agf.yaml'), 'utf8')
    expect(text).toMatch(/^ {2}id: "my-clerk"\n {2}name: "My clerk"$/m)
    expect(existsSync(join(cwd, 'My-Clerk/expected.json'))).toBe(false)
  },
)

test('the printed command can be pasted for a folder with spaces', async () => {
  const { stdout } = await joust(['agent', 'new', 'my clerk'], { cwd: folder() })
  expect(stdout).toMatch(/^joust agent run 'my clerk\/agent.agf.yaml' --config 'my clerk\/joust.yaml' --input /)
})

test('a folder with files, and a name without letters, are refused', async () => {
  const cwd = folder({ 'mine/notes.txt': 'mine' })
  expect(await joust(['agent', 'new', 'mine'], { cwd })).toMatchObject({
    code: 64,
    stderr: expect.stringContaining('not empty'),
  })
  expect((await joust(['agent', 'new', '---'], { cwd })).code).toBe(64)
})
