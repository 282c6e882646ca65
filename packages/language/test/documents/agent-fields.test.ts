import { expect, test } from 'vitest'
import { atCursor, languageOver } from '../cursor.ts'

const head = (id: string) =>
  `schema_version: "1.0.0"\nmetadata: { id: ${id}, name: A, version: "1", description: A. }\n`
const files: Readonly<Record<string, string>> = {
  'team/lead.agf.yaml': `${head('lead')}interface:
  input: { type: object, properties: { topic: { type: string, description: What it is about. } } }
  output: { type: object }
execution_policy:
  id: agf.sequential
  config:
    steps:
      - agent: finder
        input_mapping: { query: parent.input.topic }
      - agent: writer
        input_mapping: { texts: 'finder.output.facts.[].text' }
    output_from: merge
action_space:
  local_agents:
    - { alias: finder, source: parts/finder.agf.yaml }
    - { alias: writer, source: parts/writer.agf.yaml }
`,
  'team/parts/finder.agf.yaml': `${head('finder')}interface:
  input: { type: object, properties: { query: { type: string } } }
  output:
    type: object
    properties:
      facts: { type: array, items: { type: object, properties: { text: { type: string } } } }
execution_policy: { id: agf.react, config: { instructions: Find., model: m } }
`,
  'team/parts/writer.agf.yaml': `${head('writer')}interface:
  input: { type: object, properties: { texts: { type: array } } }
  output: { type: object }
execution_policy: { id: agf.react, config: { instructions: Write., model: m } }
`,
}
const language = languageOver(files)
const lead = 'team/lead.agf.yaml'

/** A request with the cursor inside a part of a file. */
function at(name: string, marked: string) {
  return atCursor((files[name] ?? '').replace(marked.replace('¦', ''), marked), name)
}

/** Spans as file name and text, with the preceding expression. */
function format(spans: readonly { readonly name: string; readonly start: number; readonly end: number }[]): string[] {
  return spans.map(({ name, start, end }) => {
    const text = files[name] ?? ''
    return `${name.split('/').at(-1)}: ${/[\w.[\]]*$/.exec(text.slice(0, start))?.[0]}${text.slice(start, end)}`
  })
}

test('expressions and mappings refer to the declared field', async () => {
  const definition = async (marked: string) => {
    const { file, offset } = at(lead, marked)
    return format(await language.definition(file, offset))
  }
  expect(await definition('finder.output.fac¦ts')).toEqual(['finder.agf.yaml: facts'])
  expect(await definition('facts.[].te¦xt')).toEqual(['finder.agf.yaml: text'])
  expect(await definition('{ que¦ry: parent')).toEqual(['finder.agf.yaml: query'])
  expect(await definition('parent.input.to¦pic')).toEqual(['lead.agf.yaml: topic'])
  expect(await definition('output_from: mer¦ge')).toEqual([])
})

test('the references of a field include other files', async () => {
  const references = async (name: string, marked: string) => {
    const { file, offset } = at(name, marked)
    return format(await language.references(file, offset))
  }
  const facts = ['finder.agf.yaml: facts', 'lead.agf.yaml: finder.output.facts']
  expect(await references(lead, 'finder.output.fac¦ts')).toEqual(facts)
  expect(await references('team/parts/finder.agf.yaml', '      fac¦ts:')).toEqual(facts)
  const text = ['finder.agf.yaml: text', 'lead.agf.yaml: finder.output.facts.[].text']
  expect(await references('team/parts/finder.agf.yaml', '{ te¦xt: {')).toEqual(text)
  const query = ['finder.agf.yaml: query', 'lead.agf.yaml: query']
  expect(await references('team/parts/finder.agf.yaml', '{ que¦ry: {')).toEqual(query)
  expect(await references(lead, '{ to¦pic: {')).toEqual(['lead.agf.yaml: topic', 'lead.agf.yaml: parent.input.topic'])
  expect(await references(lead, 'descrip¦tion: What')).toEqual([])
})

test('hover shows the declaration of a field', async () => {
  const { file, offset } = at(lead, 'parent.input.to¦pic')
  const hoverText = (await language.hover(file, offset))?.text
  expect(hoverText).toContain('**topic** · string, input of lead.agf.yaml\n\nWhat it is about.')
  const other = at(lead, 'finder.output.fac¦ts')
  expect((await language.hover(other.file, other.offset))?.text).toContain('array, output of parts/finder.agf.yaml')
})

test('a strategy is not the alias of an agent', async () => {
  const { file, offset } = at(lead, 'output_from: mer¦ge')
  expect((await language.hover(file, offset))?.text).not.toContain('not defined')
  const labels = (await language.complete(file, offset)).map(({ label }) => label)
  expect(labels).toEqual(['finder', 'writer', 'last', 'merge', 'first'])
})

test('a missing file has a suggestion', async () => {
  const text = (files[lead] ?? '').replace('parts/finder.agf', 'parts/findr.agf')
  const findings = await language.diagnose({ name: lead, text })
  expect(findings.find(({ code }) => code === 'unresolvable_source')?.suggestion).toEqual({
    replace: 'value',
    with: 'parts/finder.agf.yaml',
  })
})
