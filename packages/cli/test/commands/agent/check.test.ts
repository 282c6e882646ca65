import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { agentCodeSummaries } from '@joust/agentformat'
import { describe, expect, test } from 'vitest'
import { agentText, teamText } from '../../agents.ts'
import { folder, GOOD, joust } from '../../world.ts'

const files = { 'team.agf.yaml': teamText('sub/writer.agf.yaml'), 'sub/writer.agf.yaml': agentText() }

function check(cwd: string, ...options: string[]) {
  return joust(['agent', 'check', 'team.agf.yaml', ...options], { cwd })
}

test('a sound graph prints nothing but the summary', async () => {
  expect(await check(folder(files))).toEqual({ code: 0, stdout: '', stderr: '2 files, 0 errors, 0 warnings\n' })
})

test('all problems of the graph at once, each with its file, place and lines', async () => {
  const cwd = folder({
    'team.agf.yaml': `${teamText('sub/writer.agf.yaml', 'sub/writer.agf.yaml')}surprise: 1\n`,
    'sub/writer.agf.yaml': agentText({ input: '{ type: strong }' }),
  })
  const { code, stdout, stderr } = await check(cwd)
  expect(code).toBe(1)
  expect(stdout).toMatch(/^team\.agf\.yaml:6:1 {2}warning unknown_field /m)
  expect(stdout).toMatch(/^sub\/writer\.agf\.yaml:3:\d+ {2}error \w+ {2}.*strong/m)
  expect(stdout).toContain('> 3 | interface: { input: { type: strong }')
  expect(stderr).toMatch(/^2 files, [1-9] errors?, 1 warning\n$/)
})

describe('formats', () => {
  const cwd = () => folder({ ...files, 'sub/writer.agf.yaml': `${agentText()}surprise: 1\n` })

  test('json: files by name, findings with their rule', async () => {
    const { code, stdout } = await check(cwd(), '--format', 'json')
    expect(code).toBe(0)
    const [team, writer] = JSON.parse(stdout).files
    expect(team).toEqual({ file: 'team.agf.yaml', format: 'agent-format', valid: true, diagnostics: [] })
    expect(writer.diagnostics).toEqual([
      expect.objectContaining({ severity: 'warning', code: 'unknown_field', path: 'surprise', line: 5 }),
    ])
    expect(writer.diagnostics[0]).not.toHaveProperty('file')
  })

  test('sarif: a rule with a sentence, a region', async () => {
    const [run] = JSON.parse((await check(cwd(), '-f', 'sarif')).stdout).runs
    expect(run.tool.driver.rules).toEqual([
      { id: 'unknown_field', shortDescription: { text: agentCodeSummaries.unknown_field } },
    ])
    const [{ physicalLocation }] = run.results[0].locations
    expect(physicalLocation).toMatchObject({
      artifactLocation: { uri: 'sub/writer.agf.yaml' },
      region: { startLine: 5 },
    })
  })

  test('github', async () => {
    const { stdout } = await check(cwd(), '-f', 'github')
    expect(stdout).toMatch(/^::warning file=sub\/writer\.agf\.yaml,line=5,col=1,.*title=unknown_field::/)
  })

  test('--strict: the same is an error', async () => {
    const { code, stdout } = await check(cwd(), '--strict')
    expect(code).toBe(1)
    expect(stdout).toContain('error unknown_field')
  })
})

describe('wrong input', () => {
  test.each<[string, { [name: string]: string }, string | RegExp]>([
    ['bad YAML', { 'team.agf.yaml': 'a: [' }, /team\.agf\.yaml:\d+:\d+ {2}error yaml_syntax/],
    [
      'a schema violation',
      { 'team.agf.yaml': agentText({ id: '5' }) },
      /:2:\d+ {2}error schema_violation .*metadata\.id/,
    ],
    ['another version', { 'team.agf.yaml': agentText().replace('1.0.0', '7.0.0') }, 'error unsupported_schema_version'],
    [
      'a cycle',
      { 'team.agf.yaml': teamText('b.agf.yaml'), 'b.agf.yaml': teamText('team.agf.yaml') },
      /b\.agf\.yaml:5:\d+ {2}error agent_cycle {2}.*"team\.agf\.yaml", "b\.agf\.yaml"/,
    ],
    [
      'a missing sub-agent',
      { 'team.agf.yaml': teamText('none.agf.yaml') },
      '"none.agf.yaml" cannot be read: no such file',
    ],
    [
      'a path outside the folder',
      { 'team.agf.yaml': teamText('../../etc/passwd') },
      /error unresolvable_source {2}"\.\.\/\.\.\/etc\/passwd" cannot be read: the path is outside the folder/,
    ],
    ['an absolute path', { 'team.agf.yaml': teamText('/etc/passwd') }, 'the path is absolute'],
    ['an address', { 'team.agf.yaml': teamText('"https://example.org/a"') }, 'got a URL'],
  ])('%s', async (_, content, message) => {
    const { code, stdout } = await check(folder(content))
    expect(code).toBe(1)
    expect(stdout).toMatch(message)
  })

  test('a link outside the folder', async () => {
    const cwd = folder({ 'home/team.agf.yaml': teamText('link.agf.yaml'), 'secret.yaml': agentText() })
    symlinkSync('../secret.yaml', join(cwd, 'home/link.agf.yaml'))
    const { code, stdout } = await check(join(cwd, 'home'))
    expect(code).toBe(1)
    expect(stdout).toContain('"link.agf.yaml" cannot be read: the file is outside the folder')
  })

  test('a missing file is wrong usage', async () => {
    expect(await check(folder())).toEqual({ code: 64, stdout: '', stderr: 'joust: team.agf.yaml: no such file\n' })
  })

  test.each<[string, string | Uint8Array, string]>([
    ['a binary file', new Uint8Array([0]), 'binary'],
    ['an attack', GOOD, 'this is an attack document, not an agent file; check it with joust validate'],
  ])('%s', async (_, content, message) => {
    const { code, stdout, stderr } = await check(folder({ 'team.agf.yaml': content }))
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(message)
  })
})

