/**
 * Code that a project file names: loaded only from the project file in force, which is reported, and never in a dry
 * run.
 */
import { chownSync, existsSync, lchownSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { agentText } from '../agents.ts'
import { SERVER } from '../run/documents.ts'
import { folder, joust } from '../world.ts'

/** Code that writes a file next to where it was loaded. */
const mark = (path: string) => `import { writeFileSync } from 'node:fs'
writeFileSync(new URL('${path}', import.meta.url), '')
export const greet = { inputSchema: { type: 'object' }, call: () => 'hello' }
export default () => 'hello'
`
const AGENT = agentText({ actions: '{ local_tools: [{ alias: greet, description: Greets. }] }' })
const BINDINGS = 'bindings: { tools: { greet: { module: ./code.mjs } } }\n'
const FUNCTION = 'targets: { mine: { module: ./code.mjs } }\n'
const quick = ['--model', 'sim/silent', '--grace', '0', '--quiet', '--out', 'out']

/** An agent with a project file beside it, in a folder below the working folder. */
const beside = (file: string) =>
  folder({
    'a.oatf.yaml': SERVER,
    'theirs/a.agf.yaml': AGENT,
    [`theirs/${file}`]: BINDINGS,
    'theirs/code.mjs': mark('./loaded'),
  })
const loaded = (cwd: string) => existsSync(join(cwd, 'loaded')) || existsSync(join(cwd, 'theirs/loaded'))

describe.each(['joust.yaml', 'joust.config.yaml'])('%s beside an agent file', (file) => {
  test.each([
    ['run --dry-run', ['run', 'a.oatf.yaml', '--agent', 'theirs/a.agf.yaml', ...quick, '--dry-run']],
    ['run', ['run', 'a.oatf.yaml', '--agent', 'theirs/a.agf.yaml', ...quick]],
    ['agent run', ['agent', 'run', 'theirs/a.agf.yaml', '-i', '"hello"']],
    ['agent check', ['agent', 'check', 'theirs/a.agf.yaml']],
    ['validate', ['validate', 'theirs']],
  ])('%s does not load the code that it names', async (_, argv) => {
    const cwd = beside(file)
    const { stderr } = await joust(argv, { cwd })
    expect(loaded(cwd)).toBe(false)
    expect(stderr).not.toContain('loading code')
  })
})

const inForce = { 'a.oatf.yaml': SERVER, 'a.agf.yaml': AGENT, 'code.mjs': mark('./loaded') }

describe('the project file in force', () => {
  test.each([
    ['joust.yaml of the working folder', 'joust.yaml', []],
    ['the one that --config names', 'theirs/other.yaml', ['--config', 'theirs/other.yaml']],
  ])('%s: code and file are printed before loading', async (_, file, words) => {
    const code = file.replace(/[^/]*$/, 'code.mjs')
    const cwd = folder({ ...inForce, [file]: BINDINGS, [code]: mark('./loaded') })
    const { stderr } = await joust(['run', 'a.oatf.yaml', '--agent', 'a.agf.yaml', ...quick, ...words], { cwd })
    expect(stderr).toContain(`joust: loading code: ${code}, specified in ${file}\n`)
    expect(loaded(cwd)).toBe(true)
  })

  test.each([
    ['tools', BINDINGS, ['a.oatf.yaml', '--agent', 'a.agf.yaml', ...quick]],
    ['a function', FUNCTION, ['a.oatf.yaml', '--quiet']],
  ])('a dry run loads nothing: %s', async (_, project, words) => {
    const cwd = folder({ ...inForce, 'joust.yaml': project })
    const { code, stderr } = await joust(['run', ...words, '--dry-run'], { cwd })
    expect([code, loaded(cwd)]).toEqual([0, false])
    expect(stderr).not.toContain('loading code')
    // The same command without the option does load it.
    await joust(['run', ...words], { cwd })
    expect(loaded(cwd)).toBe(true)
  })

  test('programs are started after the file is printed, and not in a dry run', async () => {
    const program = `require('node:fs').writeFileSync('loaded', '')`
    const exec = JSON.stringify(`${process.execPath} start.cjs`)
    const cwd = folder({ ...inForce, 'start.cjs': program, 'joust.yaml': `targets: { mine: { exec: ${exec} } }\n` })
    const dry = await joust(['run', 'a.oatf.yaml', '--dry-run'], { cwd })
    expect([dry.code, loaded(cwd)]).toEqual([0, false])
    const { stderr } = await joust(['run', 'a.oatf.yaml', '--grace', '0', '--out', 'out'], { cwd })
    expect(loaded(cwd)).toBe(true)
    expect(stderr).toContain('joust: using joust.yaml\n')
  })
})

describe('code that cannot be called is not loaded', () => {
  const plain = agentText({})
  test.each([
    ['by a model', ['run', 'a.oatf.yaml', ...quick]],
    ['by an agent without that tool', ['run', 'a.oatf.yaml', '--agent', 'plain.agf.yaml', ...quick]],
    ['by such an agent that is run', ['agent', 'run', 'plain.agf.yaml', '--model', 'sim/silent', '--input', '"x"']],
  ])('%s', async (_, argv) => {
    for (const bindings of [BINDINGS, 'bindings: { module: ./code.mjs }\n']) {
      const cwd = folder({ ...inForce, 'plain.agf.yaml': plain, 'joust.yaml': bindings })
      const { stderr } = await joust(argv, { cwd })
      expect(stderr).not.toMatch(/loading code|error/)
      expect(loaded(cwd)).toBe(false)
    }
  })

  test('but a tool of an agent is, and so is the module that may have it', async () => {
    for (const bindings of [BINDINGS, 'bindings: { module: ./code.mjs }\n']) {
      const cwd = folder({ ...inForce, 'joust.yaml': bindings })
      await joust(['run', 'a.oatf.yaml', '--agent', 'a.agf.yaml', ...quick], { cwd })
      expect(loaded(cwd)).toBe(true)
    }
  })
})

// Only root can give a file away.
describe.runIf(process.getuid?.() === 0)('root and a project file of another user', () => {
  const argv = (above: string) => ['run', `${above}a.oatf.yaml`, '--agent', `${above}a.agf.yaml`, ...quick]
  const theirs = () => {
    const cwd = folder({ ...inForce, 'joust.yaml': BINDINGS })
    mkdirSync(join(cwd, 'below'))
    return cwd
  }

  test('in a folder above: it is refused', async () => {
    const cwd = theirs()
    chownSync(join(cwd, 'joust.yaml'), 4321, 4321)
    const { code, stderr } = await joust(argv('../'), { cwd: join(cwd, 'below') })
    expect([code, loaded(cwd)]).toEqual([64, false])
    expect(stderr).toContain('belongs to another user and may run code')
  })

  test('in the working folder: it is used, and its owner is named even with --quiet', async () => {
    const cwd = theirs()
    chownSync(join(cwd, 'joust.yaml'), 4321, 4321)
    const { stderr } = await joust(argv(''), { cwd })
    expect(stderr).toContain('joust: using joust.yaml, which belongs to user 4321\n')
    expect(loaded(cwd)).toBe(true)
  })

  test("a link of theirs to a file of root's is theirs", async () => {
    const cwd = theirs()
    symlinkSync('../joust.yaml', join(cwd, 'below/joust.yaml'))
    lchownSync(join(cwd, 'below/joust.yaml'), 4321, 4321)
    mkdirSync(join(cwd, 'below/deeper'))
    const { code } = await joust(argv('../../'), { cwd: join(cwd, 'below/deeper') })
    expect([code, loaded(cwd)]).toEqual([64, false])
  })
})

test.runIf(process.getuid?.() === 0)('a project file of another user in a folder above is refused', async () => {
  const cwd = folder({ ...inForce, 'joust.yaml': BINDINGS })
  mkdirSync(join(cwd, 'below'))
  chownSync(join(cwd, 'joust.yaml'), 4321, 4321)
  const user = vi.spyOn(process, 'getuid').mockReturnValue(1234)
  onTestFinished(() => user.mockRestore())
  const argv = ['run', '../a.oatf.yaml', '--agent', '../a.agf.yaml', ...quick]
  const { code, stderr } = await joust(argv, { cwd: join(cwd, 'below') })
  expect([code, loaded(cwd)]).toEqual([64, false])
  expect(stderr).toContain('belongs to another user')
  await joust([...argv, '--config', '../joust.yaml'], { cwd: join(cwd, 'below') })
  expect(loaded(cwd)).toBe(true)
})
