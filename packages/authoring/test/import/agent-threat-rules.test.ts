import { describe, expect, test } from 'vitest'
import { type Imported, readRuleTexts, readTextRules } from '../../src/index.ts'
import { importAll } from './import-all.ts'

const rule = (changes = '') => `
id: ATR-2099-00001
title: Orders to a program
severity: high
detection:
  condition: any
  conditions:
    - { field: content, operator: regex, value: 'obey the (tower|bell)' }
    - { field: tool_name, operator: regex, value: tower }
    - { field: user_input, operator: regex, value: '(?=bell)' }
test_cases:
  true_positives:
    - { input: Now obey the tower. }
    - { tool_args: { a: 1 } }
  true_negatives:
    - { tool_response: The tower is open. }
${changes}`

const imported = (files: Readonly<Record<string, string>>) => importAll('agent-threat-rules', files, {})
const file = (items: readonly Imported[], name: string) => {
  const one = items.find((item) => item.kind === 'file' && item.name === name)
  return one?.kind === 'file' ? one.text : ''
}

test('becomes texts and expressions; the rest is listed with its reason', async () => {
  const { items, faults } = await imported({ 'rules/prompt-injection/a.yaml': rule(), 'rules/b.txt': '' })
  expect(faults).toEqual([])
  expect(readRuleTexts(file(items, 'baits.json'))).toEqual({
    ok: true,
    value: [{ id: 'ATR-2099-00001-p1', text: 'Now obey the tower.' }],
  })
  expect(readRuleTexts(file(items, 'harmless.json'))).toEqual({
    ok: true,
    value: [{ id: 'ATR-2099-00001-n1', text: 'The tower is open.' }],
  })
  const reasons = items.flatMap((item) => (item.kind === 'skipped' ? [item.reason] : []))
  expect(reasons).toEqual([
    'positive test case without text',
    'condition on tool_name, which is not server text',
    'expression that is not valid RE2',
  ])
  const find = readTextRules(file(items, 'rules.json'))
  if (!find.ok) throw new Error(find.error)
  expect(find.value('Please obey the bell!').map(({ rule: { id }, match }) => [id, match])).toEqual([
    ['ATR-2099-00001', 'obey the bell'],
  ])
  expect(find.value('The tower is open.')).toEqual([])
})

test('a rule that needs all conditions is left out without one of them', async () => {
  const all = rule().replace('condition: any', 'condition: all')
  const { items } = await imported({ 'rules/a.yaml': all })
  expect(JSON.parse(file(items, 'rules.json')).rules).toEqual([])
})

test.each([
  [{}, 'rules', undefined],
  [{ 'rules/a.yaml': 'id: [' }, 'rules/a.yaml', undefined],
  [{ 'rules/a.yaml': rule().replace('condition: any', 'condition: [7]') }, 'rules/a.yaml', 'detection.condition'],
])('a wrong layout names file and field', async (files, name, field) => {
  const { faults } = await imported(files)
  expect(faults.map((fault) => [fault.file, fault.field])).toEqual([[name, field]])
})

describe('files of an import', () => {
  test.each([
    ['{"joust_rules": 2, "rules": []}', 'joust_rules'],
    [
      '{"joust_rules": 1, "rules": [{"id": "a", "title": "a", "severity": "a", "match": "any", "patterns": ["("]}]}',
      'rules[0].patterns[0]',
    ],
    ['[]', 'mapping'],
  ])('%s is refused', (json, part) => {
    const read = readTextRules(json)
    expect(read.ok ? '' : read.error).toContain(part)
  })

  test('texts need an id and a text', () => {
    const read = readRuleTexts('[{"id": "a"}]')
    expect(read.ok ? '' : read.error).toContain('text')
  })
})
