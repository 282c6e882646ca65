/** What a run leaves behind is for its user alone, and Joust touches nothing that it did not write. */
import { execFileSync, spawn } from 'node:child_process'
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SELF_PLAY, SERVER, WIRE } from '../run/documents.ts'
import { AGENT, EVERY_FORMAT, folder, joust, reportData } from '../world.ts'

const all = ['--out', 'out', '--report', EVERY_FORMAT, '--quiet']
const attack = (cwd: string, ...more: readonly string[]) =>
  joust(['run', 'a.oatf.yaml', ...WIRE, ...all, ...more], { cwd })
/** What the results say about a trace that could not be written. */
const told = (cwd: string) => {
  const path = join(cwd, 'out/results.json')
  return existsSync(path) && !lstatSync(path).isSymbolicLink() ? readFileSync(path, 'utf8') : ''
}
const mode = (path: string) => statSync(path).mode & 0o777
/** The most bytes of results, a journal or a recording that are read. */
const MOST = 256 * 1024 * 1024

describe.skipIf(process.platform === 'win32')('files', () => {
  test('results are 0600 in folders that are 0700', async () => {
    const cwd = folder({ 'a.oatf.yaml': SELF_PLAY })
    const mask = process.umask(0)
    try {
      expect((await attack(cwd)).code).toBe(1)
    } finally {
      process.umask(mask)
    }
    const names = readdirSync(join(cwd, 'out'), { recursive: true, encoding: 'utf8' }).filter(
      (name) => name !== 'traces',
    )
    expect(names).toContain('traces/a.1.jsonl')
    expect(names.length).toBeGreaterThan(7)
    for (const name of names) expect([name, mode(join(cwd, 'out', name))]).toEqual([name, 0o600])
    for (const name of ['out', 'out/traces']) expect([name, mode(join(cwd, name))]).toEqual([name, 0o700])
  })

  test.each(['journal.jsonl', 'traces/a.1.jsonl', 'report.html', 'results.json', 'junit.xml', '.joust-reports.json'])(
    'a link in place of %s is not followed',
    async (name) => {
      const cwd = folder({ 'a.oatf.yaml': SELF_PLAY, diary: 'mine' })
      mkdirSync(join(cwd, 'out/traces'), { recursive: true })
      symlinkSync(join(cwd, 'diary'), join(cwd, 'out', name))
      const { code, stderr, stdout } = await attack(cwd)
      expect(readFileSync(join(cwd, 'diary'), 'utf8')).toBe('mine')
      expect(stderr + stdout + told(cwd)).toMatch(/symbolic link|already contains results/)
      expect(code).not.toBe(0)
    },
  )

  test('a link to one of our journals is not followed either', async () => {
    const cwd = folder({ 'a.oatf.yaml': SELF_PLAY })
    await attack(cwd)
    renameSync(join(cwd, 'out/journal.jsonl'), join(cwd, 'elsewhere.jsonl'))
    symlinkSync(join(cwd, 'elsewhere.jsonl'), join(cwd, 'out/journal.jsonl'))
    const { code, stderr } = await joust(['run', 'a.oatf.yaml', ...WIRE, '--quiet', '--resume', 'out'], { cwd })
    expect([code, stderr]).toEqual([64, expect.stringContaining('symbolic links are not followed')])
  })

  test('a link in place of the folder of traces is not followed', async () => {
    const cwd = folder({ 'a.oatf.yaml': SELF_PLAY, 'theirs/x': '' })
    mkdirSync(join(cwd, 'out'))
    symlinkSync(join(cwd, 'theirs'), join(cwd, 'out/traces'))
    expect(await attack(cwd)).toMatchObject({ code: 64, stderr: expect.stringContaining('symbolic link') })
    expect(readdirSync(join(cwd, 'theirs'))).toEqual(['x'])
  })

  test.each(['report.html', 'junit.xml', 'summary.md', 'traces/a.1.jsonl'])(
    '%s of another program stays',
    async (name) => {
      const cwd = folder({ 'a.oatf.yaml': SELF_PLAY, [`out/${name}`]: 'a diary' })
      const { stdout, stderr } = await attack(cwd)
      expect(readFileSync(join(cwd, 'out', name), 'utf8')).toBe('a diary')
      expect(stdout + stderr + told(cwd)).toContain('Joust did not write it')
    },
  )

  test.each(['results.sarif', 'results.json'])('%s that begins almost as ours do stays', async (name) => {
    const theirs = '{\n  "version": "2.1.0",\n  "runs": []\n}\n'
    const cwd = folder({ 'a.oatf.yaml': SELF_PLAY, [`theirs/${name}`]: theirs })
    await attack(cwd)
    const { code, stderr } = await joust(['report', 'out', '--format', 'sarif,json', '--out', 'theirs'], { cwd })
    expect([code, readFileSync(join(cwd, 'theirs', name), 'utf8')]).toEqual([10, theirs])
    expect(stderr).toContain('Joust did not write it')
  })

  test('our reports are replaced until they are edited', async () => {
    const cwd = folder({ 'a.oatf.yaml': SELF_PLAY })
    await attack(cwd)
    const again = () => joust(['report', 'out', '--format', 'md,json', '--out', 'out'], { cwd })
    expect((await again()).code).toBe(0)
    writeFileSync(join(cwd, 'out/summary.md'), 'notes of mine')
    expect(await again()).toMatchObject({ code: 10, stderr: expect.stringContaining('Joust did not write it') })
    expect(readFileSync(join(cwd, 'out/summary.md'), 'utf8')).toBe('notes of mine')
  })

  test('events replace events and nothing else', async () => {
    const agent = AGENT.replace('model: any', 'model: sim/cautious')
    const cwd = folder({ 'a.agf.yaml': agent, 'diary.txt': 'mine' })
    const run = (file: string) => joust(['agent', 'run', 'a.agf.yaml', '-i', '"hello"', '--events', file], { cwd })
    expect([(await run('events.jsonl')).code, (await run('events.jsonl')).code]).toEqual([0, 0])
    expect(mode(join(cwd, 'events.jsonl'))).toBe(0o600)
    expect((await run('diary.txt')).code).toBe(64)
    expect(readFileSync(join(cwd, 'diary.txt'), 'utf8')).toBe('mine')
  })

  test.each([
    ['an attack', (path: string) => ['validate', path]],
    ['an attack that is run', (path: string) => ['run', path, ...WIRE]],
    ['an agent', (path: string) => ['agent', 'check', path]],
    ['an agent that is run', (path: string) => ['agent', 'run', path, '-i', '1']],
    ['a project file', (path: string) => ['run', 'a.oatf.yaml', ...WIRE, '--config', path]],
    ['a script', (path: string) => ['run', 'a.oatf.yaml', '--model', 'sim/scripted', '--script', path]],
    ['results', (path: string) => ['report', path]],
    ['a baseline', (path: string) => ['run', 'a.oatf.yaml', ...WIRE, '--baseline', path]],
    ['a trace', (path: string) => ['evaluate', 'a.oatf.yaml', '--trace', path]],
    ['a message', (path: string) => ['evaluate', 'a.oatf.yaml', '--message', path]],
    ['a file to be laid out', (path: string) => ['fmt', path]],
  ])('%s that is a device or a pipe is an error at once', async (_, argv) => {
    const cwd = folder({ 'a.oatf.yaml': SELF_PLAY })
    execFileSync('mkfifo', [join(cwd, 'pipe.yaml')])
    for (const path of ['/dev/zero', 'pipe.yaml']) {
      const { code, stderr, stdout } = await joust([...argv(path)], { cwd })
      expect(code).not.toBe(0)
      expect(stdout + stderr).toContain('not a regular file')
    }
  })

  test.each([
    ['an attack', (path: string) => ['validate', path], 'over the limit yamlBytes'],
    ['a trace', (path: string) => ['evaluate', 'a.oatf.yaml', '--trace', path], 'line 1: longer than'],
    ['a message', (path: string) => ['evaluate', 'a.oatf.yaml', '--message', path], 'over the limit yamlBytes'],
  ])('%s that a shell pipes in is measured while it is read', async (_, argv, said) => {
    const cwd = folder({ 'a.oatf.yaml': SELF_PLAY })
    const pipe = join(cwd, 'pipe')
    execFileSync('mkfifo', [pipe])
    const writer = spawn('sh', ['-c', `head -c 70000000 /dev/zero > ${pipe}`], { stdio: 'ignore' })
    const written = new Promise((resolve) => writer.once('exit', resolve))
    const file = openSync(pipe, 'r')
    const { code, stderr, stdout } = await joust(argv(`/dev/fd/${file}`), { cwd })
    closeSync(file)
    // The rest was not read.
    expect(await written).not.toBe(0)
    expect(code).not.toBe(0)
    expect(stdout + stderr).toContain(said)
  })

  test('a journal that is a pipe, or endless, ends the run before it begins', async () => {
    const cwd = folder({ 'a.oatf.yaml': SELF_PLAY })
    mkdirSync(join(cwd, 'out/traces'), { recursive: true })
    execFileSync('mkfifo', [join(cwd, 'out/journal.jsonl')])
    const argv = ['run', 'a.oatf.yaml', ...WIRE, '--quiet', '--resume', 'out']
    expect(await joust(argv, { cwd })).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('not a regular file'),
    })
  })

  test.each([
    ['results.json', 'a pipe'],
    ['results.json', 'endless'],
    ['traces/a.1.jsonl', 'a pipe'],
    ['traces/a.1.jsonl', 'endless'],
  ])('a folder of results whose %s is %s is reported without it, or not at all', async (name, kind) => {
    const cwd = folder({ 'a.oatf.yaml': SELF_PLAY })
    await attack(cwd)
    const path = join(cwd, 'out', name)
    rmSync(path)
    if (kind === 'a pipe') execFileSync('mkfifo', [path])
    else symlinkSync('/dev/zero', path)
    const { code, stdout, stderr } = await joust(['report', 'out', '--format', 'html'], { cwd })
    expect(reportData(stdout) + stderr).toMatch(/not a regular file|symbolic link|outside the (results )?folder/)
    if (name === 'results.json') expect([code, stdout]).toEqual([64, ''])
  })

  const tape = ['run', 'a.oatf.yaml', '--model', 'sim/credulous', '--grace', '0', '--quiet']

  /** Records; returns the files of the recording. */
  async function record(cwd: string): Promise<string[]> {
    expect((await joust([...tape, '--record', 'tapes'], { cwd })).code).toBe(3)
    const names = readdirSync(join(cwd, 'tapes'), { recursive: true, encoding: 'utf8' })
    const files = names.filter((name) => name.endsWith('.jsonl')).map((name) => join(cwd, 'tapes', name))
    expect(files).not.toEqual([])
    return files
  }

  test('a recording replaces recordings and nothing else', async () => {
    const cwd = folder({ 'a.oatf.yaml': SERVER })
    const [file = ''] = await record(cwd)
    await record(cwd)
    writeFileSync(file, 'a diary')
    const { code, stdout } = await joust([...tape, '--record', 'tapes'], { cwd })
    expect([code, readFileSync(file, 'utf8')]).toEqual([5, 'a diary'])
    expect(stdout).toContain('Joust did not write it')
  })

  test.each([
    ['results', 'results.json', ['report', 'out']],
    ['a journal', 'journal.jsonl', ['run', 'a.oatf.yaml', ...WIRE, '--quiet', '--resume', 'out']],
  ])('%s that are larger than they may be are an error', async (_, name, argv) => {
    const cwd = folder({ 'a.oatf.yaml': SELF_PLAY })
    await attack(cwd)
    truncateSync(join(cwd, 'out', name), MOST + 1)
    const { code, stderr } = await joust([...argv], { cwd })
    expect([code, stderr]).toEqual([64, expect.stringContaining(`the file is larger than ${MOST} bytes`)])
  })

  test('a recording above the size limit is not replayed', async () => {
    const cwd = folder({ 'a.oatf.yaml': SERVER })
    for (const file of await record(cwd)) truncateSync(file, MOST + 1)
    const { code, stdout } = await joust([...tape, '--replay', 'tapes'], { cwd })
    expect([code, stdout]).toEqual([5, expect.stringContaining(`the file is larger than ${MOST} bytes`)])
  })

  test.each(['a pipe', 'endless'])('a recording that is %s is not played', async (kind) => {
    const cwd = folder({ 'a.oatf.yaml': SERVER })
    for (const file of await record(cwd)) {
      rmSync(file)
      if (kind === 'a pipe') execFileSync('mkfifo', [file])
      else symlinkSync('/dev/zero', file)
    }
    const { code, stdout, stderr } = await joust([...tape, '--replay', 'tapes'], { cwd })
    expect(code).not.toBe(0)
    expect(code).not.toBe(3)
    expect(stdout + stderr).toMatch(/not a regular file|symbolic link|outside the (results )?folder/)
  })

  test.each([
    ['is not a journal', 'a diary'],
    ['is not a journal, in lines', 'a diary\nof mine\n'],
    [
      'has a line that is not a trial',
      '{"joust_journal":5,"identity":{}}\n{"file":"a","arm":"attack","fingerprint":"b","trial":{"trial":1}}\n',
    ],
  ])('a journal that %s is neither used nor changed', async (_, text) => {
    const cwd = folder({ 'a.oatf.yaml': SELF_PLAY, 'out/journal.jsonl': text })
    const { code } = await joust(['run', 'a.oatf.yaml', ...WIRE, '--quiet', '--resume', 'out'], { cwd })
    expect(code).toBe(64)
    expect(readFileSync(join(cwd, 'out/journal.jsonl'), 'utf8')).toBe(text)
  })

  test.each([
    [
      'a trial',
      '{"file":"a.oatf.yaml","arm":"attack","fingerprint":"b","trial":{"trial":1,"outcome":"resisted"}}',
      'invalid trial',
    ],
    ['a preflight', '{"preflight":{"status":"passed"}}', 'invalid preflight'],
  ])('a journal of ours with %s that is against its schema is not used', async (_, line, said) => {
    const cwd = folder({ 'a.oatf.yaml': SELF_PLAY })
    await attack(cwd)
    writeFileSync(join(cwd, 'out/journal.jsonl'), `${line}\n`, { flag: 'a' })
    const { code, stderr } = await joust(['run', 'a.oatf.yaml', ...WIRE, '--quiet', '--resume', 'out'], { cwd })
    expect([code, stderr]).toEqual([64, expect.stringContaining(said)])
  })

  test('results that are against their schema are not shown', async () => {
    const cwd = folder({ 'a.oatf.yaml': SELF_PLAY })
    await attack(cwd)
    const path = join(cwd, 'out/results.json')
    const results = JSON.parse(readFileSync(path, 'utf8'))
    results.targets[0].attacks[0].outcome = 'resisted, trust me'
    writeFileSync(path, JSON.stringify(results))
    expect(await joust(['report', 'out'], { cwd })).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('outcome'),
    })
  })
})
