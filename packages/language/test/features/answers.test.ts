import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { editText, shapes } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { repositoryRoot } from '../../../../scripts/repository.ts'
import { createLanguage } from '../../src/index.ts'
import { atCursor, attack, languageOver, written } from '../cursor.ts'

const language = languageOver({})
const root = repositoryRoot()

describe('findings', () => {
  const codes = async (text: string, name = 'a.oatf.yaml') =>
    (await language.diagnose({ name, text })).map(({ code, range }) => `${code} ${text.slice(range.start, range.end)}`)

  test('cover syntax, shape, rules, dialects and lint', async () => {
    expect(await codes('oatf: "0.1\nattack: {}')).toEqual([expect.stringMatching(/^syntax /)])
    expect(await codes(attack.replace('severity: high', 'severty: high'))).toContain('type_mismatch severty')
    expect(await codes(attack.replace('actor: shop', 'actor: shoop'))).toContain('V-048 shoop')
    expect(await codes(attack.replace('surface: tools/call', 'surface: tool_call'))).toContain('D-003 tool_call')
    expect((await codes(attack)).map((code) => code.slice(0, 5))).toContain('L-020')
  })

  test('have a suggestion and a section', async () => {
    const text = attack.replace('severity: high', 'severity: hihg')
    const [result] = await language.diagnose({ name: 'a.oatf.yaml', text })
    expect(result).toMatchObject({ code: 'V-005', section: '§11.1.5', suggestion: { replace: 'value', with: 'high' } })
    expect(result?.message).toContain('Did you mean "high"?')
  })

  test('about a missing value cover its key, others end with the value', async () => {
    expect(await codes(attack.replace('severity: high', 'severity: '))).toEqual(['V-005 severity'])
    const empty = attack.replace(
      /\n {6}- name: peer[\s\S]*?(?=\n {2}indicators)/,
      '\n      - { name: peer, mode: , phases: 1 }',
    )
    expect(await codes(empty)).toEqual(expect.arrayContaining(['V-031 mode', 'V-031 1']))
  })

  test('are empty for every attack of the library', async () => {
    const library = join(root, 'library')
    for (const name of readdirSync(library)
      .filter((file) => file.endsWith('.yaml'))
      .slice(0, 12)) {
      expect(await codes(readFileSync(join(library, name), 'utf8'), name), name).toEqual([])
    }
  })

  test('of an agent include those that depend on its sub-agents', async () => {
    const lead = readFileSync(join(root, 'examples/agents/sequential/agent.agf.yaml'), 'utf8')
    const missing = await language.diagnose({ name: 'lead.agf.yaml', text: lead })
    expect(new Set(missing.map(({ code }) => code))).toEqual(new Set(['unresolvable_source']))
    // Without a reader, nothing can be said about other files.
    expect(await createLanguage().diagnose({ name: 'lead.agf.yaml', text: lead })).toEqual([])
  })

  test('of joust.yaml need its shape', async () => {
    const shape = shapes.object({ attacks: shapes.optional(shapes.text) })
    const result = await languageOver({}, { project: { shape } }).diagnose({
      name: 'x/joust.yaml',
      text: 'attcks: a\n',
    })
    expect(result).toMatchObject([{ code: 'project', suggestion: { replace: 'key', with: 'attacks' } }])
    // A check that knows more than the shape replaces its findings.
    const check = async () => [{ severity: 'error', code: 'project', message: 'more' } as const]
    const project = languageOver({}, { project: { shape, check } })
    expect(await project.diagnose({ name: 'x/joust.yaml', text: 'attcks: a\n' })).toMatchObject([{ message: 'more' }])
    expect(await language.diagnose({ name: 'x/joust.yaml', text: 'attcks: a\n' })).toEqual([])
  })
})

