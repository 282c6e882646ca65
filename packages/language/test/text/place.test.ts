import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../../../../scripts/repository.ts'
import { placeAt } from '../../src/text/place.ts'
import { readText } from '../../src/text/reading.ts'
import { scanBlocks } from '../../src/text/scan-blocks.ts'

const library = join(repositoryRoot(), 'library')
const texts = readdirSync(library)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => readFileSync(join(library, name), 'utf8'))

test('the outline from indentation is that of the whole document', () => {
  for (const text of texts) {
    const exact = readText(text).entries.map(({ path, start, form, value }) => ({ path, start, form, end: value.end }))
    const results = scanBlocks(text).map(({ path, start, form, value }) => ({ path, start, form, end: value.end }))
    expect(results.map(({ path }) => path.join('.'))).toEqual(exact.map(({ path }) => path.join('.')))
    expect(results.map(({ start }) => start)).toEqual(exact.map(({ start }) => start))
  }
})

/** Offsets in keys and values, with their paths in the complete document. */
function* cuts(text: string): Generator<{ readonly at: number; readonly path: string }> {
  const whole = readText(text)
  for (let at = 3; at < text.length; at += 251) {
    const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
    if (/\s$/.test(line) || line === '' || line.includes('#')) continue
    yield { at, path: placeAt(whole, at).path.join('.') }
  }
}

function share(check: (text: string, cut: { readonly at: number; readonly path: string }) => boolean): number {
  const results = texts.flatMap((text) => [...cuts(text)].map((cut) => check(text, cut)))
  expect(results.length).toBeGreaterThan(500)
  return results.filter(Boolean).length / results.length
}

test('a document that ends at the cursor has the cursor where the whole document has it', () => {
  const right = share((text, { at, path }) => placeAt(readText(text.slice(0, at)), at).path.join('.') === path)
  expect(right).toBeGreaterThan(0.99)
})

test('after a flow collection the cursor is in the parent of the collection', () => {
  const text = 'attack:\n  impact: [data_tampering]\n'
  expect(placeAt(readText(text), text.length - 1).path).toEqual(['attack', 'impact'])
})

const base = `oatf: "0.1"
attack:
  severity: high
  classification:
    tags: [mcp, tools]
  execution:
    actors:
      - name: server
        mode: mcp_server
        phases:
          - name: trust
            state:
              tools:
                - name: calculator
                  description: "Adds numbers"
            trigger:
              event: tools/call
              count: 2
          - name: poison
            state: {}
  indicators:
    - id: A-1
      surface: tools/call
    - id: A-2
      target: content
`
const first = 'attack.execution.actors.0.phases.0'

// ¦ is the cursor.
test.each([
  ['half a key', '            trigger:\n', '            ext¦\n            trigger:\n', `key ${first}`],
  [
    'half a key at the end',
    '              count: 2\n',
    '              count: 2\n              ma¦\n',
    `key ${first}.trigger`,
  ],
  ['no value yet', 'severity: high', 'severity: ¦', 'value attack.severity'],
  ['an open quote', '"Adds numbers"', '"Adds num¦', `value ${first}.state.tools.0.description`],
  ['an open list', '[mcp, tools]', '[mcp, to¦', 'value attack.classification.tags.1'],
  ['an open list, after its comma', '[mcp, tools]', '[mcp, ¦', 'value attack.classification.tags.1'],
  ['an open mapping', 'state: {}', 'state: { tools: [], re¦', 'key attack.execution.actors.0.phases.1.state'],
  [
    'a value in an open mapping',
    'state: {}',
    'state: { tools: ¦',
    'value attack.execution.actors.0.phases.1.state.tools',
  ],
  ['a dash alone', '    - id: A-2\n', '    - ¦\n    - id: A-2\n', 'key attack.indicators.1'],
  ['an empty line', '      surface: tools/call\n', '      surface: tools/call\n      ¦\n', 'key attack.indicators.0'],
  ['an empty line further left', '      surface: tools/call\n', '      surface: tools/call\n  ¦\n', 'key attack'],
  ['an empty line below a key', 'state: {}', 'state:\n              ¦', 'key attack.execution.actors.0.phases.1.state'],
  ['a line behind tabs', '      target: content\n', '\t\t\ttarg¦et: content\n', 'key attack.indicators.1'],
  ['the empty end', '      target: content\n', '      target: content\n¦', 'key '],
  ['after the end', '      target: content\n', '      target: content\n...\n\n¦', 'nothing '],
  ['after the end of a broken document', 'severity: high', 'severity: [\n...\n  se¦', 'nothing attack'],
  ['dots that end nothing', 'severity: high', 'severity: high\n  ...\n  ¦', 'key attack'],
])('%s', (_, from, to, expected) => {
  const marked = base.replace(from, to)
  const at = marked.indexOf('¦')
  const { kind, path } = placeAt(readText(marked.replace('¦', '')), at)
  expect(`${kind} ${path.join('.')}`).toBe(expected)
})

test('any text is parsed in time', () => {
  for (const text of [
    '[',
    '{'.repeat(5000),
    '- '.repeat(5000),
    'a:\n'.repeat(5000),
    `"${'\\"'.repeat(5000)}`,
    ' \n'.repeat(20_000),
  ]) {
    expect(() => placeAt(readText(text), text.length)).not.toThrow()
  }
})
