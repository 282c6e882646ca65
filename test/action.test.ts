/** The steps in action.yml, run with bash as a runner would. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRecord, readSource, type Value } from '@joust/source'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { reviewAttack } from '../packages/cli/test/review-attack.ts'
import { binary } from '../packages/cli/test/spawned.ts'
import { repositoryRoot } from '../scripts/repository.ts'

const root = repositoryRoot()
const joust = `${process.execPath} ${binary}`
const attack = 'library/fabricated-approval.oatf.yaml'
const INPUT = /\$\{\{ inputs\.(\w+) \}\}/g
const action = readAction()
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joust-action-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a successful attack: annotations in the log, a summary, the paths, its exit code', () => {
  const { status, log, outputs, summary } = steps({ attacks: attack, args: '--model sim/credulous' })
  expect(status).toBe(3)
  expect(log).toMatch(/^::(?:error|warning) /m)
  expect(summary).toContain('Purchase request claims an approval by phone')
  expect(outputs).toEqual({ code: '3', results: 'joust-results/action', sarif: 'joust-results/action/results.sarif' })
  expect(JSON.parse(readFileSync(join(folder, outputs.sarif ?? ''), 'utf8'))).toMatchObject({ version: '2.1.0' })
})

test('fail_on decides what fails the job', () => {
  writeFileSync(join(folder, 'first.oatf.yaml'), reviewAttack)
  const given = { attacks: 'first.oatf.yaml', args: '--model sim/credulous --quiet' }
  expect(steps(given).outputs.code).toBe('1')
  const lenient = steps({ ...given, fail_on: 'boundary_breach', out: 'lenient' })
  expect({ status: lenient.status, code: lenient.outputs.code }).toEqual({ status: 0, code: '0' })
})

test('an agent that is not there never passes', () => {
  const { status, outputs } = steps({ attacks: attack, args: '--exec /no/such/agent --max-duration 5s' })
  expect(status).not.toBe(0)
  expect(outputs.code).toBe(String(status))
})

test('wrong usage fails, without nonexistent paths', () => {
  const { status, log, outputs, summary } = steps({ attacks: 'nowhere.yaml', args: '--model sim/credulous' })
  expect({ status, outputs, summary }).toEqual({ status: 64, outputs: { code: '64' }, summary: '' })
  expect(log).toContain('nowhere.yaml: no such file')
})

test('a second step into the same folder fails, and does not pass off the results of the first as its own', () => {
  const given = { attacks: attack, args: '--model sim/credulous' }
  expect(steps(given).outputs.results).toBe('joust-results/action')
  const { status, log, outputs, summary } = steps(given)
  expect({ status, outputs, summary }).toEqual({ status: 64, outputs: { code: '64' }, summary: '' })
  expect(log).toContain('another folder for --out')
})

test('by default nothing is downloaded: a project without joust is an error', () => {
  const { status, log } = steps({ attacks: attack, command: action.defaults.command ?? '' })
  expect(status).toBe(127)
  expect(log).toContain('node_modules/.bin/joust: No such file')
})

test('inputs may have several lines, and quotes keep what belongs together', () => {
  const log = join(folder, 'log')
  const command = join(folder, 'echo')
  writeFileSync(command, `#!/bin/sh\nprintf '<%s>' "$@" > ${log}\n`, { mode: 0o755 })
  const args = `--exec "node 'my agent.js'"\n--grep '\\d+'\n--prompt ''`
  expect(steps({ command, attacks: 'library\nattacks/ more', args }).status).toBe(0)
  expect(readFileSync(log, 'utf8')).toContain(
    `<run><library><attacks/><more><--exec><node 'my agent.js'><--grep><\\d+><--prompt><><--out>`,
  )
  const odd = steps({ command, args: `--exec "node agent.js` })
  expect(odd).toMatchObject({ status: 1, log: expect.stringContaining('quote'), outputs: {} })
})

test('inputs are words, never commands', () => {
  const { status } = steps({ attacks: '$(touch\tmade) `touch made` ; touch made', args: '--model sim/credulous' })
  expect({ status, made: existsSync(join(folder, 'made')) }).toEqual({ status: 64, made: false })
})

test.each([
  ['a new one', '', ['POST repos/', 'comments']],
  ['the one of an earlier run', '4711', ['PATCH', 'issues/comments/4711']],
])('the comment on a pull request: %s', (_, id, words) => {
  writeFileSync(join(folder, 'gh'), fakeGh(id), { mode: 0o755 })
  const { status } = steps({ attacks: attack, args: '--model sim/credulous --quiet' }, folder)
  expect(status).toBe(3)
  const [call = '', ...body] = readFileSync(join(folder, 'gh-log'), 'utf8').split('\n')
  for (const word of words) expect(call).toContain(word)
  expect(body[0]).toBe('<!-- joust joust-results/action -->')
  expect(body.join('\n')).toContain('Purchase request claims an approval by phone')
})

test('a token that may not write is a warning, not a failure', () => {
  writeFileSync(join(folder, 'gh'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  const { status, log } = steps({ attacks: attack, args: '--model sim/cautious --quiet' }, folder)
  expect({ status, log }).toEqual({ status: 0, log: expect.stringContaining('::warning title=joust::no comment') })
})

/** Lists one comment id, and records the call that writes, with its body. */
function fakeGh(id: string): string {
  return `#!/bin/sh
case "$*" in
  *--paginate*) echo "${id}" ;;
  *) echo "$3 $4" > ${join(folder, 'gh-log')}; file=\${6#body=@}; cat "$file" >> ${join(folder, 'gh-log')} ;;
esac
`
}

