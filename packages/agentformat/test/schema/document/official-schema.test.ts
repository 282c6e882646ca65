/** Compares our document schema with the official one, if that is next to the repository. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Validator } from '@cfworker/json-schema'
import { readSource, type Value, type ValueRecord } from '@joust/source'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { documentSchema } from '../../../src/index.ts'
import { evaluate } from '../../../src/schema/evaluate.ts'
import { prepareSchema } from '../../../src/schema/prepare-schema.ts'
import { judgeWithAjv } from '../../judge-with-ajv.ts'
import { validDocuments } from '../../valid-documents.ts'
import { mutatedDocuments, singleChanges } from './mutations.ts'

const shared = fileURLToPath(new URL('../../../../../../shared/agent-format/', import.meta.url))
const official = `${shared}agentformat-1.0.schema.json`
const absent = !existsSync(official)
if (absent) console.warn('SKIPPED: the official Agent Format schema is not beside the repository, ours is not compared')

const prepared = prepareSchema(documentSchema)
const weAccept = (document: Value): boolean => evaluate(prepared, document).ok

describe.skipIf(absent)('agrees with the official schema', () => {
  test('ajv: valid documents, and all that differ in one place', () => {
    expectSameVerdicts([...Object.values(validDocuments), ...singleChanges()], 100)
  })

  test('ajv: documents that differ in up to three places, and other values', () => {
    const others = [null, true, 1, 'text', [], {}, [validDocuments['agf.react']]]
    expectSameVerdicts([...fc.sample(mutatedDocuments, { numRuns: 1000, seed: 1 }), ...others], 100)
  })

  test('cfworker: documents that differ in up to three places', () => {
    const validator = new Validator(withoutFormats(officialSchema()), '2020-12')
    fc.assert(
      fc.property(mutatedDocuments, (document) => {
        expect(weAccept(document)).toBe(validator.validate(document).valid)
      }),
      { numRuns: 500 },
    )
  })

  test('ajv: the real samples', () => {
    const files = readdirSync(`${shared}samples`).filter((file) => file.endsWith('.agf.yaml'))
    expect(files.length).toBeGreaterThan(5)
    expectSameVerdicts(
      files.map((file) => {
        const source = readSource(readFileSync(`${shared}samples/${file}`, 'utf8'))
        return source.ok ? source.value.value : null
      }),
      1,
    )
  })
})

/** Compares all results; both valid and invalid documents must be common. */
function expectSameVerdicts(documents: readonly Value[], least: number): void {
  const ours = documents.map(weAccept)
  const theirs = judgeWithAjv(
    [officialSchema()],
    documents.map((document) => [0, document]),
  )
  const different = documents.filter((_, index) => ours[index] !== theirs[index])
  expect(different.slice(0, 3)).toEqual([])
  expect(ours.filter(Boolean).length).toBeGreaterThanOrEqual(least)
  expect(ours.filter((accepted) => !accepted).length).toBeGreaterThanOrEqual(least)
}

function officialSchema(): ValueRecord {
  return JSON.parse(readFileSync(official, 'utf8'))
}

/** cfworker asserts formats, which are annotations in 2020-12. */
function withoutFormats<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === 'format' ? undefined : value)))
}