describe('names', () => {
  const definition = async (marked: string) => {
    const { file, offset } = atCursor(marked)
    return (await language.definition(file, offset)).map(({ start }) => file.text.slice(0, start).split('\n').length)
  }
  const line = (text: string) => attack.slice(0, attack.indexOf(text)).split('\n').length

  test('have definitions', async () => {
    expect(await definition(attack.replace('actor: shop', 'actor: sh¦op'))).toEqual([line('- name: shop')])
    expect(await definition(attack.replace('{{ticket}}', '{{tick¦et}}'))).toEqual([line('- name: ticket')])
    expect(await definition(attack.replace('{{shop.ticket}}', '{{sh¦op.ticket}}'))).toEqual([line('- name: shop')])
    expect(await definition(attack.replace('{{shop.ticket}}', '{{shop.tick¦et}}'))).toEqual([line('- name: ticket')])
  })

  test('of a bait have the bait as definition', async () => {
    const marked = attack.replace(
      '  severity: high',
      '  x-joust-bait:\n    - attack.execution.actors[0].phases[1].sta¦te.tools[0]',
    )
    expect(await definition(marked)).toEqual([line('description: Finds an order. First')])
    const placebo = marked
      .replace('x-joust-bait:\n    - ', 'x-joust-placebo:\n    ')
      .replace('.tools[0]', '.tools[0]: {}')
    expect(await definition(placebo)).toEqual([line('description: Finds an order. First')])
  })

  test('have references, in templates and indicators', async () => {
    const { file, offset } = atCursor(attack.replace('- name: shop', '- name: sh¦op'))
    expect(written(file.text, await language.references(file, offset))).toEqual(['shop', 'shop', 'shop'])
  })

  test('can be renamed everywhere, to valid names', () => {
    const { file, offset } = atCursor(attack.replace('- name: ticket', '- name: tick¦et'))
    const edits = language.rename(file, offset, 'order_number')
    const renamed = edits.ok ? editText(file.text, edits.value) : ''
    expect(renamed).toContain('Order {{order_number}}')
    expect(renamed).toContain('{{shop.order_number}}')
    expect(renamed).toContain('$.arguments.ticket')
    expect(language.rename(file, offset, 'Order Number')).toMatchObject({ ok: false })
    const actor = atCursor(attack.replace('- name: shop', '- name: sh¦op'))
    expect(language.rename(actor.file, actor.offset, 'peer')).toEqual({
      ok: false,
      error: 'duplicate name: an actor "peer" already exists',
    })
    const nothing = atCursor(attack.replace('Poisoned', 'Poi¦soned'))
    expect(language.renamable(nothing.file, nothing.offset)).toBeUndefined()
  })
})

describe('fixes', () => {
  const fixed = async (text: string, at: string, title: RegExp) => {
    const start = text.indexOf(at)
    const result = await language.fixes({ name: 'a.oatf.yaml', text }, { start, end: start + at.length })
    const fix = result.find((one) => title.test(one.title))
    return fix === undefined ? result.map((one) => one.title) : editText(text, fix.edits)
  }

  test('apply suggestions to keys and values', async () => {
    const key = attack.replace('severity: high', 'severty: high')
    expect(await fixed(key, 'severty', /severity/)).toBe(attack)
    const value = attack.replace('severity: high', 'severity: "hihg" # bad')
    expect(await fixed(value, 'hihg', /high/)).toContain('severity: "high" # bad')
    const target = attack.replace('target: message.parts[*].text', 'target: message.parts[*].txt')
    expect(await fixed(target, 'message.parts[*].txt', /message\.parts/)).toBe(attack)
  })

  test('migrate a single dialect', async () => {
    const text = attack
      .replace('surface: tools/call', 'surface: tool_call # old')
      .replace('target: message.parts[*].text', 'target: response.content')
    const one = await fixed(text, 'tool_call', /\(D-003\)/)
    expect(one).toContain('surface: tools/call # old')
    expect(one).toContain('target: response.content')
    expect(await fixed(text, 'tool_call', /every dialect/)).not.toContain('response.content')
  })

  test('move the version first, with its comment', async () => {
    const [version = '', ...rest] = attack.split('\n')
    const late = `${rest.join('\n')}# The version.\n${version}\n`
    expect(await fixed(late, version, /first/)).toBe(`# The version.\n${version}\n${rest.join('\n')}`)
    expect(await fixed(attack, version, /first/)).not.toContain('Put "oatf" first')
  })

  test('add missing ids to indicators', async () => {
    expect(await fixed(attack, 'protocol: mcp', /Add the id/)).toContain('    - id: ACME-001-01\n      protocol: mcp\n')
    const json = '{"oatf": "0.1", "attack": {"execution": {}, "indicators": [{"target": "x"}]}}'
    expect(await fixed(json, '"target"', /Add the id/)).toContain('[{"id": "indicator-01", "target": "x"}]')
  })

  test('add the bait', async () => {
    const named = await fixed(attack, 'attack:', /Declare the bait/)
    expect(named).toContain('x-joust-bait:\n')
    const left = await language.diagnose({ name: 'a.oatf.yaml', text: String(named) })
    expect(left.map(({ code }) => code)).not.toContain('L-020')
  })

  test('one change for two findings is offered once', async () => {
    const text = attack.replace('surface: tools/call', 'surface: tools/cal')
    const range = { start: text.indexOf('tools/cal\n'), end: text.indexOf('tools/cal\n') }
    const about = (await language.diagnose({ name: 'a.oatf.yaml', text })).filter(({ suggestion }) => suggestion)
    expect(about.length).toBeGreaterThan(1)
    const result = await language.fixes({ name: 'a.oatf.yaml', text }, range)
    expect(result.map(({ title }) => title)).toEqual([
      'Replace with "tools/call"',
      expect.stringMatching(/^Add the id/),
    ])
  })

  test('add a missing required field', async () => {
    const text = attack.replace('      target: arguments\n', '')
    expect(await fixed(text, 'protocol: mcp', /Add "target"/)).toContain('    - target: \n      protocol: mcp\n')
    const extractor = attack.replace('                source: request\n', '')
    expect(await fixed(extractor, '- name: ticket', /Add "source"/)).toContain(
      '- source: \n                name: ticket\n',
    )
    const agent = 'schema_version: "1.0.0"\nmetadata: { id: a }\nexecution_policy:\n  config: {}\n'
    const result = await language.fixes({ name: 'a.agf.yaml', text: agent }, { start: 0, end: agent.length })
    expect(result.map(({ title }) => title)).toEqual(expect.arrayContaining(['Add "interface"', 'Add "id"']))
  })
})

