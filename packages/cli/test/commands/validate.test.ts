import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AGENT, BAD, folder, GOOD, joust, WARNED } from '../world.ts'

/** As in earlier drafts: without a target, on a surface that has another name today. */
const OLD = `oatf: "0.1"
attack:
  id: ACME-007
  name: Old words
  x-joust-bait: ["attack.execution.state.tools[0]"]
  execution:
    mode: mcp_server
    state:
      tools: [{ name: search, inputSchema: { type: object }, responses: [{ content: [] }] }]
  indicators:
    - surface: tool_arguments
      pattern: { contains: password }
`

describe('a document in a dialect', () => {
  test('is checked as translated, and each translation is reported at its place', async () => {
    const { code, stdout } = await joust(['validate', '-'], { stdin: OLD })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^<stdin>:11:16 {2}warning D-003 {2}the surface "tool_arguments" is read as "tools\/call"/)
  })

  test('with --strict it is wrong, by the rules and by the table', async () => {
    const { code, stdout } = await joust(['validate', '-', '--strict'], { stdin: OLD })
    expect(code).toBe(1)
    expect(stdout).toContain('error V-021')
    expect(stdout).toMatch(/error D-003 .*not translated/)
  })

  test('lint reports translations and checks the translated document; with --strict the original', async () => {
    const target = OLD.replace('      pattern', '      target: arguments\n      pattern')
    const loose = await joust(['lint', '-'], { stdin: target })
    expect(loose).toMatchObject({ code: 0, stdout: expect.stringContaining('warning D-003') })
    expect(loose.stdout).not.toContain('L-')
    const strict = await joust(['lint', '-', '--strict'], { stdin: target })
    expect(strict.code).toBe(1)
    expect(strict.stdout).toMatch(/error D-003 .*not translated/)
  })
})

describe('files', () => {
  test('a sound document prints nothing but the summary', async () => {
    const cwd = folder({ 'a.yaml': GOOD })
    expect(await joust(['validate', 'a.yaml'], { cwd })).toEqual({
      code: 0,
      stdout: '',
      stderr: '1 file, 0 errors, 0 warnings\n',
    })
  })

  test('an error has its place, code, message and lines', async () => {
    const cwd = folder({ 'a.yaml': BAD })
    const { code, stdout, stderr } = await joust(['validate', 'a.yaml'], { cwd })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^a\.yaml:3:7 {2}error V-023 {2}invalid attack id "acme-7"/)
    expect(stdout).toContain('  > 3 |   id: acme-7\n      |       ^^^^^^\n')
    expect(stderr).toBe('1 file, 1 error, 0 warnings\nfor more about V-023: joust explain V-023\n')
  })

  test('JSON is read as well', async () => {
    const cwd = folder({ 'a.json': '{"oatf":"0.1","attack":{"execution":{"mode":"mcp_server","state":{"tools":[]}}}}' })
    expect((await joust(['validate', 'a.json'], { cwd })).code).toBe(0)
  })

  test('standard input', async () => {
    const { code, stdout } = await joust(['validate', '-'], { stdin: BAD })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^<stdin>:3:7 /)
  })

  test('CEL and JSONPath are checked, too', async () => {
    const cel = GOOD.replace('pattern: { contains: "/etc/passwd" }', 'expression: { cel: "1 +" }')
    const { code, stdout } = await joust(['validate', '-'], { stdin: cel })
    expect(code).toBe(1)
    expect(stdout).toContain('error V-014')
  })

  test('a path that is not there is wrong usage, and nothing is checked', async () => {
    const cwd = folder({ 'a.yaml': BAD })
    const { code, stdout, stderr } = await joust(['validate', 'a.yaml', 'b.yaml', '*.txt'], { cwd })
    expect(code).toBe(64)
    expect(stdout).toBe('')
    expect(stderr).toBe('joust: b.yaml: no such file\njoust: *.txt: no file matches\n')
  })

  test.each([
    ['binary', new Uint8Array([0x6f, 0, 0x61])],
    ['not-utf-8', new Uint8Array([0x6f, 0xff, 0xfe])],
    ['too-large', new Uint8Array(4 * 1024 * 1024 + 1).fill(0x20)],
  ])('a file that is %s', async (reason, content) => {
    const cwd = folder({ 'a.yaml': content })
    const { code, stdout } = await joust(['validate', 'a.yaml'], { cwd })
    expect(code).toBe(1)
    expect(stdout).toMatch(new RegExp(`^a\\.yaml  error ${reason}  `))
  })

  test('a project file that is named is checked as one', async () => {
    const cwd = folder({
      'joust.yaml': 'attacks: [attacks]\ntargets:\n  naive: { model: sim/credulous, trails: 3 }\n',
      'sound/joust.yaml': 'attacks: [attacks]\n',
      'broken/joust.yaml': 'attacks: [',
    })
    const wrong = await joust(['validate', 'joust.yaml', 'sound/joust.yaml'], { cwd })
    expect(wrong).toMatchObject({ code: 1, stderr: '2 files, 1 error, 0 warnings\n' })
    expect(wrong.stdout).toMatch(/^joust\.yaml:3:\d+ {2}error project {2}unknown field "trails"/)
    expect((await joust(['validate', 'broken/joust.yaml'], { cwd })).stdout).toContain('error syntax')
  })

  test('a file of neither format is an error that names both', async () => {
    const { code, stdout } = await joust(['validate', '-'], { stdin: 'name: x\nversion: 3\n' })
    expect(code).toBe(1)
    expect(stdout).toContain(
      'error not-oatf  not an attack document or agent file: expected the top-level keys "oatf" and "attack"',
    )
    expect(stdout).toContain('got "name", "version"')
  })

  test.each(['', 'oatf: [', '- oatf: "0.1"', 'a: 1\n---\nb: 2\n', 'oaft: "0.1"\natack: {}\n'])(
    'text that is not a document: %j',
    async (stdin) => {
      const { code, stdout } = await joust(['validate', '-'], { stdin })
      expect(code).toBe(1)
      expect(stdout).toMatch(/^<stdin>:\d+:\d+ {2}error /)
    },
  )
})

