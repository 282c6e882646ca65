import { describe, expect, test } from 'vitest'
import { option, REQUIRED } from '../../src/options/option.ts'
import { defaultsOf, type GivenOptions, readOptions } from '../../src/options/read.ts'
import { runOptions } from '../../src/options/run.ts'
import { type NamedKind, targetKeys } from '../../src/options/targets.ts'
import { count, pairs, text, toggle } from '../../src/options/values.ts'

const table = {
  size: option({ value: count(), default: 7, help: '' }),
  name: option({ value: text('name'), default: REQUIRED, help: '' }),
  fast: option({ value: toggle, default: false, needs: ['size'], help: '' }),
  slow: option({ value: toggle, default: false, conflicts: ['fast'], help: '' }),
  link: option({ value: pairs('a', 'b'), default: undefined, help: '' }),
}

async function faults(given: GivenOptions): Promise<readonly string[]> {
  const read = await readOptions(runOptions, given)
  return read.ok ? [] : read.error
}

test('values are typed by the table, defaults are put in', async () => {
  const read = await readOptions(table, { name: ['it'], link: ['x=1', 'y=a=b'] })
  if (!read.ok) throw new Error(read.error.join())
  const { size, name, fast, link } = read.value
  const typed: [number, string, boolean, Readonly<Record<string, string>> | undefined] = [size, name, fast, link]
  expect(typed).toEqual([7, 'it', false, { x: '1', y: 'a=b' }])
})

test('all errors are reported at once', async () => {
  const read = await readOptions(table, { size: ['0'], fast: [], slow: [], link: ['x=1', 'x=2'] })
  expect(read).toEqual({
    ok: false,
    error: [
      '--size expects a whole number of at least 1, not "0"',
      'missing option: --name NAME',
      '--link has x twice',
      '--slow cannot be used with --fast',
    ],
  })
  expect(await readOptions(table, { name: ['it'], fast: [] })).toEqual({
    ok: false,
    error: ['--fast can only be used with --size'],
  })
})

test('a name from the prototype is a name like any other', async () => {
  const read = await readOptions(table, { name: ['it'], link: ['__proto__=x'] })
  expect(read.ok && Object.entries(read.value.link ?? {})).toEqual([['__proto__', 'x']])
})

describe('targets', () => {
  const targets: { readonly [kind in NamedKind]: readonly string[] } = {
    agent: ['a.agf.yaml'],
    model: ['sim/silent'],
    endpoint: ['a2a=http://a/'],
    command: ['x'],
    acp: ['x'],
    http: [],
    function: [],
    'self-play': ['a=b'],
  }

  test.each<[string, readonly string[], NamedKind[]]>([
    ['bind', ['a=b'], ['agent']],
    ['script', ['x'], ['agent', 'model']],
    ['approve', ['none'], ['agent', 'model', 'acp']],
    ['inProcess', [], ['agent', 'model']],
    ['budgetTokens', ['1'], ['agent', 'model', 'endpoint', 'command', 'acp', 'http', 'function']],
    ['budgetCalls', ['1'], ['agent', 'model', 'endpoint', 'command', 'acp', 'http', 'function']],
    ['header', ['a=b'], ['endpoint']],
    ['record', ['x'], ['agent', 'model', 'endpoint', 'command', 'acp', 'http', 'function']],
    ['replay', ['x'], ['agent', 'model', 'endpoint', 'command', 'acp', 'http', 'function']],
    ['noPreflight', [], ['agent', 'model', 'endpoint', 'command', 'acp', 'http', 'function']],
    ['prompt', ['x'], ['agent', 'model', 'endpoint', 'command', 'acp', 'http', 'function']],
    ['listen', ['a=1'], ['agent', 'model', 'endpoint', 'command', 'acp', 'http', 'function', 'self-play']],
  ])('%s', async (key, given, kinds) => {
    const taken: string[] = []
    for (const [kind, named] of Object.entries(targets) as [NamedKind, readonly string[]][])
      if ((await faults({ [key]: given, [targetKeys[kind]]: named })).length === 0) taken.push(kind)
    expect(taken).toEqual(kinds)
    expect(await faults({ [key]: given })).toHaveLength(key === 'listen' ? 0 : 1)
    const isOfListening = ['budgetTokens', 'budgetCalls', 'record', 'replay', 'listen'].includes(key)
    expect(await faults({ [key]: given, listen: ['a=1'] })).toHaveLength(isOfListening ? 0 : 1)
  })

  test('the fault names what would be right', async () => {
    expect(await faults({ script: ['x'], exec: ['y'] })).toEqual([
      '--script can only be used with --agent or --model, not with --exec',
    ])
    expect(await faults({ budgetCalls: ['1'] })).toEqual([
      '--budget-calls can only be used with --agent, --model, --target, --exec, --acp, --listen or --judge',
    ])
  })

  test('a judge has calls of its own to count', async () => {
    expect(await faults({ budgetCalls: ['1'], exec: ['y'], judge: ['sim/silent'] })).toEqual([])
  })

  test('one target at a time; a model replaces those of an agent', async () => {
    expect(await faults({ agent: ['a'], model: ['m'] })).toEqual([])
    expect(await faults({ model: ['m'], exec: ['x'] })).toEqual(['--model cannot be used with --exec'])
  })

  test('actors of a document can be wired to each other beside a target', async () => {
    expect(await faults({ target: ['a2a=http://a/'], wire: ['a=b'] })).toEqual([])
  })
})

test('the environment of a command without options', async () => {
  expect(await readOptions(runOptions, {})).toEqual({ ok: true, value: defaultsOf(runOptions) })
})
