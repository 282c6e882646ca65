import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { reportFormatNames, reportFormats, sideBySide } from '@joust/report/formats'
import {
  type AttackResults,
  type Redacted,
  type Results,
  type Trial,
  writeResults as writeRedacted,
} from '@joust/results'
import { describe, expect, test } from 'vitest'
import { TRACE_SEPARATOR, traceBlockId } from '../../../report/src/components/data.ts'
import { readXml } from '../../../report/test/read-xml.ts'
import { results, twoTargets } from '../../../report/test/results.ts'
import { sarifFaults } from '../../../report/test/sarif-faults.ts'
import { EVERY_FORMAT, folder, joust } from '../world.ts'

/** Results as in a file, with any content. */
const writeResults = (some: Results) => writeRedacted(some as Redacted<Results>)

const key = `AKIA${'Q'.repeat(16)}`
const leaking: Results = { ...results, targets: results.targets.map((target) => ({ ...target, name: `clerk ${key}` })) }

const noVerdict = { indicator_verdicts: [], evaluation_summary: { matched: 0, not_matched: 0, error: 0, skipped: 0 } }

function withOutcome(outcome: 'exploited' | 'resisted', name = 'clerk', task?: Trial['task']): string {
  const [first] = results.targets[0]?.attacks ?? []
  const [trial] = first?.trials ?? []
  if (first === undefined || trial === undefined) throw new Error('no trial')
  const { max_tier: _, ...matched } = first.verdict
  const verdict = outcome === 'resisted' ? { ...noVerdict, result: 'not_exploited' as const } : matched
  const { task: __, tier: ___, ...run } = trial
  const { tier: ____, ...one } = first
  const trials: Trial[] = [{ ...run, outcome, verdict, ...(task === undefined ? {} : { task }) }]
  const attack: AttackResults = { ...one, outcome, verdict, trials }
  return writeResults({ ...results, targets: [{ kind: 'agent', name, attacks: [attack] }] })
}