describe('folders', () => {
  test('documents are found by name and by content, in order; others are ignored', async () => {
    const cwd = folder({
      'd/z.oatf.yml': BAD,
      'd/a.yaml': BAD,
      'd/deep/er/m.json': '{ "oatf": "0.1" }',
      'd/package.json': '{ "name": "x" }',
      'd/notes.md': BAD,
      'd/node_modules/x.oatf.yaml': BAD,
      'd/.hidden/x.oatf.yaml': BAD,
    })
    const { code, stdout } = await joust(['validate', 'd'], { cwd })
    expect(code).toBe(1)
    const names = stdout.split('\n').flatMap((line) => /^(\S+?):\d+:\d+ {2}error/.exec(line)?.[1] ?? [])
    expect([...new Set(names)]).toEqual(['d/a.yaml', 'd/deep/er/m.json', 'd/z.oatf.yml'])
  })

  test('an empty .oatf.yaml is a finding, not something to pass over', async () => {
    const cwd = folder({ 'a.oatf.yaml': '' })
    const { code, stdout } = await joust(['validate', '.'], { cwd })
    expect(code).toBe(1)
    expect(stdout).toContain('a.oatf.yaml:1:1  error syntax')
  })

  test('a folder in which nothing was checked is not a success', async () => {
    const cwd = folder({ 'b.yaml': 'a: 1\n', 'c.json': '{}' })
    const { code, stderr } = await joust(['validate', '.'], { cwd })
    expect(code).toBe(64)
    expect(stderr).toBe('joust: no document in .\n')
  })

  test('an unreadable stranger is noted, an unreadable document is an error', async () => {
    const noise = new Uint8Array([0, 1, 2])
    const cwd = folder({ 'a.oatf.yaml': GOOD, 'data.json': noise })
    const noted = await joust(['validate', '.'], { cwd })
    expect(noted.code).toBe(0)
    expect(noted.stdout).toContain('data.json  note  not checked: this is a binary file')
    const other = folder({ 'a.oatf.yaml': noise })
    expect((await joust(['validate', '.'], { cwd: other })).code).toBe(1)
  })

  test('an empty folder is wrong usage', async () => {
    const cwd = folder()
    const { code, stderr } = await joust(['validate', '.'], { cwd })
    expect(code).toBe(64)
    expect(stderr).toContain('the folder contains no .yaml, .yml or .json file')
  })

  test('links that go in a circle do not', async () => {
    const cwd = folder({ 'd/a.oatf.yaml': GOOD })
    symlinkSync('..', join(cwd, 'd', 'loop'))
    symlinkSync('self.oatf.yaml', join(cwd, 'd', 'self.oatf.yaml'))
    const { code, stdout } = await joust(['validate', 'd'], { cwd })
    expect(code).toBe(1)
    expect(stdout).toBe(
      'd/self.oatf.yaml  error unreadable  the file cannot be read: its symbolic links form a cycle\n' +
        'd/loop  note  not searched: links to folders are not followed; specify this path to include the files in the folder\n',
    )
  })

  test('a folder with the name of a document is walked', async () => {
    const cwd = folder()
    mkdirSync(join(cwd, 'x.yaml'))
    expect((await joust(['validate', 'x.yaml'], { cwd })).code).toBe(64)
  })
})

