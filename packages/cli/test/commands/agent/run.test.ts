import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../../../io/test/loopback.ts'
import { readInput, readInputText } from '../../../src/commands/agent/run.ts'
import { agentText, GREET, greeter, teamText } from '../../agents.ts'
import { folder, joust, memoryIo, type World } from '../../world.ts'

function run(files: { readonly [name: string]: string }, argv: readonly string[], world: World = {}) {
  return joust(['agent', 'run', 'a.agf.yaml', ...argv], { cwd: folder(files), ...world })
}

const echo = { 'a.agf.yaml': agentText() }
const ANSWER = '[simulated cautious answer]'

describe('a run that goes well', () => {
  test('the output is JSON on stdout, progress goes to stderr', async () => {
    const { code, stdout, stderr } = await run(echo, ['--input', '"tea"'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toBe(`${ANSWER}\nRegarding: tea`)
    expect(stderr.replace(/\d+ tokens/, 'N tokens')).toBe(`helper  started (agf.react)
helper  sim/cautious answered
helper  done: 1 model call, 0 tool calls, N tokens
`)
  })

  test('--quiet leaves stderr alone', async () => {
    expect((await run(echo, ['-q', '--input', '"tea"'])).stderr).toBe('')
  })

  test('--json prints the whole result', async () => {
    const { stdout } = await run(echo, ['--json', '--input', '"tea"'])
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      output: `${ANSWER}\nRegarding: tea`,
      usage: expect.objectContaining({ modelCalls: 1, toolCalls: 0 }),
      warnings: [],
    })
  })

  test('input from a file and from standard input', async () => {
    expect((await run({ ...echo, 'in.json': '"cake"' }, ['-i', '@in.json'])).stdout).toContain('cake')
    expect((await run(echo, ['-i', '-'], { stdin: '"bread"' })).stdout).toContain('bread')
  })

  test('the agent from standard input, its sub-agents from the working directory', async () => {
    const cwd = folder({ 'b.agf.yaml': agentText() })
    const { code, stdout } = await joust(['agent', 'run', '-', '-i', '"tea"'], { cwd, stdin: teamText('b.agf.yaml') })
    expect(code).toBe(0)
    expect(stdout).toContain('tea')
  })

  test('warnings of the document are printed', async () => {
    const files = { 'a.agf.yaml': `${agentText()}surprise: 1\n` }
    expect((await run(files, ['-i', '"tea"'])).stderr).toContain('a.agf.yaml:5:1  warning unknown_field')
  })

  test('--events writes every event as a line of JSON', async () => {
    const cwd = folder(echo)
    await run({}, ['-i', '"tea"', '--events', 'events.jsonl'], { cwd })
    const lines = readFileSync(join(cwd, 'events.jsonl'), 'utf8').trimEnd().split('\n')
    const types = lines.map((line) => JSON.parse(line).type)
    expect(types[1]).toBe('run-started')
    expect(types.at(-1)).toBe('run-finished')
  })
})

describe('models', () => {
  test('--model replaces every model of the graph', async () => {
    const files = { 'a.agf.yaml': teamText('b.agf.yaml'), 'b.agf.yaml': agentText() }
    expect((await run(files, ['-i', '"tea"', '--model', 'sim/silent'])).stdout).toContain('simulated silent answer')
  })

  test('a name of the configuration is known to agents and to --model', async () => {
    const config = 'bindings: { models: { fast: sim/silent, sim/cautious: sim/credulous } }\n'
    const files = { ...echo, 'joust.yaml': config }
    expect((await run(files, ['-i', '"tea"'])).stdout).toContain('simulated credulous answer')
    expect((await run(files, ['-i', '"tea"', '--model', 'fast'])).stdout).toContain('simulated silent answer')
  })

  test('--script defines the answers of sim/scripted for every agent', async () => {
    const script = { 'script.yaml': '- text: as written\n' }
    const bound = { ...echo, ...script, 'joust.yaml': 'bindings: { models: { sim/cautious: sim/scripted } }\n' }
    const named = { ...script, 'a.agf.yaml': agentText().replace('sim/cautious', 'sim/scripted') }
    for (const [files, ...more] of [[bound], [named], [{ ...echo, ...script }, '--model', 'sim/scripted']] as const) {
      expect((await run(files, ['-i', '"tea"', '--script', 'script.yaml', ...more])).stdout).toBe('"as written"\n')
    }
  })

  test('a script of the configuration is used; --script takes precedence', async () => {
    const files = {
      ...echo,
      'joust.yaml': 'bindings: { models: { sim/scripted: { script: ./one.yaml } } }\n',
      'one.yaml': '- text: one\n',
      'two.yaml': '- text: two\n',
    }
    const argv = ['-i', '"tea"', '--model', 'sim/scripted']
    expect((await run(files, argv)).stdout).toBe('"one"\n')
    expect((await run(files, [...argv, '--script', 'two.yaml'])).stdout).toBe('"two"\n')
  })

  test.each([
    [['--model', 'sim/scripted'], 64, '--model sim/scripted needs --script FILE'],
    [['--script', 'none.yaml'], 64, 'none.yaml: no such file'],
    [['--script', 'bad.yaml'], 1, 'bad.yaml:1:3  error script  unknown field "txt". Did you mean "text"?'],
    [['--model', 'opnai/x'], 1, 'Did you mean "openai"?'],
    [['--model', 'openai/x'], 1, 'error missing_key  helper: missing API key for openai (set OPENAI_API_KEY)'],
  ])('%j', async (argv, expected, message) => {
    const { code, stdout, stderr } = await run({ ...echo, 'bad.yaml': '- txt: x\n' }, ['-i', '"tea"', ...argv])
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' })
    expect(stderr).toContain(message)
  })

  test('a missing key: try it without one', async () => {
    const { stderr } = await run(echo, ['-i', '"tea"', '--model', 'anthropic/x'])
    expect(stderr).toContain('set ANTHROPIC_API_KEY')
    expect(stderr).toContain('joust: to run without a key, use a simulated model: --model sim/cautious\n')
  })
})

