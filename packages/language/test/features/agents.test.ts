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

test('matching agents have no findings', async () => {
  for (const [file, content] of Object.entries(files)) {
    const result = await language.diagnose({ name: file, text: content })
    expect(
      result.filter(({ severity }) => severity === 'error'),
      file,
    ).toEqual([])
  }
})

test('links point to the files of sub-agents', () => {
  const links = language.links({ name, text })
  expect(
    written(
      text,
      links.map(({ range }) => range),
    ),
  ).toContain(source)
  for (const { target } of links) expect(Object.keys(files)).toContain(target)
})

test('the definition of a source is its file, that of an alias its entry and its file', async () => {
  const { file, offset } = atCursor(text.replace(`source: ${source}`, `source: ¦${source}`), name)
  expect((await language.definition(file, offset)).map((one) => one.name)).toEqual([`team/${source}`])
  const used = atCursor(text.replace(`agent: ${alias}`, `agent: ¦${alias}`), name)
  expect(used.offset).toBeGreaterThan(0)
  expect((await language.definition(used.file, used.offset)).map((one) => one.name)).toEqual([name, `team/${source}`])
})

test('a project file links to its agents and attacks', async () => {
  const marked = 'attacks: [none.oatf.yaml]\ntargets:\n  bot: { agent: team/age¦nt.agf.yaml }\n'
  const { file, offset } = atCursor(marked, 'joust.yaml')
  const [result, ...others] = await language.definition(file, offset)
  expect(others).toEqual([])
  expect(result).toMatchObject({ name, start: text.indexOf('id: ') + 4 })
  expect(await language.definition(file, file.text.indexOf('none'))).toEqual([])
})

test('the references of an agent include other files', async () => {
  const target = files[`team/${source}`] ?? ''
  const result = await language.references({ name: `team/${source}`, text: target }, target.indexOf('id: ') + 5)
  expect(result.map((one) => `${one.name} ${files[one.name]?.slice(one.start, one.end)}`)).toContain(
    `${name} ${source}`,
  )
  // The reference to its file has the same result.
  expect(await language.references({ name, text }, text.indexOf(`source: ${source}`) + 8)).toEqual(result)
})

test('the definition of a field is in its schema', async () => {
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

test('renaming an alias updates steps and expressions', () => {
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
  const renamed = edits.ok ? editText(file.text, edits.value) : ''
  expect(renamed.match(/scout/g)).toHaveLength(4)
  expect(renamed).toContain('source: finder.agf.yaml')
  const tool = { ...file, text: `${file.text}  local_tools: [{ alias: search }]\n` }
  expect(language.rename(tool, offset, 'search')).toEqual({
    ok: false,
    error: 'duplicate name: a callable "search" already exists',
  })
  // A tool used as an agent is an error, which renaming would not fix.
  const mistaken = { ...tool, text: tool.text.replace('agent: writer', 'agent: search') }
  expect(language.renamable(mistaken, mistaken.text.indexOf('agent: search') + 9)).toBeUndefined()
})

test('a diagram has the agents, their callables and the ranges', async () => {
  const result = await language.picture({ name, text })
  if (result?.kind !== 'agent') throw new Error('no agent')
  expect(result.nodes[0]).toMatchObject({ kind: 'agent', file: name, range: { start: expect.any(Number) } })
  expect(result.edges.map((edge) => edge.alias)).toContain(alias)
  expect(result.nodes.map((node) => node.file)).toContain(`team/${source}`)
})

test('the outline has steps and callables', () => {
  const names = language.outline({ name, text }).map((item) => item.kind)
  expect(new Set(names)).toEqual(new Set(['agent', 'interface', 'policy', 'callable']))
})