describe('joust report', () => {
  test('prints one format, by folder or file', async () => {
    const cwd = folder({ 'run/results.json': writeResults(results) })
    for (const word of ['run', 'run/results.json']) {
      const { code, stdout } = await joust(['report', word, '--format', 'junit'], { cwd })
      expect(code).toBe(0)
      expect(readXml(stdout).name).toBe('testsuites')
    }
    expect((await joust(['report', 'run'], { cwd })).stdout).toMatch(/^## Joust: 1 of 3 judged attacks succeeded/)
  })

  test('writes several into a folder', async () => {
    const cwd = folder({ 'run/results.json': writeResults(results) })
    const { code, stderr, stdout } = await joust(['report', 'run', '-f', EVERY_FORMAT, '--out', 'out/deep'], { cwd })
    expect([code, stdout]).toEqual([0, ''])
    const out = join(cwd, 'out/deep')
    expect(readdirSync(out).sort()).toEqual(
      ['.joust-reports.json', ...reportFormatNames.map((name) => reportFormats[name].file)].sort(),
    )
    expect(stderr).toContain('joust: out/deep/junit.xml\n')
    expect(sarifFaults(JSON.parse(readFileSync(join(out, 'results.sarif'), 'utf8')))).toEqual([])
    expect(readFileSync(join(out, 'results.json'), 'utf8')).toBe(writeResults(results))
    expect(readFileSync(join(out, 'report.html'), 'utf8')).not.toContain('<script>alert(1)')
  })

  describe('several runs', () => {
    test('are shown side by side, each with its own traces', async () => {
      const line = (text: string) => `${JSON.stringify({ joust_trace: 1 })}\n${text}`
      const cwd = folder({
        'one/results.json': withOutcome('exploited', 'one'),
        'other/results.json': withOutcome('resisted', 'other'),
        'one/traces/a.1.jsonl': line('no message of one'),
        'other/traces/a.1.jsonl': line('no message of other\nnor this'),
      })
      const html = await joust(['report', 'one', 'other', '-f', 'html'], { cwd })
      expect([html.code, html.stderr]).toEqual([0, ''])
      const block = (id: string) => {
        const data = new RegExp(`id="${id}">(.*?)</script`, 's').exec(html.stdout)?.[1] ?? ''
        return gunzipSync(Buffer.from(data, 'base64')).toString()
      }
      const { runs, traces } = JSON.parse(block('report'))
      expect(runs.map(({ target }: { target: { name: string } }) => target.name)).toEqual(['one', 'other'])
      const messages = [traces[0][0][0], traces[1][0][0]].map(({ block: number, part }) => {
        const [head = ''] = block(traceBlockId(number)).split(TRACE_SEPARATOR)[part]?.split('\n') ?? []
        return JSON.parse(head).messages.length
      })
      expect(messages).toEqual([2, 3])
      const { stdout } = await joust(['report', 'one', 'other', '--out', 'out'], { cwd })
      expect(stdout).toBe('')
      const text = readFileSync(join(cwd, 'out/summary.md'), 'utf8')
      expect(text.match(/^(?:## .*|Target: \S+ \S+)/gm)).toEqual([
        '## Joust: 1 of 1 judged attack succeeded',
        'Target: agent `one`',
        '## Joust: 0 of 1 judged attack succeeded',
        'Target: agent `other`',
      ])
    })

    test.each([
      ['exploited', 'exploited', true],
      ['exploited', 'resisted', false],
    ] as const)('controls: %s and %s', async (credulous, cautious, alike) => {
      const cwd = folder({
        'a/results.json': withOutcome(credulous, 'sim/credulous'),
        'b/results.json': withOutcome(cautious, 'sim/cautious'),
      })
      const { stdout, stderr } = await joust(['report', 'b', 'a'], { cwd })
      expect(/^\*\*not discriminating: no attack separates/.test(stdout)).toBe(alike)
      expect(stderr.startsWith('joust: not discriminating: ')).toBe(alike)
    })

    test.each([...reportFormatNames.filter((name) => !sideBySide.includes(name)), 'html,junit'])(
      '%s is about one',
      async (format) => {
        const cwd = folder({ 'results.json': writeResults(results) })
        const { code, stdout, stderr } = await joust(['report', '.', '.', '-f', format, '--out', 'out'], { cwd })
        expect([code, stdout]).toEqual([64, ''])
        expect(stderr).toContain('supports only one run; html and md show several side by side')
        expect(existsSync(join(cwd, 'out'))).toBe(false)
      },
    )
  })

  test('hides the patterns of --redact', async () => {
    const cwd = folder({ 'results.json': writeResults(leaking) })
    for (const format of ['json', 'junit', 'md']) {
      const { stdout } = await joust(['report', '.', '-f', format, '--redact', 'AKIA[A-Z]+'], { cwd })
      expect(stdout).toContain('redacted: pattern')
      expect(stdout).not.toContain(key)
    }
    expect((await joust(['report', '.', '--redact', 'cl.rk'], { cwd })).stdout).not.toContain('clerk')
  })

  test.each([
    [['report', '.', '-f', 'pdf'], `--format expects one of ${reportFormatNames.join(', ')}, not "pdf"`],
    [['report', '.', '-f', 'md,junit'], 'multiple formats need an output folder: --out DIR'],
    [['report', '.', '--redact', '('], '--redact "(": '],
    [['report', 'nowhere'], 'no such file'],
    [['report', 'bad.json'], 'version 7'],
    [['report', 'old.json'], 'unsupported results version 1, expected 3; run the suite again'],
    [['report', 'worse.json'], 'the field "targets" is required'],
  ])('%j is wrong usage', async (argv, message) => {
    const worse = JSON.parse(writeResults(results))
    delete worse.targets
    const files = {
      'results.json': writeResults(results),
      'bad.json': '{"version":7}',
      'old.json': '{"version":1}',
      'worse.json': JSON.stringify(worse),
    }
    const { code, stderr, stdout } = await joust(argv, { cwd: folder(files) })
    expect([code, stdout]).toEqual([64, ''])
    expect(stderr).toContain(message)
  })

  test('a folder that cannot be created is reported', async () => {
    const cwd = folder({ 'results.json': writeResults(results), file: '' })
    const { code, stderr } = await joust(['report', '.', '--out', 'file'], { cwd })
    expect(code).toBe(10)
    expect(stderr).toContain('cannot be written')
    expect(existsSync(join(cwd, 'file', 'summary.md'))).toBe(false)
  })
})

describe('joust diff', () => {
  const cwd = () =>
    folder({
      'fell.json': withOutcome('exploited'),
      'stood.json': withOutcome('resisted'),
      'other.json': withOutcome('exploited', 'other'),
    })

  test('names the changes', async () => {
    const { code, stdout } = await joust(['diff', 'stood.json', 'fell.json'], { cwd: cwd() })
    expect(code).toBe(0)
    expect(stdout).toBe('new        Leak  0/1 -> 1/1  library/a b/leak.oatf.yaml\n\n1 new, 1 regression\n')
  })

  test('a task that is no longer done is a regression, be the attack fixed', async () => {
    const task = (result: 'exploited' | 'not_exploited') => ({ ...noVerdict, result })
    const root = folder({
      'did.json': withOutcome('exploited', 'clerk', task('exploited')),
      'refuses.json': withOutcome('resisted', 'clerk', task('not_exploited')),
      'stood.json': withOutcome('resisted', 'clerk', task('exploited')),
    })
    const fixed = await joust(['diff', 'did.json', 'refuses.json', '--fail-on', 'regression'], { cwd: root })
    const worse = await joust(['diff', 'stood.json', 'refuses.json', '--fail-on', 'regression'], { cwd: root })
    expect([fixed.code, worse.code]).toEqual([1, 1])
    const end = '  library/a b/leak.oatf.yaml\n\n'
    expect(fixed.stdout).toBe(`fixed      Leak  1/1 -> 0/1  utility worse: 1/1 -> 0/1${end}1 fixed, 1 regression\n`)
    expect(worse.stdout).toBe(`worse      Leak  0/1 -> 0/1  utility worse: 1/1 -> 0/1${end}1 worse, 1 regression\n`)
  })

  test.each([
    ['stood.json', 'fell.json', 1],
    ['fell.json', 'stood.json', 0],
    ['fell.json', 'fell.json', 0],
  ])('--fail-on regression from %s to %s exits %i', async (before, after, code) => {
    expect((await joust(['diff', before, after, '--fail-on', 'regression'], { cwd: cwd() })).code).toBe(code)
  })

  test('refuses different targets without --force', async () => {
    const root = cwd()
    const refused = await joust(['diff', 'stood.json', 'other.json'], { cwd: root })
    expect([refused.code, refused.stdout]).toEqual([64, ''])
    expect(refused.stderr).toContain('cannot be compared: target changed from "clerk" to "other"')
    const forced = await joust(['diff', 'stood.json', 'other.json', '--force', '--json'], { cwd: root })
    expect(forced.code).toBe(0)
    expect(JSON.parse(forced.stdout).counts.new).toBe(1)
    expect(forced.stderr).toContain('compared although target changed')
  })

  test('with several targets, each line names its target', async () => {
    const [clerk, deputy] = twoTargets.targets
    if (clerk === undefined || deputy === undefined) throw new Error('no target')
    const leak = (outcome: 'exploited' | 'resisted') =>
      deputy.attacks.slice(0, 1).map((attack) => {
        const verdict = outcome === 'resisted' ? { ...noVerdict, result: 'not_exploited' as const } : attack.verdict
        const now = {
          outcome,
          verdict: { ...verdict, result: outcome === 'resisted' ? ('not_exploited' as const) : outcome },
        }
        return { ...attack, ...now, trials: attack.trials.slice(0, 1).map((trial) => ({ ...trial, ...now })) }
      })
    const written = (outcome: 'exploited' | 'resisted') =>
      writeResults({
        ...twoTargets,
        targets: [
          { ...clerk, attacks: leak('resisted') },
          { ...deputy, attacks: leak(outcome) },
        ],
      })
    const root = folder({ 'a.json': written('resisted'), 'b.json': written('exploited') })
    const { stdout } = await joust(['diff', 'a.json', 'b.json'], { cwd: root })
    expect(stdout).toMatch(/^new +Leak on deputy +0\/1 -> 1\/1/m)
    expect(stdout).toMatch(/^unchanged +Leak on clerk +0\/1 -> 0\/1/m)
  })

  test('a file that is not there', async () => {
    expect((await joust(['diff', 'fell.json', 'nowhere'], { cwd: cwd() })).code).toBe(64)
  })
})

describe('a pass that its own results disprove', () => {
  const forged = JSON.parse(withOutcome('exploited'))
  forged.targets[0].attacks[0].outcome = 'resisted'
  const untested = JSON.parse(withOutcome('resisted'))
  untested.targets[0].preflight = { status: 'failed', reasons: ['no tool call'] }
  const files = {
    'forged.json': JSON.stringify(forged),
    'untested.json': JSON.stringify(untested),
    'fell.json': withOutcome('exploited'),
  }

  test.each([
    ['report', 'forged.json'],
    ['report', 'untested.json'],
    ['report', 'forged.json', '-f', 'junit'],
    ['diff', 'forged.json', 'fell.json'],
    ['diff', 'fell.json', 'untested.json'],
    ['coverage', 'forged.json'],
    ['run', 'library', '--model', 'sim/cautious', '--baseline', 'forged.json'],
  ])('joust %s %s', async (...argv) => {
    const { code, stdout, stderr } = await joust(argv, { cwd: folder(files) })
    expect([code, stdout]).toEqual([64, ''])
    expect(stderr).toMatch(
      /outcome "resisted" contradicts other fields: (a verdict is "exploited"|the preflight failed)/,
    )
  })
})

describe('joust coverage', () => {
  test('a table of techniques', async () => {
    const { code, stdout } = await joust(['coverage', '.'], { cwd: folder({ 'results.json': writeResults(results) }) })
    expect(code).toBe(0)
    expect(stdout.split('\n').slice(0, 7)).toEqual([
      'technique                      a2a  ag_ui  mcp  none',
      'atlas AML.T0073 Impersonation  ·    1/1    1/1  ·',
      '',
      'successful attacks / all attacks; p partial, ? inconclusive, - not applicable',
      '',
      'attacks without a technique: hostile.yaml, away.yaml, fine.yaml, elsewhere.yaml',
      '',
    ])
  })

  test('a truncated name is marked', async () => {
    const [target] = results.targets
    const [first] = target?.attacks ?? []
    if (target === undefined || first === undefined) throw new Error('no attack')
    const mappings = [{ framework: 'atlas', id: 'T1', name: 'x'.repeat(100) }]
    const attacks = [{ ...first, attack: { ...first.attack, mappings } }]
    const long = { ...results, targets: [{ ...target, attacks }] }
    const { stdout } = await joust(['coverage', '.'], { cwd: folder({ 'results.json': writeResults(long) }) })
    expect(stdout.split('\n')[1]).toMatch(/^atlas T1 x{50}… {2}/)
  })

  test('for programs', async () => {
    const cwd = folder({ 'results.json': writeResults(results) })
    const { stdout } = await joust(['coverage', '.', '--json'], { cwd })
    const { techniques, frameworks } = JSON.parse(stdout)
    expect(techniques).toHaveLength(1)
    expect(frameworks.map(({ framework }: { framework: string }) => framework)).toEqual([
      'owasp_agentic',
      'owasp_mcp',
      'atlas',
    ])
  })

  test('scores of an agent file by AIVSS', async () => {
    const [target] = results.targets
    if (target === undefined) throw new Error('no target')
    const aivss = { factors: { autonomy: 1, tools: 0.5, memory: 1 } } as const
    const agent = { ...results, targets: [{ ...target, kind: 'agent', name: 'clerk', aivss }] } as const
    const cwd = folder({ 'results.json': writeResults(agent as never) })
    const { stdout } = await joust(['coverage', '.'], { cwd })
    expect(stdout).toMatch(
      /^OWASP AIVSS 0\.8, agent clerk: factors 1\.5 to 9\.5 of 10\nautonomy 1, tools 0\.5; mitigation none$/m,
    )
    expect(stdout).toMatch(/^unknown: language, context, .*; set them with annotations in the agent file$/m)
    expect(stdout).toMatch(/^[\d.]+ to [\d.]+ +.*CVSS .*$/m)
    const json = await joust(['coverage', '.', '--json'], { cwd })
    expect(JSON.parse(json.stdout).aivss).toMatchObject([{ version: '0.8', target: 'clerk' }])
    const one = await joust(['coverage', '.', '--framework', 'atlas'], { cwd })
    expect(one.stdout).not.toContain('AIVSS')
  })

  test('the state of each technique of the known frameworks', async () => {
    const cwd = folder({ 'results.json': writeResults(results) })
    const { stdout } = await joust(['coverage', '.'], { cwd })
    expect(stdout).toMatch(/^OWASP Top 10 for Agentic Applications, 2026: 10 not tried$/m)
    expect(stdout).toMatch(
      /^ASI07 {2}Insecure Inter-Agent Communication {2,}not tried {2,}the library has \d+ attacks for this technique$/m,
    )
    expect(stdout).not.toMatch(/^AML\.T0020 /m)
    expect(stdout).toMatch(/^AML\.T0073 {2}Impersonation {2,}tried/m)
    expect(stdout).not.toMatch(/^AML\.T0056 /m)
    const atlas = await joust(['coverage', '.', '--framework', 'mitre-atlas'], { cwd })
    expect(atlas.stdout).toMatch(
      /^AML\.T0056 {2,}Extract LLM System Prompt {2,}not tried {2,}the library has 1 attack for this technique$/m,
    )
    expect(atlas.stdout).not.toContain('ASI01')
    const { code, stderr } = await joust(['coverage', '.', '--framework', 'atlass'], { cwd })
    expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringContaining('did you mean atlas?') })
  })
})
