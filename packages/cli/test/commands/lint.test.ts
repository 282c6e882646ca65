import { expect, test } from 'vitest'
import { AGENT, BAD, folder, GOOD, joust, WARNED } from '../world.ts'

const FOUND = GOOD.replace('arguments.path', 'params.arguments')

test('a document without findings prints nothing but the summary', async () => {
  const cwd = folder({ 'a.yaml': GOOD })
  expect(await joust(['lint', 'a.yaml'], { cwd })).toEqual({
    code: 0,
    stdout: '',
    stderr: '1 file, 0 errors, 0 warnings\n',
  })
})

test('a finding has its place, code, message and lines, and fails', async () => {
  const cwd = folder({ 'a.yaml': FOUND })
  const { code, stdout, stderr } = await joust(['lint', 'a.yaml'], { cwd })
  expect(code).toBe(1)
  expect(stdout).toMatch(/^a\.yaml:\d+:\d+ {2}error L-007 /)
  expect(stdout).toContain('error L-001  no tools/call message has "params.arguments". Did you mean "arguments"?')
  expect(stdout).toMatch(/> +\d+ \| +- target: params\.arguments\n.*\^{16}\n/)
  expect(stderr).toBe('1 file, 2 errors, 0 warnings\nfor more about L-007: joust explain L-007\n')
})

test.each([
  [[], 0],
  [['--strict'], 0],
  [['--max-warnings', '1'], 0],
  [['--max-warnings', '0'], 1],
])('a warning fails only where none is allowed: %j', async (words, code) => {
  const stdin = GOOD.replace(
    'tools: []',
    'tools: [{ name: read_file, description: Reads., inputSchema: { type: object } }]',
  )
  const linted = await joust(['lint', '-', ...words], { stdin })
  expect(linted).toMatchObject({ code, stdout: expect.stringContaining('warning L-020') })
})

test('expressions are read, too', async () => {
  const stdin = GOOD.replace('pattern: { contains: "/etc/passwd" }', `expression: { cel: 'message.params == "x"' }`)
  expect((await joust(['lint', '-'], { stdin })).stdout).toContain('error L-001  no tools/call message has "params"')
})

test('warnings of validation are not repeated', async () => {
  expect((await joust(['validate', '-'], { stdin: WARNED })).stdout).toContain('warning W-')
  expect(await joust(['lint', '-'], { stdin: WARNED })).toMatchObject({ code: 0, stdout: '' })
})

test('an invalid document is refused with its errors', async () => {
  const cwd = folder({ 'a.yaml': BAD, 'b.yaml': FOUND, 'c.yaml': 'oatf: "0.1"\nattack: 5\n' })
  const { code, stdout, stderr } = await joust(['lint', '.'], { cwd })
  expect(code).toBe(1)
  expect(stdout).toContain('a.yaml:3:7  error V-023')
  expect(stdout).toContain('b.yaml')
  expect(stdout).toContain('c.yaml:2:9  error')
  expect(stderr).toContain('2 not linted: lint needs valid documents\n')
  const one = await joust(['lint', 'a.yaml'], { cwd })
  expect(one.stderr).toContain('1 not linted: lint needs a valid document\n')
})

test('agents are not for lint', async () => {
  const cwd = folder({ 'a.agf.yaml': AGENT, 'b.yaml': GOOD })
  const all = await joust(['lint', '.'], { cwd })
  expect(all.code).toBe(0)
  expect(all.stdout).toContain('a.agf.yaml  note  this is an agent file; lint only checks attack documents')
  expect(await joust(['lint', 'a.agf.yaml'], { cwd })).toMatchObject({ code: 1 })
})

test('--quiet prints errors and nothing else', async () => {
  const { code, stdout, stderr } = await joust(['lint', '-', '--quiet'], { stdin: FOUND })
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(stdout).toContain('L-001')
})

test('--format json', async () => {
  const { code, stdout } = await joust(['lint', '-', '--format', 'json'], { stdin: FOUND })
  expect(code).toBe(1)
  const report = JSON.parse(stdout)
  expect(report.files[0]).toMatchObject({ file: '<stdin>', format: 'oatf', valid: true })
  expect(report.files[0].diagnostics.map((found: { code: string }) => found.code)).toEqual(['L-007', 'L-001'])
  expect(report.summary).toMatchObject({ files: 1, errors: 2, warnings: 0 })
})

test('--format sarif explains the rules', async () => {
  const { stdout } = await joust(['lint', '-', '--format', 'sarif'], { stdin: FOUND })
  const [run] = JSON.parse(stdout).runs
  expect(run.tool.driver.rules.map((rule: { id: string }) => rule.id)).toEqual(['L-001', 'L-007'])
  expect(run.tool.driver.rules[0].help.text).toContain('response.content')
  expect(run.results).toHaveLength(2)
})

test('--format github', async () => {
  const { stdout } = await joust(['lint', '-', '--format', 'github'], { stdin: FOUND })
  expect(stdout).toMatch(/^::error file=.*,title=L-007::/)
})

test.each([
  [['nothing.yaml'], 'joust: nothing.yaml: no such file\n'],
  [['.'], 'joust: no document in .\n'],
])('%j is wrong usage', async (words, complaint) => {
  const cwd = folder({ 'b.yaml': 'a: 1\n' })
  expect(await joust(['lint', ...words], { cwd })).toMatchObject({ code: 64, stderr: complaint })
})

test('the help teaches by an example', async () => {
  const { code, stdout } = await joust(['lint', '--help'])
  expect(code).toBe(0)
  expect(stdout).toContain('content[*].text')
  expect(stdout).toContain('joust explain L-001')
})

test('explain knows the codes, however they are written', async () => {
  const { stdout } = await joust(['explain', 'l1'])
  expect(stdout).toMatch(/^L-001 {2}error {2}OATF §6\.1\n/)
  expect(stdout.trim().split('\n').at(-1)).toBe(
    'L-001: no tools/call response has "response.content". Did you mean "content[*].text"?',
  )
})
