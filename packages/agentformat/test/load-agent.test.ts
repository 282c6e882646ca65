import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadAgent } from '../src/load-agent.ts'
import type { SourceReader, SourceRef } from '../src/model/agent.ts'
import { checkAgent } from '../src/parse-agent.ts'
import { graphFolder, sourceId } from '../src/sources/read-graph.ts'
import { agentText, type Parts, steps } from './rules/harness.ts'

/** A reader for texts by id; `requests` collects the calls. */
function memory(
  files: { readonly [id: string]: string },
  entry = 'main.agf.yaml',
  requests: SourceRef[] = [],
): SourceReader {
  return async (ref) => {
    requests.push(ref)
    const id = ref.from === undefined ? ref.source : sourceId({ ...ref, from: ref.from }, graphFolder(entry), true)
    const text = typeof id === 'string' ? files[id] : files[id.ok ? id.value : '']
    if (text === undefined) throw new Error('no such file')
    return text
  }
}

/** A document with sub-agents, as `alias: source` pairs. */
function parent(agents: { readonly [alias: string]: string }, parts: Parts = {}): string {
  const entries = Object.entries(agents).map(([alias, source]) => `{ alias: ${alias}, source: "${source}" }`)
  return agentText({ ...parts, space: `{ local_agents: [${entries.join(', ')}] }` })
}
const load = (files: { readonly [id: string]: string }, strict = false) =>
  loadAgent('main.agf.yaml', { read: memory(files), strict })
const problems = async (files: { readonly [id: string]: string }, strict = false) => {
  const loaded = await load(files, strict)
  const diagnostics = loaded.ok ? loaded.value.warnings : loaded.error
  return diagnostics.map(({ file, code, path }) => `${file} ${code} ${path}`)
}
const source = (index: number) => `action_space.local_agents[${index}].source`

describe('a graph that loads', () => {
  test('is linked by alias; a shared agent is read once and is the same object', async () => {
    const requests: SourceRef[] = []
    const files = {
      'desk/main.agf.yaml': parent({ a: './agents/a.agf.yaml', b: 'agents/b.agf.yaml' }),
      'desk/agents/a.agf.yaml': parent({ leaf: './leaf.agf.yaml' }),
      'desk/agents/b.agf.yaml': parent({ also: '../agents/leaf.agf.yaml' }),
      'desk/agents/leaf.agf.yaml': agentText({}),
    }
    const loaded = await loadAgent('desk/main.agf.yaml', { read: memory(files, 'desk/main.agf.yaml', requests) })
    if (!loaded.ok) throw new Error(loaded.error[0]?.message)
    const { agent, warnings } = loaded.value
    expect(warnings).toEqual([])
    expect(agent.source).toBe('desk/main.agf.yaml')
    expect(agent.agents.get('a')?.agents.get('leaf')).toBe(agent.agents.get('b')?.agents.get('also'))
    expect(agent.agents.get('a')?.agents.get('leaf')?.source).toBe('desk/agents/leaf.agf.yaml')
    expect(requests).toEqual([
      { source: 'desk/main.agf.yaml', sourceType: 'file' },
      { source: './agents/a.agf.yaml', sourceType: 'file', from: 'desk/main.agf.yaml' },
      { source: 'agents/b.agf.yaml', sourceType: 'file', from: 'desk/main.agf.yaml' },
      { source: './leaf.agf.yaml', sourceType: 'file', from: 'desk/agents/a.agf.yaml' },
    ])
  })

  test('OPEN-45: other source types go to the reader', async () => {
    const text = agentText({ space: '{ local_agents: [{ alias: a, source: acme/a, source_type: registry }] }' })
    const read: SourceReader = async ({ sourceType }) => (sourceType === 'registry' ? agentText({}) : text)
    const loaded = await loadAgent('main.agf.yaml', { read })
    expect(loaded.ok && loaded.value.agent.agents.get('a')?.source).toBe('registry:acme/a')
  })

  test('may refer to the same agent several times', async () => {
    const loaded = await load({
      'main.agf.yaml': parent({ a: './a.agf.yaml', b: './b.agf.yaml' }),
      'a.agf.yaml': parent({ b: './b.agf.yaml', c: './c.agf.yaml' }),
      'b.agf.yaml': agentText({}),
      'c.agf.yaml': agentText({}),
    })
    expect(loaded.ok && [...(loaded.value.agent.agents.get('a')?.agents.keys() ?? [])]).toEqual(['b', 'c'])
  })

  test('of 200 agents loads', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => {
        const next =
          index === 199 ? {} : { next: `./a${index + 1}.agf.yaml`, far: `./a${Math.min(199, index + 7)}.agf.yaml` }
        const policy = index === 199 ? {} : { policy: steps('sequential', ['next', 'far']) }
        return [index === 0 ? 'main.agf.yaml' : `a${index}.agf.yaml`, parent(next, policy)]
      }),
    )
    expect(await problems(files)).toEqual([])
  })
})