describe('bindings that are certain to fail', () => {
  const needy = `${agentText({
    actions:
      '{ local_tools: [{ alias: greet }, { alias: pay }], mcp_servers: [{ alias: files, server_ref: org.files }], remote_agents: [{ alias: far }] }',
  })}memory: { required: true }
constraints: { governance_policies: [{ policy_ref: org.rules }, { policy_ref: org.advice, required: false }] }
`
  const team = { 'team.agf.yaml': teamText('sub/writer.agf.yaml'), 'sub/writer.agf.yaml': needy }
  const every = [
    'memory_required',
    'policy_unresolved',
    'unbound_tool',
    'unbound_tool',
    'unmapped_server',
    'unmapped_server',
  ]
  const codes = (stdout: string, severity: string) =>
    [...stdout.matchAll(/^sub\/writer\.agf\.yaml:\d+:\d+ {2}(\w+) (\w+)/gm)]
      .flatMap(([, found, code = '']) => (found === severity ? [code] : []))
      .toSorted()
  const bindings = `bindings:
  tools: { greet: { module: ./none.mjs }, pay: { module: ./none.mjs } }
  mcp_servers: { org.files: { command: none, env: { KEY: "\${NOT_SET}" } } }
  remote_agents: { far: { url: "https://far.example/" } }
`

  test('is an error where a project file binds agents, at its place', async () => {
    const { code, stdout } = await check(folder({ ...team, 'joust.yaml': 'bindings: {}\n' }))
    expect(code).toBe(1)
    expect(codes(stdout, 'error')).toEqual(every)
    expect(stdout).toContain('helper: local tool pay is not bound (action_space.local_tools[1])')
  })

  test('checks the file without its bindings: no code is loaded, no variable is needed', async () => {
    const { code, stdout } = await check(folder({ ...team, 'joust.yaml': bindings }))
    expect([code, codes(stdout, 'error')]).toEqual([1, ['memory_required', 'policy_unresolved']])
  })

  test('is not what a module may export', async () => {
    const { stdout } = await check(folder({ ...team, 'joust.yaml': 'bindings: { module: ./none.mjs }\n' }))
    expect(codes(stdout, 'error')).not.toContain('unbound_tool')
  })

  test.each([
    ['no project file', team],
    ['one without bindings', { ...team, 'joust.yaml': 'trials: 2\n' }],
  ])('is a warning with %s: a program may bind it', async (_, content) => {
    const { code, stdout } = await check(folder(content))
    expect([code, codes(stdout, 'warning')]).toEqual([0, every])
    expect((await check(folder(content), '--strict')).code).toBe(1)
  })

  test('--config names the project file', async () => {
    const cwd = folder({ ...team, 'other.yaml': bindings, 'joust.yaml': 'bindings: {}\n', 'none.yaml': 'trials: 2\n' })
    expect(codes((await check(cwd, '--config', 'other.yaml')).stdout, 'error')).toEqual([
      'memory_required',
      'policy_unresolved',
    ])
    expect(codes((await check(cwd, '-c', 'none.yaml')).stdout, 'error')).toEqual(every)
    expect(await check(cwd, '-c', 'missing.yaml')).toMatchObject({ code: 64, stdout: '' })
  })

  test('a project file with errors is wrong usage', async () => {
    const { code, stderr } = await check(folder({ ...team, 'joust.yaml': 'bindngs: {}\n' }))
    expect(code).toBe(64)
    expect(stderr).toContain('bindngs')
  })
})

describe('folders', () => {
  const content = {
    'agents/team.agf.yaml': teamText('sub/writer.agf.yaml'),
    'agents/sub/writer.agf.yaml': `${agentText()}surprise: 1\n`,
    'agents/plain.yaml': agentText(),
    'agents/attack.yaml': GOOD,
    'agents/notes.yaml': 'a: 1\n',
    'empty/notes.yaml': 'a: 1\n',
  }

  test('have all their agents checked, each once, where its parent puts it', async () => {
    const { code, stdout, stderr } = await joust(['agent', 'check', 'agents'], { cwd: folder(content) })
    expect(code).toBe(0)
    expect(stdout.match(/warning unknown_field/g)).toHaveLength(1)
    expect(stderr).toBe('3 files, 0 errors, 1 warning\n')
  })

  test('and globs and several files', async () => {
    const cwd = folder({ ...content, 'agents/bad.agf.yaml': 'a: [' })
    const { code, stdout } = await joust(['agent', 'check', 'agents/*.agf.yaml', 'agents/plain.yaml'], { cwd })
    expect(code).toBe(1)
    expect(stdout).toContain('agents/bad.agf.yaml')
  })

  test('without an agent are wrong usage', async () => {
    const { code, stderr } = await joust(['agent', 'check', 'empty'], { cwd: folder(content) })
    expect([code, stderr]).toEqual([64, 'joust: no agent in empty\n'])
  })
})