/** Runs every step with its inputs filled in. */
function steps(given: Readonly<Record<string, string>>, gh?: string) {
  const inputs: Record<string, string> = { ...action.defaults, command: joust, ...given }
  const files = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary') }
  for (const file of Object.values(files)) writeFileSync(file, '')
  let status: number | null = 0
  let log = ''
  for (const { env, run, id } of action.steps) {
    if (run === undefined || (id === 'comment' && gh === undefined)) continue
    const filled = Object.entries(env).map(([name, text]) => [
      name,
      text.replaceAll(INPUT, (_, key) => inputs[key] ?? ''),
    ])
    const options = {
      cwd: folder,
      encoding: 'utf8' as const,
      env: {
        ...process.env,
        GITHUB_ACTIONS: 'true',
        ...files,
        ...Object.fromEntries(filled),
        ...(gh !== undefined && { PATH: `${gh}:${process.env.PATH}` }),
      },
    }
    // The options that GitHub documents for `shell: bash`.
    const done = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], options)
    log += done.stdout + done.stderr
    // The comment is written whatever the outcome.
    if (id !== 'comment') status = done.status
    else expect(done.status, log).toBe(0)
  }
  const lines = readFileSync(files.GITHUB_OUTPUT, 'utf8').trim().split('\n')
  const outputs: Record<string, string> = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s)))
  return { status, log, outputs, summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8') }
}

function readAction() {
  const source = readSource(readFileSync(join(root, 'action.yml'), 'utf8'))
  if (!source.ok) throw new Error('action.yml cannot be read')
  const { inputs, runs } = record(source.value.value)
  const defaults = Object.entries(record(inputs)).map(([name, input]) => [name, String(record(input).default)])
  const list = record(runs).steps
  const rows = (Array.isArray(list) ? list : []).map((step) => ({
    id: record(step).id,
    run: record(step).run === undefined ? undefined : String(record(step).run),
    env: Object.fromEntries(Object.entries(record(record(step).env)).map(([name, text]) => [name, String(text)])),
  }))
  return { defaults: Object.fromEntries(defaults), steps: rows }
}

function record(value: Value | undefined) {
  return isRecord(value) ? value : {}
}