describe('approvals', () => {
  test.each<[string, World, string]>([
    ['all', {}, 'hello Ann'],
    ['none', {}, 'Regarding'],
    ['ask', { ask: async () => 'y' }, 'hello Ann'],
    ['ask', { ask: async () => 'n' }, 'Regarding'],
  ])('--approve %s %j', async (mode, world, output) => {
    const { code, stdout } = await run(greeter, ['-i', GREET, '--approve', mode], world)
    expect(code).toBe(0)
    expect(stdout).toContain(output)
  })

  test('without a terminal an agent that needs approval does not start, with a hint', async () => {
    const { code, stderr } = await run(greeter, ['-i', GREET])
    expect(code).not.toBe(0)
    expect(stderr).toContain('greet needs approval, and no approver is configured')
    expect(stderr).toContain('--approve all or --approve none')
  })
})

describe('configuration', () => {
  test('another file by --config, with paths relative to it', async () => {
    const { 'joust.yaml': config, 'tools.mjs': tools, ...files } = greeter
    const moved = { ...files, 'conf/other.yaml': config, 'conf/tools.mjs': tools }
    const { stdout } = await run(moved, ['-i', GREET, '--approve', 'all', '--config', 'conf/other.yaml'])
    expect(stdout).toContain('hello Ann')
  })

  test('one that was found is named', async () => {
    const files = { ...echo, 'joust.yaml': 'bindings: { models: { fast: sim/silent } }\n' }
    expect((await run(files, ['-i', '"tea"'])).stderr).toContain('using joust.yaml\n')
    expect((await run(files, ['-i', '"tea"', '--quiet'])).stderr).not.toContain('using')
    expect((await run(echo, ['-i', '"tea"'])).stderr).not.toContain('using')
  })

  test('its faults have a place and a hint', async () => {
    const files = { ...echo, 'joust.yaml': 'bindings:\n  tols: {}\n  models: { a: 5 }\n' }
    const { code, stderr } = await run(files, ['-i', '"tea"'])
    expect(code).toBe(64)
    expect(stderr).toContain('joust.yaml:2:3  error project  unknown field "tols". Did you mean "tools"?')
    expect(stderr).toMatch(/^joust\.yaml:3:16 {2}error project {2}.*5/m)
    expect(stderr).toContain('joust: joust.yaml: the project file has errors\n')
  })

  test('faults beyond the shape have a position, too', async () => {
    const files = { ...echo, 'joust.yaml': `bindings: { models: { a: "\${NOT_SET}" } }\n` }
    const { code, stderr } = await run(files, ['-i', '"tea"'])
    expect([code, stderr]).toEqual([
      64,
      expect.stringMatching(/joust.yaml:1:26 {2}error missing_variable .*NOT_SET is not set/),
    ])
  })

  test('one beside the agent is not in force: only that of the working folder or above it', async () => {
    const files = { 'sub/a.agf.yaml': greeter['a.agf.yaml'], 'sub/joust.yaml': greeter['joust.yaml'] }
    const { code, stderr } = await joust(['agent', 'run', 'sub/a.agf.yaml', '-i', GREET], { cwd: folder(files) })
    expect([code, stderr]).toEqual([1, expect.stringContaining('unbound_tool')])
  })

  test('loaded code is printed, even with --quiet', async () => {
    const { stderr } = await run(greeter, ['-i', GREET, '--approve', 'all', '--quiet'])
    expect(stderr).toBe('joust: loading code: tools.mjs, specified in joust.yaml\n')
  })

  test('a file that is not there is wrong usage when it was named', async () => {
    const { code, stderr } = await run(echo, ['-i', '"tea"', '--config', 'none.yaml'])
    expect({ code, stderr }).toEqual({ code: 64, stderr: 'joust: none.yaml: no such file\n' })
  })
})