describe('all problems of the whole graph at once', () => {
  test('file by file, in reading order, errors and warnings', async () => {
    const files = {
      'main.agf.yaml': parent(
        { a: './a.agf.yaml', b: './b.agf.yaml', gone: './gone.agf.yaml' },
        { policy: steps('sequential', ['unknown', 'a <- x: parent.input.y']) },
      ),
      'a.agf.yaml': agentText({ space: '{ local_tools: [{ alias: t }, { alias: t, aproval: true }] }' }),
      'b.agf.yaml': 'schema_version: "1.0.0"',
    }
    const lines = await problems(files)
    expect(lines).toEqual([
      'main.agf.yaml unknown_agent execution_policy.config.steps[0].agent',
      'main.agf.yaml undeclared_field execution_policy.config.steps[1].input_mapping.x',
      'main.agf.yaml unresolved_field execution_policy.config.steps[1].input_mapping.x',
      `main.agf.yaml unresolvable_source ${source(2)}`,
      'a.agf.yaml duplicate_alias action_space.local_tools[1].alias',
      'a.agf.yaml unknown_field action_space.local_tools[1].aproval',
      ...lines.filter((line) => line.startsWith('b.agf.yaml schema_violation')),
    ])
    expect(lines.some((line) => line.startsWith('b.agf.yaml'))).toBe(true)
  })

  test('within the given limits', async () => {
    const files = {
      'main.agf.yaml': agentText({
        space: '{ local_tools: [{ alias: t, approval: { condition: { args_match: { x: { pattern: "abc" } } } } }] }',
      }),
    }
    const read = memory(files)
    expect(await loadAgent('main.agf.yaml', { read, limits: { yamlBytes: 10 } })).toMatchObject({
      ok: false,
      error: [{ code: 'yaml_syntax' }],
    })
    expect(await loadAgent('main.agf.yaml', { read, limits: { regexPattern: 2 } })).toMatchObject({
      ok: false,
      error: [{ code: 'invalid_pattern' }],
    })
    expect((await loadAgent('main.agf.yaml', { read, limits: {} })).ok).toBe(true)
  })

  test('R-06: unknown fields are errors in strict mode', async () => {
    const files = { 'main.agf.yaml': `${agentText({})}extra: 1\n` }
    expect((await load(files)).ok).toBe(true)
    expect((await load(files, true)).ok).toBe(false)
  })
})