describe('agents', () => {
  const broken = AGENT.replace('agf.react', 'agf.raect')
  const parent = `${AGENT}action_space: { local_agents: [{ alias: helper, source: sub/helper.agf.yaml }] }\n`

  test('a sound one passes, from standard input too', async () => {
    expect(await joust(['validate', '-'], { stdin: AGENT })).toEqual({
      code: 0,
      stdout: '',
      stderr: '1 file, 0 errors, 0 warnings\n',
    })
  })

  test('findings have their place, code, message and lines', async () => {
    const { code, stdout, stderr } = await joust(['validate', '-'], { stdin: broken })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^<stdin>:4:25 {2}warning unsupported_policy {2}.*Did you mean "agf\.react"\?/)
    expect(stdout).toContain('> 4 | execution_policy: { id: agf.raect')
    expect(stderr).toBe('1 file, 0 errors, 1 warning\n')
  })

  test('a sub-agent is checked with its parent, and reported once', async () => {
    const cwd = folder({
      'team.agf.yaml': parent,
      'sub/helper.agf.yaml': broken.replace('type: string', 'type: strong'),
    })
    const named = await joust(['validate', 'team.agf.yaml'], { cwd })
    expect(named.code).toBe(1)
    expect(named.stdout).toContain('sub/helper.agf.yaml:3:')
    expect((await joust(['validate', '.'], { cwd })).stdout).toBe(named.stdout)
  })

  test('both formats in one folder, in the order of their names', async () => {
    const cwd = folder({ 'b.yaml': BAD, 'a.agf.yaml': broken, 'c.agf.yaml': AGENT })
    const { stdout, stderr } = await joust(['validate', '.', '--format', 'json'], { cwd })
    const report = JSON.parse(stdout)
    expect(report.files.map(({ file, format, valid }: Record<string, unknown>) => [file, format, valid])).toEqual([
      ['a.agf.yaml', 'agent-format', true],
      ['b.yaml', 'oatf', false],
      ['c.agf.yaml', 'agent-format', true],
    ])
    expect(stderr).toBe('3 files, 1 error, 1 warning\n')
  })

  test('a file with the name of an agent is one, with any content', async () => {
    const cwd = folder({ 'a.agf.yaml': '' })
    const { code, stdout } = await joust(['validate', '.'], { cwd })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^a\.agf\.yaml:1:1 {2}error (?:yaml_syntax|schema_violation) {2}/)
  })

  test('--strict: unknown fields are errors, quiet warnings do not fail', async () => {
    const unknown = `${AGENT}surprise: 1\n`
    expect((await joust(['validate', '-'], { stdin: unknown })).code).toBe(0)
    const strict = await joust(['validate', '-', '--strict'], { stdin: unknown })
    expect(strict.code).toBe(1)
    expect(strict.stdout).toContain('error unknown_field')
    const open = AGENT.replace('type: string', 'type: object').replace(
      'model: any',
      'model: any, user_prompt_template: "{{a}}"',
    )
    const quiet = await joust(['validate', '-', '--strict'], { stdin: open })
    expect(quiet.code).toBe(0)
    expect(quiet.stdout).toContain('warning unknown_variable')
  })

  test('a setting without effect causes a warning', async () => {
    const stdin = `${AGENT}action_space: { local_tools: [{ alias: rm, aproval: true }] }\n`
    expect((await joust(['validate', '-'], { stdin })).stdout).toContain('WARNING unknown_field')
  })
})

describe('options', () => {
  test('globs, also in quotes; each file once', async () => {
    const cwd = folder({ 'a/x.yaml': GOOD, 'b/x.yaml': GOOD, 'b/y.yml': GOOD })
    const { stderr } = await joust(['validate', '{a,b}/*.y?ml', '**/x.yaml', 'a/x.yaml'], { cwd })
    expect(stderr).toBe('2 files, 0 errors, 0 warnings\n')
  })

  test('--strict lets warnings fail', async () => {
    expect((await joust(['validate', '-'], { stdin: WARNED })).code).toBe(0)
    expect((await joust(['validate', '-', '--strict'], { stdin: WARNED })).code).toBe(1)
  })

  test('--quiet prints what makes the command fail and nothing else', async () => {
    expect(await joust(['validate', '-', '--quiet'], { stdin: WARNED })).toEqual({ code: 0, stdout: '', stderr: '' })
    const bad = await joust(['validate', '-', '--quiet'], { stdin: BAD })
    expect(bad.stderr).toBe('')
    expect(bad.stdout).toContain('V-023')
    const strict = await joust(['validate', '-', '--quiet', '--strict'], { stdin: WARNED })
    expect(strict.stdout).toContain('warning W-002')
  })

  test('colours follow the terminal, NO_COLOR and FORCE_COLOR', async () => {
    const output = async (env: Record<string, string>, isTTY: boolean) =>
      (await joust(['validate', '-'], { stdin: BAD, env, isTTY })).stdout.includes('\u001b[')
    expect(await output({}, true)).toBe(true)
    expect(await output({}, false)).toBe(false)
    expect(await output({ NO_COLOR: '1' }, true)).toBe(false)
    expect(await output({ FORCE_COLOR: '1' }, false)).toBe(true)
    expect(await output({ FORCE_COLOR: '0' }, true)).toBe(false)
    expect(await output({ TERM: 'dumb' }, true)).toBe(false)
  })

  test.each(['text', 'json', 'sarif', 'github'])('--format %s lets nothing steer the terminal', async (format) => {
    const stdin = GOOD.replace('ACME-007', '"\\e[31m\\u202Eevil\\x9b"')
    const { code, stdout } = await joust(['validate', '-', '--format', format], { stdin })
    expect(code).toBe(1)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  })

  test('an unknown format is wrong usage', async () => {
    const { code, stderr } = await joust(['validate', '-', '--format', 'xml'])
    expect(code).toBe(64)
    expect(stderr).toContain('--format expects one of text, json, sarif, github')
  })
})
