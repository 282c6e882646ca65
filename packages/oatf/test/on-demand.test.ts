import { describe, expect, test } from 'vitest'
import type { Document } from '../src/model/document.ts'
import { parse, serializeOnDemand, validateOnDemand } from '../src/on-demand.ts'
import { serialize } from '../src/serialize.ts'
import { validate } from '../src/validate.ts'
import { asText, fullDocument, minimalText } from './documents.ts'
import { sampleDocuments } from './generators.ts'

const parsed = (text: string): Document => {
  const result = parse(text)
  if (!result.ok) throw new Error('the text has the right shape')
  return result.value
}

describe('validateOnDemand says what validate says', () => {
  const withPhase = (fields: string) =>
    minimalText.replace(/mode[\s\S]*/, `mode: mcp_server\n    phases:\n      - state: {}\n        ${fields}\n`)
  const withIndicator = (fields: string) => `${minimalText}  indicators:\n    - target: ""\n      ${fields}\n`

  test.each([
    ['nothing to load', minimalText],
    ['both', asText(fullDocument)],
    ['broken CEL', withIndicator('expression: {cel: "1 +"}')],
    ['broken JSONPath', withPhase('extractors: [{name: a, source: request, type: json_path, selector: "$.["}]')],
    ['a broken regex', withIndicator('pattern: {regex: "("}')],
    ['other errors', minimalText.replace('"0.1"', '"7"')],
  ])('%s', async (title, text) => {
    const expected = validate(parsed(text))
    expect(await validateOnDemand(parsed(text))).toEqual(expected)
    if (title.includes('broken')) expect(expected.errors).toHaveLength(1)
  })

  test('any document', async () => {
    for (const document of sampleDocuments(40, 11)) {
      expect(await validateOnDemand(document)).toEqual(validate(document))
    }
  })

  test('limits are kept', async () => {
    const limits = { documentExpressions: 0 }
    const document = parsed(asText(fullDocument))
    expect(validate(document, { limits }).errors.length).toBeGreaterThan(2)
    expect(await validateOnDemand(document, { limits })).toEqual(validate(document, { limits }))
  })

  test.each([[null], [5], [[]], [{ attack: { indicators: [null, { expression: 5 }] } }]])(
    'garbage: %j',
    async (value) => {
      const document = value as unknown as Document
      expect(await validateOnDemand(document)).toEqual(validate(document))
    },
  )
})

test('serializeOnDemand writes what serialize writes', async () => {
  expect(await serializeOnDemand(parsed(minimalText))).toBe(serialize(parsed(minimalText)))
})