describe('OPEN-45: sources that cannot be read', () => {
  test('the entry', async () => {
    const loaded = await load({})
    expect(loaded).toMatchObject({ ok: false, error: [{ code: 'unresolvable_source', file: 'main.agf.yaml' }] })
    expect(loaded.ok ? '' : loaded.error[0]?.message).toBe('"main.agf.yaml" cannot be read: no such file')
  })

  test('a sub-agent, at every reference, with the reason of the reader', async () => {
    const loaded = await load({ 'main.agf.yaml': parent({ a: './gone.agf.yaml', b: 'gone.agf.yaml' }) })
    expect(loaded).toMatchObject({
      ok: false,
      error: [
        { code: 'unresolvable_source', rule: 'OPEN-45', path: source(0), line: 5 },
        { code: 'unresolvable_source', path: source(1), message: '"gone.agf.yaml" cannot be read: no such file' },
      ],
    })
  })

  test.each(['/etc/passwd', '../../etc/passwd', 'https://example.com/a.agf.yaml', 'a\\b'])(
    '%s is not passed to the reader',
    async (path) => {
      const requests: SourceRef[] = []
      const text = agentText({ space: `{ local_agents: [{ alias: a, source: '${path}' }] }` })
      const loaded = await loadAgent('main.agf.yaml', {
        read: memory({ 'main.agf.yaml': text }, 'main.agf.yaml', requests),
      })
      expect(loaded).toMatchObject({ ok: false, error: [{ code: 'unresolvable_source', path: source(0) }] })
      expect(requests).toHaveLength(1)
    },
  )

  test('a reader that throws or returns no string is a finding', async () => {
    const thrower = (() => {
      throw new Error('at once')
    }) as SourceReader
    expect(await loadAgent('x', { read: thrower })).toMatchObject({
      ok: false,
      error: [{ message: '"x" cannot be read: at once' }],
    })
    // A host written without types can do this.
    const silent = (async () => undefined) as unknown as SourceReader
    expect(await loadAgent('x', { read: silent })).toMatchObject({
      ok: false,
      error: [{ code: 'unresolvable_source' }],
    })
  })

  test('the number of documents is limited', async () => {
    const read: SourceReader = async () => parent({ next: './deeper/next.agf.yaml' })
    const loaded = await loadAgent('main.agf.yaml', { read })
    expect(loaded).toMatchObject({ ok: false, error: [{ code: 'unresolvable_source' }] })
    expect(loaded.ok ? '' : loaded.error[0]?.message).toContain('more than 1000 documents')
  })
})

describe('OPEN-45: cycles', () => {
  test('are reported at the closing reference', async () => {
    const files = {
      'main.agf.yaml': parent(
        { a: './a.agf.yaml' },
        { policy: steps('sequential', ['a']), constraints: '{ limits: { max_delegation_depth: 5 } }' },
      ),
      'a.agf.yaml': parent({ b: './main.agf.yaml', self: './a.agf.yaml' }, { policy: steps('sequential', ['b']) }),
    }
    expect(await problems(files)).toEqual([
      `a.agf.yaml agent_cycle ${source(0)}`,
      `a.agf.yaml agent_cycle ${source(1)}`,
    ])
    const loaded = await load(files)
    expect(loaded.ok ? '' : loaded.error[0]?.message).toContain('"main.agf.yaml", "a.agf.yaml", "main.agf.yaml"')
  })
})

