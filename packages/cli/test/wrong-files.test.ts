/**
 * Every command that reads a file, given a missing one, a folder, bytes and nothing: one sentence with the name as
 * given.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folder, GOOD, joust } from './world.ts'

function world(): string {
  const cwd = folder({ 'good.oatf.yaml': GOOD, 'empty.yaml': '' })
  mkdirSync(join(cwd, 'folder'))
  writeFileSync(join(cwd, 'binary.yaml'), new Uint8Array([0x6a, 0x00, 0xff, 0xfe, 0x0a]))
  return cwd
}

const SIMULATED = ['--model', 'sim/silent']
const NO_FILE = /^joust: (?:--\w+ )?missing\.yaml: (?:there is )?no such file$/
const FOLDER = /^joust: (?:--\w+ )?folder: (?:this is a directory, not a file|the folder (?:contains|has) no .+)$/

/** The words before and after the file. */
const commands: [before: string[], after?: string[]][] = [
  [['validate']],
  [['lint']],
  [['fmt']],
  [['migrate']],
  [['prove']],
  [['mutate'], ['--by', 'all']],
  [['search'], [...SIMULATED, '--attacker', 'sim/attacker']],
  [['run'], SIMULATED],
  [['run', 'good.oatf.yaml', '--agent']],
  [['run', '--config']],
  [['run', 'good.oatf.yaml', ...SIMULATED, '--dry-run', '--baseline']],
  [['evaluate'], ['--trace', 'good.oatf.yaml']],
  [['evaluate', 'good.oatf.yaml', '--trace']],
  [['evaluate', 'good.oatf.yaml', '--message']],
  [['agent', 'check']],
  [['agent', 'graph']],
  [
    ['agent', 'run'],
    ['--input', '"hi"'],
  ],
  [['report']],
  [['diff'], ['good.oatf.yaml']],
  [['coverage']],
]

describe.each(commands)('joust %j FILE %j', (before, after = []) => {
  const given = (name: string, cwd = world()) => joust([...before, name, ...after], { cwd })

  test.each([
    ['missing.yaml', NO_FILE],
    ['folder', FOLDER],
  ])('%s is wrong usage, said in one sentence', async (name, sentence) => {
    const { code, stdout, stderr } = await given(name)
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' })
    expect(stderr.split('\n')[0]).toMatch(sentence)
  })

  test.each(['binary.yaml', 'empty.yaml'])('%s is not taken for a document', async (name) => {
    const cwd = world()
    const { code, stdout, stderr } = await given(name, cwd)
    expect([1, 5, 64]).toContain(code)
    expect(stdout + stderr).not.toMatch(/ENOENT|EISDIR|Error:|encoded data/)
    expect(stdout + stderr).not.toContain(cwd)
  })
})