describe('hover, outline and diagram', () => {
  const hover = async (marked: string) => {
    const { file, offset } = atCursor(marked)
    return (await language.hover(file, offset))?.text ?? ''
  }

  test.each([
    ['x-joust-fl¦ow: { from: untrusted, to: lookup.id }', 'never for the verdict'],
    ['x-joust-flow: { fr¦om: untrusted, to: lookup.id }', 'The origin of the value'],
    ['x-joust-flow: { from: untrusted, t¦o: lookup.id }', 'with an argument path'],
  ])('hover on a data flow: %s', async (line, expected) => {
    expect(
      await hover(attack.replace('      surface: tools/call', `      ${line}\n      surface: tools/call`)),
    ).toContain(expected)
  })

  test.each([
    ['x-joust-over¦lay: append', 'inserts the text into the real response'],
    ['x-joust-overlay: app¦end', 'append'],
  ])('hover on an overlay: %s', async (line, expected) => {
    const responses = '                  responses:\n'
    expect(
      await hover(attack.replace(responses, `${responses}                    - { content: [], ${line} }\n`)),
    ).toContain(expected)
  })

  test('hover covers fields, values and findings', async () => {
    expect(await hover(attack.replace('tier: boundary', 'ti¦er: boundary'))).toMatch(
      /\*\*tier\*\* · one of ingested.*\s+The stage .*\(OATF §6\.5\)\s[\s\S]*V-050/,
    )
    expect(await hover(attack.replace('mode: mcp_server', 'mode: mcp¦_server'))).toContain('the attacker is the server')
    expect(await hover(attack.replace('surface: tools/call', 'surface: tools¦/call'))).toContain('sent by the client')
    const run =
      'oatf: "0.1"\nattack:\n  execution: { mode: ag_ui_client, state: {} }\n  indicators: [{ surface: run_fin¦ished }]\n'
    expect(await hover(run)).toContain('sent by the server')
    expect(await hover(attack.replace('actor: shop', 'actor: sho¦op'))).toContain(
      '`indicator.actor` is the name of an existing actor',
    )
    expect(await hover(attack.replace('{{ticket}}', '{{tick¦et}}'))).toContain('used 2 times')
    const block = 'description: |\n                    See {{tick¦et}}.\n'
    expect(await hover(attack.replace('description: Finds an order.\n', block))).toContain('used 3 times')
  })

  test.each([
    [
      'id: ag¦f.batch',
      'text · required · Agent Format, policy catalog\n\nThe policy id: a standard policy (`agf.…`) or a vendor policy',
    ],
    [
      'input_m¦apping: {}',
      'mapping · required · Agent Format, path expressions\n\nPath expressions by field of the sub-agent',
    ],
    ['max_batch_count¦: 1', 'whole number · Agent Format, policy catalog\n\nThe maximum number of items.'],
    ['appro¦val: { condition: [] }', 'mapping · Agent Format, approval\n\nRequires human approval'],
    ['con¦dition: []', 'list · Agent Format, condition matchers\n\nCalls that need approval'],
    ['al¦ias: t', 'text · required · Agent Format, field reference\n\nThe name in policies'],
    ['policy_r¦ef: p', 'text · required · Agent Format, governance\n\nThe policy id in the registry.'],
  ])('hover on %s of an agent names the page of the documentation', async (marked, expected) => {
    const agent = `metadata: {}
execution_policy: { id: agf.batch, config: { input_mapping: {}, max_batch_count: 1 } }
constraints: { governance_policies: [{ policy_ref: p }] }
action_space: { local_tools: [{ alias: t, approval: { condition: [] } }] }
`
    const { file, offset } = atCursor(agent.replace(marked.replace('¦', ''), marked), 'a.agf.yaml')
    expect((await language.hover(file, offset, []))?.text).toContain(expected)
  })

  test('text of a document is not Markdown', async () => {
    const hoverText = await hover(attack.replace('actor: shop', 'actor: "[x](command:y)<b>¦"'))
    expect(hoverText).toContain('[x\\](command:y)\\<b>')
    expect(hoverText).not.toMatch(/(?<!\\)\]\(/)
    const agent = `metadata: {}
execution_policy: { id: agf.sequential, config: { steps: [{ agent: b, input_mapping: { q: parent.input.to¦pic } }] } }
interface: { input: { properties: { topic: { description: "[topic]: http://x\\n\\n<b> ![p](http://y)" } } } }
`
    const { file, offset } = atCursor(agent, 'a.agf.yaml')
    expect((await language.hover(file, offset, []))?.text).toContain('[topic\\]: http://x \\<b> ![p\\](http://y)')
  })

  test('the outline of an attack', () => {
    const [top] = language.outline({ name: 'a.oatf.yaml', text: attack })
    expect(top).toMatchObject({ name: 'Poisoned tool', kind: 'attack' })
    expect(top?.children.map(({ name }) => name)).toEqual(['shop', 'peer', 'indicator 1', 'ACME-001-02'])
    expect(top?.children[0]?.children.map(({ name, detail }) => `${name} ${detail ?? ''}`)).toEqual([
      'trust until tools/call × 2',
      'poison ',
    ])
  })

  test('the outline of an incomplete attack', () => {
    const broken = attack.replace('tier: local_action', 'tier: "local')
    expect(language.outline({ name: 'a.oatf.yaml', text: broken })[0]?.children).toHaveLength(4)
  })

  test('the diagram of an attack', async () => {
    const result = await language.picture({ name: 'a.oatf.yaml', text: attack })
    if (result?.kind !== 'attack') throw new Error('no attack')
    expect(result.lanes.map(({ actor, bands }) => `${actor}: ${bands.map(({ name }) => name).join(' ')}`)).toEqual([
      'shop: trust poison',
      'peer: answer',
    ])
    expect(result.lanes[0]?.bands[0]?.trigger?.label).toBe('tools/call × 2')
    expect(result.flows).toEqual([
      { name: 'ticket', from: { lane: 0, band: 0 }, to: { lane: 0, band: 0 } },
      { name: 'ticket', from: { lane: 0, band: 0 }, to: { lane: 1, band: 0 } },
    ])
    const [band] = result.lanes.flatMap(({ bands }) => bands).filter(({ baits }) => baits.length > 0)
    expect(band).toBeDefined()
    expect(structuredClone(result)).toEqual(result)
  })
})

describe('layout', () => {
  test('formats with all comments, in one edit', () => {
    const text = 'oatf:   "0.1" # version\n\n\n\nattack:\n    name:  "x" # why\n'
    const edits = language.format({ name: 'a.oatf.yaml', text })
    expect(editText(text, edits)).toBe('oatf: "0.1" # version\n\nattack:\n  name: x # why\n')
    expect(language.format({ name: 'a.oatf.yaml', text: 'oatf: "0' })).toEqual([])
    expect(language.format({ name: 'other.yaml', text })).not.toEqual([])
    expect(language.format({ name: 'other.yaml', text: 'a:   1\n' })).toEqual([])
  })
})
