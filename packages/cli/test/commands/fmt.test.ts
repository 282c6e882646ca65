import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { parse, serialize } from '@joust/oatf'
import { describe, expect, test } from 'vitest'
import { binary } from '../spawned.ts'
import { AGENT, BAD, folder, GOOD, joust } from '../world.ts'

const parsed = parse(GOOD)
const CANONICAL = parsed.ok ? serialize(parsed.value) : ''
const COMMENTED = `# why\n${GOOD}# and how\n`
const UNTIDY =
  'oatf:   "0.1"  # version\n\n\n\nattack:   # what\n    name: "plain"\n    # on its own\n    tags:\n    - a   \n'
const TIDY = 'oatf: "0.1"  # version\n\nattack:   # what\n  name: plain\n  # on its own\n  tags:\n    - a\n'

describe('layout', () => {
  test('comments, order and values stay, spaces and needless quotes go', async () => {
    const { code, stdout, stderr } = await joust(['fmt', '-'], { stdin: UNTIDY.replaceAll('\n', '\r\n') })
    expect({ code, stderr, stdout }).toEqual({ code: 0, stderr: '', stdout: TIDY })
  })

  test('a file keeps its line breaks: --write leaves CRLF, and --check then finds nothing', async () => {
    const [untidy, tidy] = [UNTIDY, TIDY].map((text) => text.replaceAll('\n', '\r\n'))
    const cwd = folder({ 'a.yaml': untidy ?? '', 'b.json': '{"oatf":"0.1",\r\n"attack":{}}\r\n' })
    expect(await joust(['fmt', '--check', '.'], { cwd })).toMatchObject({ code: 1, stdout: 'a.yaml\nb.json\n' })
    expect(await joust(['fmt', '--write', '.'], { cwd })).toMatchObject({ code: 0, stdout: 'a.yaml\nb.json\n' })
    expect(readFileSync(join(cwd, 'a.yaml'), 'utf8')).toBe(tidy)
    expect(readFileSync(join(cwd, 'b.json'), 'utf8')).toBe('{\r\n  "oatf": "0.1",\r\n  "attack": {}\r\n}\r\n')
    expect(await joust(['fmt', '--check', '.'], { cwd })).toMatchObject({ code: 0, stdout: '' })
  })

  test.runIf(process.getuid?.() === 0)('a file keeps its owner when root formats it', async () => {
    const cwd = folder({ 'a.yaml': UNTIDY })
    chownSync(join(cwd, 'a.yaml'), 1234, 2345)
    chmodSync(join(cwd, 'a.yaml'), 0o664)
    expect(await joust(['fmt', '--write', 'a.yaml'], { cwd })).toMatchObject({ code: 0, stdout: 'a.yaml\n' })
    const { uid, gid, mode } = statSync(join(cwd, 'a.yaml'))
    expect([uid, gid, mode & 0o777, readFileSync(join(cwd, 'a.yaml'), 'utf8')]).toEqual([1234, 2345, 0o664, TIDY])
  })

  test.each([
    [
      'YAML',
      '# licence\n\nattack:   {}\n\n\n# of OATF\noatf: "0.1"\n',
      '# licence\n\n# of OATF\noatf: "0.1"\n\nattack: {}\n',
    ],
    [
      'with comments that stay behind',
      'attack:\n  name: x # a\n  # below\n# margin\n\n# about\noatf: "0.1"\n',
      '# about\noatf: "0.1"\n\nattack:\n  name: x # a\n# below\n# margin\n',
    ],
    ['JSON', '{"attack":{},"oatf":"0.1"}', '{\n  "oatf": "0.1",\n  "attack": {}\n}\n'],
    ['a flow mapping', '{ attack: {}, oatf: "0.1" }', '{ oatf: "0.1", attack: {} }\n'],
  ])('oatf is always the first key: %s', async (_, late, first) => {
    expect(await joust(['fmt', '-'], { stdin: late })).toEqual({ code: 0, stderr: '', stdout: first })
    const cwd = folder({ 'a.yaml': late })
    expect(await joust(['fmt', '--check', 'a.yaml'], { cwd })).toMatchObject({ code: 1, stdout: 'a.yaml\n' })
    expect(await joust(['fmt', '--write', 'a.yaml'], { cwd })).toMatchObject({ code: 0 })
    expect(readFileSync(join(cwd, 'a.yaml'), 'utf8')).toBe(first)
    expect(await joust(['fmt', '--check', 'a.yaml'], { cwd })).toMatchObject({ code: 0, stdout: '' })
  })

  test('an alias does not come before its anchor', async () => {
    const stdin = 'attack:\n  version: &v "0.1"\noatf: *v\n'
    expect(await joust(['fmt', '-'], { stdin })).toEqual({ code: 0, stderr: '', stdout: stdin })
    expect((await joust(['validate', '-'], { stdin })).stdout).toContain('3:7  error V-020')
  })

  test('a byte order mark stays, printed or written', async () => {
    const cwd = folder({ 'a.yaml': `\ufeff${UNTIDY}` })
    expect(await joust(['fmt', 'a.yaml'], { cwd })).toEqual({ code: 0, stderr: '', stdout: `\ufeff${TIDY}` })
    await joust(['fmt', '--write', 'a.yaml'], { cwd })
    expect(readFileSync(join(cwd, 'a.yaml'), 'utf8')).toBe(`\ufeff${TIDY}`)
    expect(await joust(['fmt', '--check', 'a.yaml'], { cwd })).toMatchObject({ code: 0, stdout: '' })
  })

  test('agents are laid out as well', async () => {
    const { code, stdout } = await joust(['fmt', '-'], { stdin: `# team\n\n\n${AGENT}` })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^# team\n\n[a-z]/)
  })

  test('a document need not be valid, but it must be readable', async () => {
    expect((await joust(['fmt', '-'], { stdin: BAD })).code).toBe(0)
    const { code, stdout, stderr } = await joust(['fmt', '-'], { stdin: 'oatf: "0.1"\nattack: [\n' })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/<stdin>:\d+:\d+ {2}error syntax/)
  })

  test('a file that is not a document is rejected', async () => {
    const { code, stderr } = await joust(['fmt', '-'], { stdin: 'a: 1\n' })
    expect(code).toBe(1)
    expect(stderr).toContain('neither an attack document nor an agent file')
  })

  test('--check lists, --write rewrites', async () => {
    const cwd = folder({ 'a.yaml': UNTIDY, 'b.yaml': TIDY, 'notes.yaml': 'a:   1\n' })
    expect(await joust(['fmt', '--check', '.'], { cwd })).toMatchObject({ code: 1, stdout: 'a.yaml\n' })
    expect(await joust(['fmt', '--write', '.'], { cwd })).toMatchObject({ code: 0, stdout: 'a.yaml\n' })
    expect(readFileSync(join(cwd, 'a.yaml'), 'utf8')).toBe(TIDY)
    expect(readFileSync(join(cwd, 'notes.yaml'), 'utf8')).toBe('a:   1\n')
    expect(await joust(['fmt', '--check', '.'], { cwd })).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  test('characters that reorder text become visible, in both forms', async () => {
    const stdin = GOOD.replace('attack:\n', 'attack:\n  x-note: "ab\u202ecd"\n  x-more: |\n    one\u2066\n    two\n')
    for (const form of [[], ['--canonical']]) {
      const { code, stdout } = await joust(['fmt', ...form, '-'], { stdin })
      expect(code).toBe(0)
      expect(stdout).toContain('x-note: "ab\\u202ecd"')
      expect(stdout).toContain('x-more: "one\\u2066\\ntwo\\n"')
    }
  })
})

describe('printing the canonical form', () => {
  test('the canonical form goes to stdout, with LF', async () => {
    const { code, stdout, stderr } = await joust(['fmt', '--canonical', '-'], { stdin: GOOD.replaceAll('\n', '\r\n') })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(CANONICAL)
    expect(stdout).not.toContain('\r')
  })

  test('formatted text is not changed again', async () => {
    expect((await joust(['fmt', '--canonical', '-'], { stdin: CANONICAL })).stdout).toBe(CANONICAL)
  })

  test('wire 8: large integers keep their digits', async () => {
    const stdin = GOOD.replace(
      'attack:\n',
      'attack:\n  x-number: 9007199254740993\n  x-list: [-9223372036854775808, 0xffffffffffffffff]\n',
    )
    const { code, stdout } = await joust(['fmt', '--canonical', '-'], { stdin })
    expect(code).toBe(0)
    expect(stdout).toContain('x-number: 9007199254740993\n')
    expect(stdout).toContain('- -9223372036854775808\n    - 18446744073709551615\n')
    expect((await joust(['fmt', '--canonical', '-'], { stdin: stdout })).stdout).toBe(stdout)
  })

  test('comments are missed', async () => {
    const { code, stdout, stderr } = await joust(['fmt', '--canonical', '-'], { stdin: COMMENTED })
    expect({ code, stdout }).toEqual({ code: 0, stdout: CANONICAL })
    expect(stderr).toBe('joust: <stdin>: the canonical form would lose 2 comments\n')
  })

  test('an agent has no canonical form', async () => {
    const { code, stdout, stderr } = await joust(['fmt', '--canonical', '-'], { stdin: AGENT })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('error agent-format  this is an agent file')
    const cwd = folder({ 'a.oatf.yaml': CANONICAL, 'b.agf.yaml': AGENT })
    expect((await joust(['fmt', '--canonical', '--check', '.'], { cwd })).code).toBe(0)
  })

  test('an invalid document is reported and not printed', async () => {
    const { code, stdout, stderr } = await joust(['fmt', '--canonical', '-'], { stdin: BAD })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('<stdin>:3:7  error V-023')
  })

  test('one document at a time', async () => {
    const cwd = folder({ 'a.yaml': GOOD, 'b.yaml': GOOD })
    const { code, stdout, stderr } = await joust(['fmt', '--canonical', '.'], { cwd })
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' })
    expect(stderr).toContain('--write')
  })

  test('a folder without documents is wrong usage', async () => {
    const cwd = folder({ 'a.json': '{}' })
    expect((await joust(['fmt', '--canonical', '--check', '.'], { cwd })).code).toBe(64)
    expect((await joust(['fmt', '--canonical', '--check', 'nowhere'], { cwd })).code).toBe(64)
  })
})

describe('--check', () => {
  test('lists what differs', async () => {
    const cwd = folder({ 'a.yaml': GOOD, 'b.yaml': CANONICAL, 'c.yaml': CANONICAL.replaceAll('\n', '\r\n') })
    const { code, stdout } = await joust(['fmt', '--canonical', '--check', '.'], { cwd })
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'a.yaml\nc.yaml\n' })
    expect(await joust(['fmt', '--canonical', '--check', 'b.yaml'], { cwd })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    })
    expect(readFileSync(join(cwd, 'a.yaml'), 'utf8')).toBe(GOOD)
  })

  test('an invalid document fails', async () => {
    const cwd = folder({ 'a.yaml': BAD })
    expect((await joust(['fmt', '--canonical', '--check', '.'], { cwd })).code).toBe(1)
  })
})

