import { describe, expect, test } from 'vitest'
import { run } from '../src/main.ts'
import { joust, memoryIo } from './world.ts'

const commands = [
  'run',
  'report',
  'diff',
  'coverage',
  'prove',
  'library',
  'validate',
  'lint',
  'fmt',
  'explain',
  'evaluate',
  'agent',
  'conformance',
  'demo',
  'completion',
]

test('--version', async () => {
  expect(await joust(['--version'])).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    stderr: '',
  })
})

test('--help names every command and shows how to start', async () => {
  const { code, stdout } = await joust(['--help'])
  expect(code).toBe(0)
  for (const command of commands) expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'))
  expect(stdout).toContain('$ joust validate')
})

test.each([['frob'], ['valdate', '(Did you mean validate?)']])(
  'help %s says that there is none',
  async (word, ...hint) => {
    const { code, stdout, stderr } = await joust(['help', word])
    const lines = [
      `joust: unknown command '${word}'`,
      ...hint,
      expect.stringContaining('run joust help for a list of commands'),
    ]
    expect({ code, stdout, stderr: stderr.trimEnd().split('\n') }).toEqual({ code: 64, stdout: '', stderr: lines })
  },
)

test('help for a command of a group, and for one that the group does not have', async () => {
  expect(await joust(['help', 'agent', 'run'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Usage: joust agent run/),
  })
  expect(await joust(['help', 'agent', 'frob'])).toMatchObject({ code: 64, stderr: expect.stringContaining("'frob'") })
})

test.each(commands)('%s --help has examples', async (command) => {
  const { code, stdout, stderr } = await joust([command, '--help'])
  expect(code).toBe(0)
  expect(stderr).toBe('')
  expect(stdout).toContain(`Usage: joust ${command}`)
  expect(stdout).toContain(`$ joust ${command}`)
})

describe('wrong usage', () => {
  test.each([
    [[], 'Usage: joust'],
    [['validat', 'x'], 'Did you mean validate?'],
    [['validate', '--strikt', 'x'], 'Did you mean --strict?'],
    [['validate'], "joust: missing required argument 'path'"],
    [['run', '--nope'], "joust: unknown option '--nope'"],
    [['evaluate', 'x'], 'missing option: --trace FILE or --message FILE'],
    [['explain', 'V-001', 'V-002'], 'unknown code or term V-001 V-002'],
    [['fmt', '--write', '--check', 'x'], 'cannot be used with'],
  ])('%j', async (argv, message) => {
    const { code, stdout, stderr } = await joust(argv)
    expect(code).toBe(64)
    expect(stdout).toBe('')
    expect(stderr).toContain(message)
    expect(stderr).not.toMatch(/^ {4}at /m)
  })
})

test('an internal error is exit code 10 and one sentence', async () => {
  const { io, stderr } = memoryIo()
  const broken = { ...io, stdin: () => Promise.reject(new Error('out of order')) }
  expect(await run(['validate', '-'], broken)).toBe(10)
  expect(stderr.join('')).toBe('joust: internal error, please report it: out of order\n')
})

test.each(['run', 'search', 'harden', 'lint', 'evaluate', 'diff', 'agent run'])(
  'the help of %s keeps its paragraphs within 80 columns',
  async (words) => {
    const { stdout } = await joust([...words.split(' '), '--help'])
    expect(stdout).toContain('Examples:\n  $ joust')
    expect(stdout.split('\n').filter((line) => line.length > 80 && !line.startsWith('  '))).toEqual([])
  },
)