describe('hostile documents', () => {
  const main = (child: string) => ({
    'main.agf.yaml': parent({ a: './a.agf.yaml' }, { policy: steps('sequential', ['a <- x: parent.input.x']) }),
    'a.agf.yaml': child,
  })

  test('an alias bomb in a sub-agent is a finding about that file', async () => {
    const bomb = `a: &a [1, 1]\n${Array.from({ length: 30 }, (_, index) => {
      const name = String.fromCharCode(98 + (index % 24)) + index
      const before = index === 0 ? 'a' : String.fromCharCode(98 + ((index - 1) % 24)) + (index - 1)
      return `${name}: &${name} [*${before}, *${before}]`
    }).join('\n')}\n`
    expect(await problems(main(bomb))).toContainEqual(expect.stringMatching(/^a\.agf\.yaml yaml_syntax/))
  })

  test.each([
    ['a circle of references', '{ $ref: "#" }'],
    ['a circle through properties', '{ type: object, properties: { x: { $ref: "#" } }, required: [x] }'],
    [
      'a huge enum',
      `{ type: object, properties: { x: { enum: [${Array.from({ length: 20_000 }, (_, i) => i).join(',')}] } } }`,
    ],
    [
      'a wide allOf',
      `{ type: object, allOf: [${Array.from({ length: 5_000 }, () => '{ required: [x] }').join(',')}] }`,
    ],
    [
      'names of the prototype',
      '{ type: object, properties: { __proto__: { type: string }, constructor: {} }, required: [toString] }',
    ],
  ])('%s in an interface ends quickly', async (_name, input) => {
    const files = {
      ...main(agentText({ input })),
      'main.agf.yaml': parent(
        { a: './a.agf.yaml' },
        { input, policy: steps('sequential', ['a <- x: parent.input.x', 'a']) },
      ),
    }
    expect(Array.isArray(await problems(files))).toBe(true)
  })

  test('many steps with many misspelled names end quickly', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => `agent_${index}x <- y: agent_${index}z.output.w`)
    const agents = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`agent_${index}`, './a.agf.yaml']))
    const files = {
      'main.agf.yaml': parent(agents, { policy: steps('sequential', many) }),
      'a.agf.yaml': agentText({}),
    }
    expect((await problems(files)).length).toBe(6000)
  })

  test('nothing throws on any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), async (a, b) => {
        const loaded = await load({ 'main.agf.yaml': a, 'a.agf.yaml': b })
        expect(typeof loaded.ok).toBe('boolean')
      }),
      { numRuns: 100 },
    )
  })

  test('nothing throws on any JSON value at any path', async () => {
    const document = JSON.stringify({
      schema_version: '1.0.0',
      metadata: { id: 'a', name: 'A', version: '1', description: 'd' },
      interface: { input: { type: 'object', properties: { x: {} } }, output: {} },
      execution_policy: {
        id: 'agf.sequential',
        config: { steps: [{ agent: 'a', input_mapping: { x: 'parent.input.x' } }] },
      },
      action_space: {
        local_agents: [
          { alias: 'a', source: './a.agf.yaml', approval: { condition: { args_match: { 'parent.input.x': 1 } } } },
        ],
      },
      constraints: { limits: { max_delegation_depth: 1 } },
    })
    const places = [...document.matchAll(/"(?:[^"]+)":/g)].map((match) => match.index + match[0].length)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), fc.jsonValue({ maxDepth: 3 }), async (place, value) => {
        // Replaces one value and keeps the rest, so that about half of the texts are still documents.
        const rest = document.slice(place).replace(/^(?:"[^"]*"|\d+|\{\})/, JSON.stringify(value))
        const loaded = await load({ 'main.agf.yaml': document.slice(0, place) + rest, 'a.agf.yaml': agentText({}) })
        expect(typeof loaded.ok).toBe('boolean')
      }),
      { numRuns: 300 },
    )
  })
})

const samples = fileURLToPath(new URL('../../../../shared/agent-format/samples/', import.meta.url))

describe.skipIf(!existsSync(samples))('the real samples', () => {
  const servers = 'action_space.mcp_servers'
  /** The additional findings of the loaded graph. */
  const expected: { readonly [file: string]: readonly string[] } = {
    'trustabl--ts-claude-sdk-min.agf.yaml': [
      `31:19 empty_server_ref ${servers}[0].server_ref`,
      `33:22 empty_allow_list ${servers}[0].allowed_tools`,
      `36:19 empty_server_ref ${servers}[1].server_ref`,
      `38:22 empty_allow_list ${servers}[1].allowed_tools`,
    ],
  }

  test.each(readdirSync(existsSync(samples) ? samples : '.').filter((file) => file.endsWith('.agf.yaml')))(
    '%s',
    async (file) => {
      const text = readFileSync(`${samples}${file}`, 'utf8')
      const loaded = await loadAgent(file, { read: async () => text })
      const alone = checkAgent(text, { file }).diagnostics
      const all = loaded.ok ? loaded.value.warnings : loaded.error
      expect(loaded.ok).toBe(alone.every(({ severity }) => severity === 'warning'))
      const own = new Set(alone.map((diagnostic) => JSON.stringify(diagnostic)))
      const added = all.filter((diagnostic) => !own.has(JSON.stringify(diagnostic)))
      expect(added.map(({ line, column, code, path }) => `${line}:${column} ${code} ${path}`)).toEqual(
        expected[file] ?? [],
      )
      expect(all.length).toBe(alone.length + added.length)
    },
  )
})

test('a missing reader is an error value', async () => {
  for (const options of [undefined, null, {}, { read: 'file' }]) {
    // A host that is not type-checked.
    const loaded = await loadAgent('main.agf.yaml', options as unknown as Parameters<typeof loadAgent>[1])
    expect(loaded).toEqual({
      ok: false,
      error: [
        {
          severity: 'error',
          code: 'unresolvable_source',
          rule: 'OPEN-45',
          message: '"main.agf.yaml" cannot be read: missing option "read"',
          file: 'main.agf.yaml',
        },
      ],
    })
  }
})