describe('a run that fails', () => {
  test('an unbound tool: every one, its place, and how to bind it', async () => {
    const files = { 'a.agf.yaml': greeter['a.agf.yaml'] }
    const { code, stdout, stderr } = await run(files, ['-i', GREET])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('a.agf.yaml:5:31  error unbound_tool  helper: local tool greet is not bound')
    expect(stderr).toContain('joust: bind local tools in joust.yaml')
  })

  test('an unmapped server', async () => {
    const files = { 'a.agf.yaml': agentText({ actions: '{ mcp_servers: [{ alias: files, server_ref: files }] }' }) }
    const { code, stderr } = await run(files, ['-i', '"tea"'])
    expect(code).toBe(1)
    expect(stderr).toContain('error unmapped_server  helper: MCP server files (files) is not mapped')
    expect(stderr).toContain('joust: map servers in joust.yaml')
  })

  test('a server that is mapped and does not answer', async () => {
    const files = {
      'a.agf.yaml': agentText({ actions: '{ mcp_servers: [{ alias: files, server_ref: files }] }' }),
      'joust.yaml': `bindings: { mcp_servers: { files: { url: "http://127.0.0.1:${await freePort()}/" } } }\n`,
    }
    const { code, stderr } = await run(files, ['-i', '"tea"'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/error unmapped_server {2}helper: MCP server files is unreachable: .*ECONNREFUSED/)
    expect(stderr).toContain('joust: check that the server or remote agent is running')
    expect(stderr).not.toContain('map servers in joust.yaml')
  })

  test('input that does not fit', async () => {
    const { code, stderr } = await run(echo, ['-i', '[5]'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/a\.agf\.yaml:3:\d+ {2}error input_validation .*expected a string, got a list/)
    expect(stderr).toContain('> 3 | interface:')
  })

  test('--json prints the error', async () => {
    const { code, stdout } = await run(echo, ['-i', '[5]', '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'input_validation', agent: [] } })
  })

  describe('--json prints the error of what keeps a run from starting', () => {
    const broken = agentText().replace('execution_policy', 'execution_polic')
    test.each([
      ['an agent with errors', { 'a.agf.yaml': broken }, ['-i', '"tea"'], 1, 'schema_violation', 'execution_policy'],
      [
        'a sub-agent that is missing',
        { 'a.agf.yaml': teamText('b.agf.yaml') },
        ['-i', '"tea"'],
        1,
        'unresolvable_source',
        'b.agf.yaml',
      ],
      ['an agent that is not YAML', { 'a.agf.yaml': 'a: [' }, ['-i', '"tea"'], 1, 'yaml_syntax', 'a.agf.yaml:1:'],
      ['an agent that is missing', {}, ['-i', '"tea"'], 64, 'unresolvable_source', 'no such file'],
      ['input that is not JSON', echo, ['-i', '{tea'], 64, 'input_validation', '--input:1:2: not JSON'],
      ['input that is missing', echo, ['-i', '@in.json'], 64, 'input_validation', 'in.json: no such file'],
      [
        'a project file with errors',
        { ...echo, 'joust.yaml': 'bindngs: {}\n' },
        ['-i', '"tea"'],
        64,
        'config_invalid',
        'bindngs',
      ],
      [
        'bindings with errors',
        {
          'a.agf.yaml': agentText({ actions: '{ local_tools: [{ alias: a }] }' }),
          'joust.yaml': 'bindings: { tools: { a: { module: ./no.mjs } } }\n',
        },
        ['-i', '"tea"'],
        64,
        'config_invalid',
        'no.mjs',
      ],
      [
        'a script with errors',
        { ...echo, 's.yaml': 'x: 1\n' },
        ['-i', '"tea"', '--script', 's.yaml'],
        1,
        'config_invalid',
        's.yaml',
      ],
      [
        'events that cannot be written',
        echo,
        ['-i', '"tea"', '--events', 'no/e.jsonl'],
        64,
        'config_invalid',
        'no/e.jsonl',
      ],
    ] as const)('%s', async (_, files, argv, exitCode, code, words) => {
      // biome-ignore format: a row is a case
      const { code: exited, stdout, stderr } = await run(files, [...argv, '--json'])
      expect(exited).toBe(exitCode)
      expect(JSON.parse(stdout)).toMatchObject({
        ok: false,
        error: { code, agent: [], message: expect.stringContaining(words) },
      })
      // People are told as before.
      expect(stderr).toContain(words.replace(/:\d*$/, ''))
    })

    test('with the findings of every file', async () => {
      const files = { 'a.agf.yaml': teamText('b.agf.yaml'), 'b.agf.yaml': broken }
      const { stdout } = await run(files, ['-i', '"tea"', '--json'])
      expect(JSON.parse(stdout).error.details).toEqual([
        expect.objectContaining({ file: 'b.agf.yaml', severity: 'error', line: expect.any(Number) }),
      ])
    })
  })

  test('the failure of a sub-agent is printed from parent to child, each with its file', async () => {
    const files = {
      'a.agf.yaml': teamText('b.agf.yaml'),
      'b.agf.yaml': agentText(),
      's.yaml': '- error: { message: broken }\n',
    }
    const { code, stderr } = await run(files, ['-i', '"tea"', '--model', 'sim/scripted', '--script', 's.yaml'])
    expect(code).toBe(1)
    const told = stderr
      .split('\n')
      .flatMap((line) => /^(\S+?)(?::\d+:\d+)? {2}error (\w+)/.exec(line)?.slice(1, 3) ?? [])
    expect(told).toEqual(['a.agf.yaml', 'agent_failed', 'b.agf.yaml', 'model_failed'])
    expect(stderr).toContain('broken')
  })

  test('an agent with errors is not run', async () => {
    const { code, stdout, stderr } = await run({ 'a.agf.yaml': teamText('../b.yaml') }, ['-i', '"tea"'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('outside the folder of the first document')
  })

  test('an interruption cancels it', async () => {
    const { code, stderr } = await run(echo, ['-i', '"tea"'], { interruption: AbortSignal.abort(new Error('stop')) })
    expect(code).toBe(130)
    expect(stderr).toContain('error cancelled')
  })
})

describe('wrong usage', () => {
  test.each([
    [['-i', '{"a":'], '--input:1:6: not JSON'],
    [[], 'missing option: --input INPUT'],
    [['-i', '1', '--approve', 'maybe'], '--approve maybe: no such file; expected none, all or a file'],
    [['-i', '1', '--approve', 'client'], '--approve client can only be used with joust agent serve'],
    [['-i', '1', '--modle', 'x'], 'Did you mean --model?'],
    [['-i', '1', '--events', 'no/such/folder.jsonl'], 'no/such/folder.jsonl cannot be written'],
  ])('%j', async (argv, message) => {
    const { code, stdout, stderr } = await run(echo, argv)
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' })
    expect(stderr).toContain(message)
  })

  test('agent and input cannot both come from standard input', async () => {
    const { code, stdout } = await joust(['agent', 'run', '-', '-i', '-', '--json'], { stdin: '{}' })
    expect(code).toBe(64)
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'input_validation' } })
  })
})

async function read(word: string, world: Parameters<typeof memoryIo>[0] = {}) {
  const { io, stderr } = memoryIo(world)
  const text = await readInputText(word, io)
  return { result: text.ok ? readInput(text.value, io, { type: 'array' }) : text, said: stderr.join('') }
}

test('JSON as an argument, from a file, from standard input', async () => {
  expect(await read('{"a": [1, null]}')).toEqual({ result: { ok: true, value: { a: [1, null] } }, said: '' })
  const cwd = folder({ 'in.json': '"x"' })
  expect((await read('@in.json', { cwd })).result).toEqual({ ok: true, value: 'x' })
  expect((await read('-', { stdin: '5' })).result).toEqual({ ok: true, value: 5 })
})

test.each(['9007199254740993', '{"id": [1, -12345678901234567890]}', '123456789012345678901234567890'])(
  'an integer that would not keep its digits is refused: %s',
  async (word) => {
    const { result, said } = await read(word)
    expect(result).toMatchObject({ ok: false, error: { exitCode: 64, error: { code: 'input_validation' } } })
    expect(said).toMatch(
      /^joust: --input:1:\d+: the integer -?\d+ cannot be represented exactly; write it as a string\n$/,
    )
    expect((await read('@in.json', { cwd: folder({ 'in.json': word }) })).result.ok).toBe(false)
    expect((await read('-', { stdin: word })).result.ok).toBe(false)
  },
)

test('numbers that keep their digits are not', async () => {
  const kept =
    '[9007199254740991, 9007199254740992, 1000000000000000000, 1e300, 0.12345678901234567, "9007199254740993"]'
  expect((await read(kept)).result).toEqual({ ok: true, value: JSON.parse(kept) })
})

test.each([
  ['hello', '--input:1:1: not JSON', 'the agent accepts no plain text'],
  ['{a: 1}', '--input:1:2: not JSON', 'the shell may have removed the quotes'],
  ['', '--input', 'the agent accepts no plain text'],
  ['@none.json', 'none.json: no such file', ''],
  ['@bad.json', 'bad.json:2:1: not JSON', ''],
  ['@.', 'this is a directory', ''],
])('%j is wrong usage', async (word, message, hint) => {
  const { result, said } = await read(word, { cwd: folder({ 'bad.json': '{\n' }) })
  expect(result).toMatchObject({ ok: false, error: { exitCode: 64, error: { code: 'input_validation' } } })
  expect(said).toContain(message)
  expect(said).toContain(hint)
})

describe('plain text', () => {
  const asking = {
    ...echo,
    'a.agf.yaml': agentText({ input: '{ type: object, properties: { query: { type: string } }, required: [query] }' }),
  }

  test.each([
    ['tea', 'tea'],
    ['42', '42'],
    ['true', 'true'],
    ['two\nlines', 'two\nlines'],
    ['"tea"', 'tea'],
  ])('%s is a text', async (given, text) => {
    for (const files of [echo, asking]) {
      const { code, stdout } = await run(files, ['-i', given, '-q'])
      if (files === asking && given.startsWith('"')) continue
      expect({ code, output: JSON.parse(stdout) }).toEqual({
        code: 0,
        output: expect.stringContaining(text.split('\n')[0] ?? ''),
      })
    }
    const { stdout } = await run(echo, ['-i', '-', '-q'], { stdin: `${given}\n` })
    expect(stdout).toContain(text.split('\n')[0])
  })

  test('text that looks like JSON is JSON', async () => {
    expect(await run(echo, ['-i', '{"a": ']).then(({ stderr }) => stderr)).toContain('the shell may have removed')
    expect((await run(echo, ['-i', '"tea'])).code).toBe(64)
  })
})

describe('--stream', () => {
  test('prints the text, not JSON', async () => {
    const { stdout, code } = await run(echo, ['-i', 'tea', '--stream'])
    expect({ stdout, code }).toEqual({ stdout: `${ANSWER}\nRegarding: tea\n`, code: 0 })
  })

  test('prints a structured answer once, at its end', async () => {
    const output = '{ type: object, properties: { response: { type: string } }, required: [response] }'
    const { stdout } = await run({ 'a.agf.yaml': agentText({ output }) }, ['-i', 'tea', '--stream', '-q'])
    expect(stdout).toBe(`${ANSWER}\nRegarding: tea\n`)
  })
})

test('--env-file has variables for bindings, the environment takes precedence', async () => {
  const files = {
    ...echo,
    'joust.yaml': `bindings: { models: { sim/cautious: "\${MODEL}" } }\n`,
    '.env': '# a comment\nMODEL="sim/silent"\n',
  }
  expect((await run(files, ['-i', 'tea', '--env-file', '.env'])).stdout).toContain('simulated silent answer')
  const env = { MODEL: 'sim/credulous' }
  expect((await run(files, ['-i', 'tea', '--env-file', '.env'], { env })).stdout).toContain('credulous')
  expect(await run(files, ['-i', 'tea', '--env-file', 'none'])).toMatchObject({ code: 64, stdout: '' })
})

test('--root allows sources outside the folder of the first file', async () => {
  const cwd = folder({ 'team/a.agf.yaml': teamText('../shared/b.agf.yaml'), 'shared/b.agf.yaml': agentText() })
  const outside = await joust(['agent', 'run', 'team/a.agf.yaml', '-i', 'tea'], { cwd })
  expect(outside).toMatchObject({ code: 1, stderr: expect.stringContaining('--root FOLDER') })
  expect(await joust(['agent', 'run', 'team/a.agf.yaml', '-i', 'tea', '--root', '.'], { cwd })).toMatchObject({
    code: 0,
  })
})
