import { expect, test } from 'vitest'
import { folder, joust } from '../world.ts'
import { SELF_PLAY, SERVER, USER } from './documents.ts'

const files = { 'mail.oatf.yaml': SERVER, 'play.oatf.yaml': SELF_PLAY, 'deep/user.oatf.yaml': USER }

async function chosen(...words: readonly string[]) {
  const { code, stdout, stderr } = await joust(['run', '.', '--model', 'sim/silent', '--dry-run', ...words], {
    cwd: folder(files),
  })
  return { code, stderr, files: stdout.match(/\S+\.oatf\.yaml$/gm) ?? [] }
}

test.each([
  [['--id', 'TEST-001'], ['mail.oatf.yaml']],
  [
    ['--id', 'TEST-003', 'TEST-001'],
    ['deep/user.oatf.yaml', 'mail.oatf.yaml'],
  ],
  [['--grep', 'SELF-play'], ['play.oatf.yaml']],
  [['--grep', '^deep/'], ['deep/user.oatf.yaml']],
  [
    ['--grep', 'test-00[12]'],
    ['mail.oatf.yaml', 'play.oatf.yaml'],
  ],
  [['--grep', 'weather|asks', '--severity', 'high'], ['mail.oatf.yaml']],
  [['--category', 'context_manipulation'], ['play.oatf.yaml']],
])('%j', async (words, wanted) => {
  const found = await chosen(...words)
  expect([found.code, found.files]).toEqual([0, wanted])
})

test('an unknown id is refused, even beside known ones', async () => {
  const { code, stderr } = await chosen('--id', 'TEST-001', 'TEST-0002')
  expect(code).toBe(64)
  expect(stderr).toContain(
    '--id TEST-0002: no attack has this id; available: TEST-001, TEST-002, TEST-003. Did you mean',
  )
})

test('of many ids some are listed, and the others counted', async () => {
  const { stderr } = await joust(['library', 'list', '--id', 'NOPE'])
  expect(stderr).toMatch(/available: JOUST-101, .*, JOUST-140, and \d+ more\.$/m)
})

test('joust.yaml and the list of the library know them, too', async () => {
  const cwd = folder({ ...files, 'joust.yaml': 'attacks: .\nid: TEST-002\ntargets: { it: { model: sim/silent } }\n' })
  expect((await joust(['run', '--dry-run'], { cwd })).stdout).toMatch(/^Self-play {2}play\.oatf\.yaml$/m)
  const { stdout } = await joust(['library', 'list', '--grep', 'time-bomb'])
  expect(stdout.trim().split('\n')).toEqual([expect.stringContaining('Tool result turns malicious after a delay')])
})