describe('--write', () => {
  test('rewrites what differs, keeps mode and links, leaves nothing behind', async () => {
    const cwd = folder({ 'a.yaml': GOOD, 'b.yaml': CANONICAL, 'bad.yaml': BAD })
    chmodSync(join(cwd, 'a.yaml'), 0o640)
    symlinkSync('a.yaml', join(cwd, 'link.yaml'))
    const { code, stdout } = await joust(['fmt', '--canonical', '--write', 'link.yaml', 'b.yaml', 'bad.yaml'], { cwd })
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'link.yaml\n' })
    expect(readFileSync(join(cwd, 'a.yaml'), 'utf8')).toBe(CANONICAL)
    expect(statSync(join(cwd, 'a.yaml')).mode & 0o777).toBe(0o640)
    expect(lstatSync(join(cwd, 'link.yaml')).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(cwd, 'bad.yaml'), 'utf8')).toBe(BAD)
    expect(readdirSync(cwd).sort()).toEqual(['a.yaml', 'b.yaml', 'bad.yaml', 'link.yaml'])
  })

  test('comments are not thrown away unless that is wanted', async () => {
    const cwd = folder({ 'a.yaml': COMMENTED })
    const refused = await joust(['fmt', '--canonical', '--write', 'a.yaml'], { cwd })
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('not rewritten: the canonical form would lose 2 comments')
    expect(readFileSync(join(cwd, 'a.yaml'), 'utf8')).toBe(COMMENTED)
    expect((await joust(['fmt', '--canonical', '--write', '--drop-comments', 'a.yaml'], { cwd })).code).toBe(0)
    expect(readFileSync(join(cwd, 'a.yaml'), 'utf8')).toBe(CANONICAL)
  })

  test('a file that cannot be written is unchanged; exit code 10', () => {
    const text = `${UNTIDY}${'# as long as it takes\n'.repeat(100)}`
    const cwd = folder({ 'a.yaml': text })
    const command = `ulimit -f 1; exec "${process.execPath}" "${binary}" fmt --write a.yaml`
    const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' }
    const { status, stderr } = spawnSync('sh', ['-c', command], { cwd, encoding: 'utf8', env })
    expect([status, stderr]).toEqual([10, expect.stringMatching(/^joust: a\.yaml: cannot be written: EFBIG/)])
    expect([readdirSync(cwd), readFileSync(join(cwd, 'a.yaml'), 'utf8')]).toEqual([['a.yaml'], text])
  })

  test('standard input cannot be rewritten', async () => {
    expect((await joust(['fmt', '--canonical', '--write', '-'], { stdin: GOOD })).code).toBe(64)
  })
})
