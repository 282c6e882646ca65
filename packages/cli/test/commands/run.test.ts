import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SELF_PLAY, WIRE } from '../run/documents.ts'
import { folder, joust } from '../world.ts'

const argv = ['run', 'a.oatf.yaml', ...WIRE, '--report', 'github', '--out', 'out']
const env = { GITHUB_ACTIONS: 'true' }

test('in GitHub Actions the annotations are in the log as well', async () => {
  const cwd = folder({ 'a.oatf.yaml': SELF_PLAY })
  const { stdout } = await joust(argv, { cwd, env })
  const annotations = readFileSync(join(cwd, 'out/annotations.txt'), 'utf8')
  expect(annotations).toMatch(/^::error file=a\.oatf\.yaml/)
  expect(stdout.endsWith(`\n${annotations}`)).toBe(true)
})

test('elsewhere, and in other formats, they are not; JSON stays JSON', async () => {
  const cwd = folder({ 'a.oatf.yaml': SELF_PLAY })
  expect((await joust(argv, { cwd })).stdout).not.toContain('::error')
  const json = await joust([...argv.slice(0, -1), 'two', '--json'], { cwd, env })
  expect(JSON.parse(json.stdout)).toHaveProperty('targets')
  expect(json.stderr).toMatch(/^::error file=a\.oatf\.yaml/m)
  expect((await joust([...argv, '--report', 'md', '--out', 'three'], { cwd, env })).stdout).not.toContain('::error')
})
