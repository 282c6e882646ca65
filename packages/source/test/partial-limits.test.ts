import { expect, test } from 'vitest'
import * as api from '../src/index.ts'

const deep = `${'['.repeat(600)}${']'.repeat(600)}`
let nested: api.Value = 0
for (let level = 0; level < 600; level++) nested = [nested]

test.each<[string, (limits: Partial<api.Limits>) => unknown, Partial<api.Limits>, Partial<api.Limits>]>([
  ['readSource', (limits) => fails(api.readSource(deep, limits)), { yamlBytes: 2000 }, { yamlDepth: 601 }],
  ['readJson', (limits) => fails(api.readJson('[1]', limits)), { yamlBytes: 2 }, { yamlDepth: 1 }],
  ['readExactDoubles', (limits) => fails(api.readExactDoubles('[1]', limits)), { yamlBytes: 2 }, { yamlDepth: 1 }],
  ['compactJson', (limits) => fails(api.compactJson(nested, 'document', limits)), {}, { compactJsonDepth: 601 }],
  ['valueToText', (limits) => fails(api.valueToText(nested, 'document', limits)), {}, { compactJsonDepth: 601 }],
  ['regexSyntax', (limits) => fails(api.regexSyntax('abc', limits)), { regexPattern: 2 }, { regexWork: 1 }],
  ['compileRegex', (limits) => fails(api.compileRegex('a{999}', limits)), { regexProgram: 9 }, { regexPattern: 9 }],
  ['checkTree', (limits) => !api.checkTree(nested, limits).ok, { valueNodes: 9999 }, { valueDepth: 601 }],
])('%s: some limits are changed, and the others keep their defaults', (_, refuses, tight, wide) => {
  expect([refuses(tight), refuses(wide)]).toEqual([true, false])
})

function fails(result: api.Result<unknown, unknown>): boolean {
  return !result.ok
}
