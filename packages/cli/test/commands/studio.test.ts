import { expect, test } from 'vitest'
import { folder, joust } from '../world.ts'

test('a folder that is not there, and a port that is none', async () => {
  const cwd = folder({ 'a.yaml': '' })
  expect(await joust(['studio', 'nowhere'], { cwd })).toMatchObject({
    code: 64,
    stdout: '',
    stderr: 'joust: nowhere: no such folder\n',
  })
  expect(await joust(['studio', 'a.yaml'], { cwd })).toMatchObject({ code: 64 })
  expect(await joust(['studio', '--port', '70000'], { cwd })).toMatchObject({ code: 64 })
})
