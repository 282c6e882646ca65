import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { editText } from '@joust/source'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../../../../scripts/repository.ts'
import { atCursor, languageOver, written } from '../cursor.ts'

/** The agents of an example that also has files in folders. */
const folder = join(repositoryRoot(), 'examples/agents/combined')
const files = Object.fromEntries(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.agf.yaml'))
    .map((name) => [`team/${name.replaceAll('\\', '/')}`, readFileSync(join(folder, name), 'utf8')]),
)
const language = languageOver(files)
const name = 'team/agent.agf.yaml'
const text = files[name] ?? ''
const source = /source: (\S+)/.exec(text)?.[1] ?? ''
const alias = /alias: (\w+)/.exec(text)?.[1] ?? ''

test('agents that fit together have no findings', async () => {
  for (const [file, content] of Object.entries(files)) {
    const found = await language.diagnose({ name: file, text: content })
    expect(
      found.filter(({ severity }) => severity === 'error'),
      file,
    ).toEqual([])
  }
})

test('links lead to the files of sub-agents', () => {
  const links = language.links({ name, text })
  expect(
    written(
      text,
      links.map(({ range }) => range),
    ),
  ).toContain(source)
  for (const { target } of links) expect(Object.keys(files)).toContain(target)
})

test('a source leads to its file, an alias to its entry and its file', async () => {
  const { file, offset } = atCursor(text.replace(`source: ${source}`, `source: ¦${source}`), name)
  expect((await language.definition(file, offset)).map((one) => one.name)).toEqual([`team/${source}`])
  const used = atCursor(text.replace(`agent: ${alias}`, `agent: ¦${alias}`), name)
  expect(used.offset).toBeGreaterThan(0)
  expect((await language.definition(used.file, used.offset)).map((one) => one.name)).toEqual([name, `team/${source}`])
})

test('a project file leads to the agents and attacks that it names', async () => {
  const marked = 'attacks: [none.oatf.yaml]\ntargets:\n  bot: { agent: team/age¦nt.agf.yaml }\n'
  const { file, offset } = atCursor(marked, 'joust.yaml')
  const [found, ...others] = await language.definition(file, offset)
  expect(others).toEqual([])
  expect(found).toMatchObject({ name, start: text.indexOf('id: ') + 4 })
  expect(await language.definition(file, file.text.indexOf('none'))).toEqual([])
})

test('an agent knows the files that lead to it', async () => {
  const target = files[`team/${source}`] ?? ''
  const found = await language.references({ name: `team/${source}`, text: target }, target.indexOf('id: ') + 5)
  expect(found.map((one) => `${one.name} ${files[one.name]?.slice(one.start, one.end)}`)).toContain(`${name} ${source}`)
  // Asking where its file is named finds the same.
  expect(await language.references({ name, text }, text.indexOf(`source: ${source}`) + 8)).toEqual(found)
})

test('a field of an expression leads to the schema that declares it', async () => {
  const lead = `metadata: {}
interface: { input: { type: object, properties: { topic: { type: string } } } }
execution_policy:
  id: agf.sequential
  config:
    steps:
      - agent: b
        input_mapping: { query: parent.input.to¦pic }
`
  const { file, offset } = atCursor(lead, 'a.agf.yaml')
  expect(written(file.text, await language.definition(file, offset))).toEqual(['topic'])
})

test('an alias is renamed where it stands in steps and expressions', () => {
  const lead = `metadata: {}
execution_policy:
  id: agf.sequential
  config:
    steps:
      - agent: finder
      - agent: writer
        input_mapping: { facts: finder.output.facts }
    output_from: finder
action_space:
  local_agents:
    - { alias: fin¦der, source: finder.agf.yaml }
`
  const { file, offset } = atCursor(lead, 'a.agf.yaml')
  const edits = language.rename(file, offset, 'scout')
  const made = edits.ok ? editText(file.text, edits.value) : ''
  expect(made.match(/scout/g)).toHaveLength(4)
  expect(made).toContain('source: finder.agf.yaml')
  const tool = { ...file, text: `${file.text}  local_tools: [{ alias: search }]\n` }
  expect(language.rename(tool, offset, 'search')).toEqual({ ok: false, error: 'there is already a callable search' })
  // A tool used as an agent is a mistake, and would stay one under another name.
  const mistaken = { ...tool, text: tool.text.replace('agent: writer', 'agent: search') }
  expect(language.renamable(mistaken, mistaken.text.indexOf('agent: search') + 9)).toBeUndefined()
})

test('a picture has the agents, what they call, and where that stands', async () => {
  const found = await language.picture({ name, text })
  if (found?.kind !== 'agent') throw new Error('no agent')
  expect(found.nodes[0]).toMatchObject({ kind: 'agent', file: name, range: { start: expect.any(Number) } })
  expect(found.edges.map((edge) => edge.alias)).toContain(alias)
  expect(found.nodes.map((node) => node.file)).toContain(`team/${source}`)
})

test('the outline has steps and callables', () => {
  const names = language.outline({ name, text }).map((item) => item.kind)
  expect(new Set(names)).toEqual(new Set(['agent', 'interface', 'policy', 'callable']))
})
