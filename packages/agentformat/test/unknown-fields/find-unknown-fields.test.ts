import { formatPath, type Path, type Value } from '@joust/source'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { standardPolicyIds } from '../../src/index.ts'
import { findUnknownFields } from '../../src/unknown-fields/find-unknown-fields.ts'
import { pathsIn } from '../schema/document/mutations.ts'
import { edited, validDocuments } from '../valid-documents.ts'

const unknown = (document: Value): string[] => findUnknownFields(document).map(({ path }) => formatPath(path))

/** Where a field may have any name, or where the format does not look. */
const open =
  /^(?:interface\.(?:input|output)|metadata\.(?:labels|annotations)|.*\.(?:input_mapping|args_match))(?:$|[.[])/

describe('R-05: unknown fields', () => {
  test.each(standardPolicyIds)('%s: the fields of the format are known', (id) => {
    expect(unknown(validDocuments[id])).toEqual([])
  })

  test.each(standardPolicyIds)('%s: any other is found, wherever it stands', (id) => {
    const document = validDocuments[id]
    const mappings = [[], ...pathsIn(document)].filter((path) => isMapping(document, path))
    for (const path of mappings) {
      const found = unknown(edited(document, [...path, 'surplus'], { deeper: 1 }))
      expect([path, found]).toEqual([path, open.test(formatPath(path)) ? [] : [formatPath([...path, 'surplus'])]])
    }
    expect(mappings.length).toBeGreaterThan(8)
  })

  test('fields of another policy are unknown', () => {
    const path = ['execution_policy', 'config', 'output_from']
    expect(unknown(edited(validDocuments['agf.batch'], path, 'last'))).toEqual(['execution_policy.config.output_from'])
    expect(unknown(edited(validDocuments['agf.conditional'], path, 'last'))).toEqual([
      'execution_policy.config.output_from',
    ])
  })

  test('fields of a policy that is not standard are known to somebody', () => {
    const execution_policy = { id: 'x-vendor.policy', config: { anything: 1 }, surplus: 1 }
    expect(unknown({ ...validDocuments['agf.react'], execution_policy })).toEqual(['execution_policy.surplus'])
  })

  test('names of the prototype are fields like others', () => {
    expect(unknown(JSON.parse('{"__proto__": 1, "toString": 2}'))).toEqual(['__proto__', 'toString'])
    expect(unknown({ execution_policy: { id: 'toString', config: { a: 1 } } })).toEqual([])
  })

  test('are found in a document with other faults', () => {
    expect(
      unknown({ metadata: [], memory: { requird: true }, action_space: { local_tools: [5, { aproval: 1 }] } }),
    ).toEqual(['memory.requird', 'action_space.local_tools[1].aproval'])
  })

  test('never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(Array.isArray(findUnknownFields(value as Value))).toBe(true)
      }),
    )
  })
})

function isMapping(document: Value, path: Path): boolean {
  const value = path.reduce<unknown>((at, step) => (at as Record<string | number, unknown>)[step], document)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
