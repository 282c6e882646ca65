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

test('an unknown technique is answered with techniques, not with attacks', async () => {
  const { code, stderr } = await joust(['library', 'list', '--id', 'ASI99'])
  expect(code).toBe(64)
  expect(stderr).toMatch(/--id ASI99: no attack has this technique; available: ASI01, ASI02, .*ASI10\./)
  expect(stderr).not.toContain('JOUST-')
})

test('joust.yaml and the list of the library know them, too', async () => {
  const cwd = folder({ ...files, 'joust.yaml': 'attacks: .\nid: TEST-002\ntargets: { it: { model: sim/silent } }\n' })
  expect((await joust(['run', '--dry-run'], { cwd })).stdout).toMatch(/^Self-play {2}play\.oatf\.yaml$/m)
  const { stdout } = await joust(['library', 'list', '--grep', 'time-bomb'])
  expect(stdout.trim().split('\n')).toEqual([expect.stringContaining('Tool result turns malicious after a delay')])
})

/** The ids of the listed attacks of the library. */
async function listed(...words: readonly string[]) {
  const { code, stdout, stderr } = await joust(['library', 'list', '--json', ...words])
  const rows: { id: string }[] = code === 0 ? JSON.parse(stdout) : []
  return { code, stderr, ids: rows.map(({ id }) => id) }
}

test('frameworks and techniques, in any spelling', async () => {
  const { ids: all } = await listed()
  const { ids: agentic } = await listed('--framework', 'owasp-asi')
  const { ids: context } = await listed('--framework', 'owasp-agentic', '--id', 'ASI06')
  expect(agentic.length).toBeLessThan(all.length)
  expect(context.length).toBeLessThan(agentic.length)
  expect(context).toContain('JOUST-116')
  for (const spelling of ['ASI-06', 'asi06', 'ASI06:2026'])
    expect((await listed('--id', spelling)).ids).toEqual(context)
  const { ids: injection } = await listed('--id', 'AML.T0051')
  expect(injection).toEqual(expect.arrayContaining((await listed('--id', 'AML.T0051.002')).ids))
  expect((await listed('--id', 'ASI06', '--framework', 'owasp-mcp')).ids).toEqual([])
})

test('an unknown framework and a technique without attacks are refused', async () => {
  expect((await listed('--framework', 'owasp-agents')).stderr).toMatch(
    /--framework owasp-agents: no attack has this framework; available: atlas, .*owasp_agentic, .* Did you mean/,
  )
  const { code, stderr } = await listed('--id', 'AML.T0020')
  expect({ code, stderr }).toEqual({
    code: 64,
    stderr: expect.stringContaining('--id AML.T0020: none of these attacks maps to AML.T0020 (Poison Training Data).'),
  })
})

test('suites of the library: on the command line, in joust.yaml, in the list; filters narrow them', async () => {
  const quick = (await listed('@quick')).ids
  expect(quick).toHaveLength(10)
  const run = async (cwd: string, ...words: readonly string[]) => {
    const { code, stdout, stderr } = await joust(['run', '--dry-run', ...words], { cwd })
    return { code, stderr, files: stdout.match(/library\/\S+\.oatf\.yaml$/gm) ?? [] }
  }
  expect((await run(folder({}), '@quick', '--model', 'sim/silent')).files).toHaveLength(10)
  const project = 'attacks: ["@quick"]\nframework: owasp-mcp\ntargets: { it: { model: sim/silent } }\n'
  const cwd = folder({ 'joust.yaml': project, 'deep/note.txt': '' })
  const { files: few } = await run(cwd)
  expect(few).toContain('library/rug-pull-after-trust.oatf.yaml')
  expect(few.length).toBeLessThan(10)
  expect((await run(`${cwd}/deep`)).files).toEqual(few)
  expect(await run(folder({}), '@owasp-agent', '--model', 'sim/silent')).toMatchObject({
    code: 64,
    stderr: expect.stringContaining(
      'unknown suite @owasp-agent; available: @owasp-agentic, @owasp-mcp, @atlas, @quick. Did you mean "@owasp-agentic"?',
    ),
  })
  expect((await listed('quick')).stderr).toContain('quick is not a suite; available: @owasp-agentic')
  const own = folder({ '@quick': 'not a document' })
  expect((await run(own, '@quick', '--model', 'sim/silent')).files).toEqual([])
})
