import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AttackResults, type Results, type Trial, writeResults } from '@joust/arena'
import { describe, expect, test } from 'vitest'
import { readXml } from '../render/read-xml.ts'
import { results } from '../render/results.ts'
import { sarifFaults } from '../render/sarif-faults.ts'
import { folder, joust } from '../world.ts'

const key = `AKIA${'Q'.repeat(16)}`
const leaking: Results = { ...results, target: { ...results.target, name: `clerk ${key}` } }

function withVerdict(result: 'exploited' | 'not_exploited', name = 'clerk'): string {
  const [first] = results.attacks
  const [trial] = first?.trials ?? []
  if (first === undefined || trial === undefined) throw new Error('no trial')
  const { max_tier: _, ...verdict } = first.verdict
  const trials: Trial[] = [{ ...trial, verdict: { ...verdict, result } }]
  const attack: AttackResults = { ...first, verdict: { ...verdict, result }, trials }
  return writeResults({ ...results, target: { kind: 'agent', name }, attacks: [attack] })
}

describe('joust report', () => {
  test('prints one format, by folder or file', async () => {
    const cwd = folder({ 'run/results.json': writeResults(results) })
    for (const word of ['run', 'run/results.json']) {
      const { code, stdout } = await joust(['report', word, '--format', 'junit'], { cwd })
      expect(code).toBe(0)
      expect(readXml(stdout).name).toBe('testsuites')
    }
    expect((await joust(['report', 'run'], { cwd })).stdout).toMatch(/^## Joust: 1 of 4 attacks went through/)
  })

  test('writes several into a folder', async () => {
    const cwd = folder({ 'run/results.json': writeResults(results) })
    const formats = 'json,junit,sarif,md,github,html'
    const { code, stderr, stdout } = await joust(['report', 'run', '-f', formats, '--out', 'out/deep'], { cwd })
    expect([code, stdout]).toEqual([0, ''])
    const out = join(cwd, 'out/deep')
    expect(readdirSync(out).sort()).toEqual(
      ['annotations.txt', 'junit.xml', 'report.html', 'results.json', 'results.sarif', 'summary.md'].sort(),
    )
    expect(stderr).toContain('joust: out/deep/junit.xml\n')
    expect(sarifFaults(JSON.parse(readFileSync(join(out, 'results.sarif'), 'utf8')))).toEqual([])
    expect(readFileSync(join(out, 'results.json'), 'utf8')).toBe(writeResults(results))
    expect(readFileSync(join(out, 'report.html'), 'utf8')).not.toContain('<script>alert(1)')
  })

  test('hides secrets unless told otherwise', async () => {
    const cwd = folder({ 'results.json': writeResults(leaking) })
    for (const format of ['json', 'junit', 'md']) {
      const { stdout } = await joust(['report', '.', '-f', format], { cwd })
      expect(stdout).toContain('redacted: aws-access-key-id')
      expect(stdout).not.toContain(key)
    }
    expect((await joust(['report', '.', '--show-secrets'], { cwd })).stdout).toContain(key)
    expect((await joust(['report', '.', '--redact', 'cl.rk'], { cwd })).stdout).not.toContain('clerk')
  })

  test.each([
    [['report', '.', '-f', 'pdf'], 'there is no "pdf"'],
    [['report', '.', '-f', 'md,junit'], 'several formats need a folder: --out DIR'],
    [['report', '.', '--redact', '('], '--redact "(": '],
    [['report', 'nowhere'], 'there is no such file'],
    [['report', 'bad.json'], 'version 7'],
    [['report', 'worse.json'], 'target is missing'],
  ])('%j is wrong usage', async (argv, message) => {
    const worse = JSON.parse(writeResults(results))
    delete worse.target
    const files = {
      'results.json': writeResults(results),
      'bad.json': '{"version":7}',
      'worse.json': JSON.stringify(worse),
    }
    const { code, stderr, stdout } = await joust(argv, { cwd: folder(files) })
    expect([code, stdout]).toEqual([64, ''])
    expect(stderr.replaceAll('the field "target" is missing', 'target is missing')).toContain(message)
  })

  test('a folder that cannot be made is told', async () => {
    const cwd = folder({ 'results.json': writeResults(results), file: '' })
    const { code, stderr } = await joust(['report', '.', '--out', 'file'], { cwd })
    expect(code).toBe(1)
    expect(stderr).toContain('cannot be written')
    expect(existsSync(join(cwd, 'file', 'summary.md'))).toBe(false)
  })
})

describe('joust diff', () => {
  const cwd = () =>
    folder({
      'fell.json': withVerdict('exploited'),
      'stood.json': withVerdict('not_exploited'),
      'other.json': withVerdict('exploited', 'other'),
    })

  test('says what has changed', async () => {
    const { code, stdout } = await joust(['diff', 'stood.json', 'fell.json'], { cwd: cwd() })
    expect(code).toBe(0)
    expect(stdout).toBe('new        Leak  0/1 -> 1/1  library/a b/leak.oatf.yaml\n\n1 new, 1 regression\n')
  })

  test.each([
    ['stood.json', 'fell.json', 1],
    ['fell.json', 'stood.json', 0],
    ['fell.json', 'fell.json', 0],
  ])('--fail-on regression from %s to %s exits %i', async (before, after, code) => {
    expect((await joust(['diff', before, after, '--fail-on', 'regression'], { cwd: cwd() })).code).toBe(code)
  })

  test('refuses unlike targets unless told', async () => {
    const root = cwd()
    const refused = await joust(['diff', 'stood.json', 'other.json'], { cwd: root })
    expect([refused.code, refused.stdout]).toEqual([64, ''])
    expect(refused.stderr).toContain('not to be compared: the target was "clerk" and is "other"')
    const forced = await joust(['diff', 'stood.json', 'other.json', '--force', '--json'], { cwd: root })
    expect(forced.code).toBe(0)
    expect(JSON.parse(forced.stdout).counts.new).toBe(1)
    expect(forced.stderr).toContain('compared although the target was')
  })

  test('a file that is not there', async () => {
    expect((await joust(['diff', 'fell.json', 'nowhere'], { cwd: cwd() })).code).toBe(64)
  })
})

describe('joust coverage', () => {
  test('a table of techniques', async () => {
    const { code, stdout } = await joust(['coverage', '.'], { cwd: folder({ 'results.json': writeResults(results) }) })
    expect(code).toBe(0)
    expect(stdout.split('\n')).toEqual([
      'technique                      a2a  ag_ui  mcp  none',
      'atlas AML.T0073 Impersonation  ·    1/1    1/1  ·',
      '',
      'attacks that went through / all; p in part, ? without a verdict',
      '',
      'no technique: hostile.yaml, away.yaml, fine.yaml',
      '',
    ])
  })

  test('for programs', async () => {
    const cwd = folder({ 'results.json': writeResults(results) })
    const { stdout } = await joust(['coverage', '.', '--json'], { cwd })
    expect(JSON.parse(stdout).techniques).toHaveLength(1)
  })
})
