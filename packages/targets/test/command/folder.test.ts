/** `x-joust-files`: files in the working folder of a command, and what the command does with them. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type LoadedAttack, load } from '@joust/oatf'
import { own } from '@joust/source'
import { expect, test } from 'vitest'
import { needsOf } from '../../../arena/src/model/needs.ts'
import { runAttack } from '../../../arena/src/run.ts'
import { commandTarget } from '../../src/command.ts'
import { functionTarget } from '../../src/function.ts'

const agent = fileURLToPath(new URL('../fixtures/obedient.sh', import.meta.url))
const document = readFileSync(new URL('../fixtures/instruction-file.oatf.yaml', import.meta.url), 'utf8')

function read(text = document): LoadedAttack {
  const loaded = load(text)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  return loaded.value
}

const play = (attack = read()) =>
  runAttack(attack, { limits: { graceMs: 0 }, target: commandTarget({ command: ['sh', agent] }) })

test('files are written, and changes and commands are matched', async () => {
  const run = await play()
  expect(run.verdict.indicator_verdicts.map(({ result }) => result)).toEqual(['matched', 'matched'])
  const folder = run.trace.filter(({ actor }) => actor === 'workspace')
  expect(folder.map(({ flow, surface, content }) => [flow, surface, content])).toMatchObject([
    ['out', 'file/laid', { path: 'AGENTS.md', text: expect.stringContaining('expr 40') }],
    ['out', 'file/laid', { path: 'src/build.txt', text: 'make\n' }],
    ['out', 'file/laid', { path: 'notes/old.txt', text: 'old' }],
    ['in', 'file/changed', { path: 'notes/old.txt', change: 'deleted' }],
    ['in', 'file/changed', { path: 'out/made.txt', change: 'created', text: 'new' }],
    ['in', 'file/changed', { path: 'src/build.txt', change: 'changed', text: 'make\nchanged\n' }],
    ...['cat', 'sh', 'expr', 'rm', 'mkdir'].map((command) => ['in', 'command/started', { command, folder: '.' }]),
  ])
  expect(folder.map(({ content }) => content)).toContainEqual({
    command: 'expr',
    args: ['40', '+', '2'],
    folder: '.',
    line: 'expr 40 + 2',
  })
  expect(run.exposure).toMatchObject({ delivered: expect.arrayContaining(['attack.x-joust-files[0].text']) })
  // The path outside the folder.
  expect(run.diagnostics).toMatchObject([{ code: 'state-malformed', path: 'attack.x-joust-files[3]' }])
})

const commands = ['cat', 'sh AGENTS.md', 'expr 40 + 2', 'rm notes/old.txt', 'mkdir -p out']

async function commandsOf(target: ReturnType<typeof commandTarget>): Promise<unknown[]> {
  const run = await runAttack(read(), { limits: { graceMs: 0 }, target })
  const started = run.trace.flatMap(({ surface, content }) => (surface === 'command/started' ? [content] : []))
  return started.map((content) => own(content, 'line'))
}

test('the interpreter of the agent is not a command of the agent', async () => {
  const target = commandTarget({ command: ['/usr/bin/env', 'sh', agent] })
  expect(await commandsOf(target)).toEqual(commands)
})

test.each([
  ['a script', '"$@"', ['{prompt}']],
  ['npx, which uses a shell', 'sh -c "$1 $2 $3 \'$4\' $5"', ['--ask', '{prompt}', '{work}']],
  ['the variable PROMPT', 'sh "$2" "$PROMPT"', []],
])('a wrapper that starts the agent is not a command of the agent: %s', async (_, line, words) => {
  const folder = mkdtempSync(join(tmpdir(), 'joust-wrapper-'))
  try {
    const wrapper = join(folder, 'wrapper')
    writeFileSync(wrapper, `#!/bin/sh\n${line}\nexit 0\n`, { mode: 0o755 })
    const target = commandTarget({ command: [wrapper, 'sh', agent, ...words] })
    expect(await commandsOf(target)).toEqual(commands)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a folder of the user gets no files, and relative words still name its files', async () => {
  const cwd = dirname(agent)
  const before = readdirSync(cwd)
  const target = commandTarget({ command: ['sh', 'obedient.sh'], cwd })
  const run = await runAttack(read(), { limits: { graceMs: 0 }, target })
  expect(run.verdict.result).toBe('exploited')
  expect(readdirSync(cwd)).toEqual(before)
})

test('with another text in the file nothing happens', async () => {
  const start = document.indexOf('      text: |')
  const end = document.indexOf('    - { path: src')
  const run = await play(read(`${document.slice(0, start)}      text: "true"\n${document.slice(end)}`))
  expect(run.verdict.result).toBe('not_exploited')
})

test('targets without a working folder of the run are not applicable', async () => {
  const needs = needsOf(read())
  expect(commandTarget({ command: ['sh', agent] }).lacks?.(needs)).toEqual([])
  const run = await runAttack(read(), { target: functionTarget({ name: 'agent', call: async () => 'done' }) })
  expect(run.outcome).toBe('not_applicable')
  expect(run.reasons[0]).toMatch(/has no working folder$/)
})
