import type { ObjectShape, Shape } from '@joust/source'
import { describe, expect, test } from 'vitest'
import {
  actorShape,
  attackShape,
  documentShape,
  executionShape,
  indicatorShape,
  phaseShape,
} from '../../src/model/document.ts'
import { ruleTable } from '../../src/rules/table.ts'

// The order of the tables in SDK §2 (`tier` beside the other assessments: see docs/decisions).
describe('fields in the order of the specification', () => {
  test.each<[string, ObjectShape, string[]]>([
    ['document', documentShape, ['oatf', '$schema', 'attack']],
    [
      'attack',
      attackShape,
      [
        'id',
        'name',
        'version',
        'status',
        'created',
        'modified',
        'author',
        'description',
        'grace_period',
        'severity',
        'impact',
        'classification',
        'references',
        'execution',
        'indicators',
        'correlation',
      ],
    ],
    ['execution', executionShape, ['mode', 'state', 'phases', 'actors']],
    ['actor', actorShape, ['name', 'mode', 'phases']],
    ['phase', phaseShape, ['name', 'description', 'mode', 'state', 'extractors', 'on_enter', 'trigger']],
    [
      'indicator',
      indicatorShape,
      [
        'id',
        'protocol',
        'surface',
        'target',
        'actor',
        'direction',
        'method',
        'description',
        'pattern',
        'expression',
        'semantic',
        'tier',
        'confidence',
        'severity',
        'false_positives',
      ],
    ],
  ])('%s', (_, shape, fields) => {
    expect(Object.keys(shape.fields)).toEqual(fields)
  })
})

test('every rule that a field names is in the table', () => {
  const codes = new Set(ruleTable.map((row) => row.code))
  const named = rulesOf(documentShape)
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((code) => !codes.has(code))).toEqual([])
})

function rulesOf(shape: Shape): string[] {
  if (shape.kind === 'list' || shape.kind === 'map') return rulesOf(shape.item)
  if (shape.kind !== 'object') return []
  return Object.values(shape.fields).flatMap((field) => [
    ...(field.rule === undefined ? [] : [field.rule]),
    ...rulesOf(field.shape),
  ])
}
