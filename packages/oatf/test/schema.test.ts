import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord, own, ownText, type Path, readSource, type Value } from '@joust/source'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../../../scripts/repository.ts'
import { judgeWithAjv } from '../../agentformat/test/judge-with-ajv.ts'
import { explanations } from '../src/explain.ts'
import { parse } from '../src/parse.ts'
import { editorSchema } from '../src/schema.ts'
import { asText, fullDocument, withValue } from './documents.ts'

const root = repositoryRoot()
const schema: Value = JSON.parse(readFileSync(join(root, 'docs/schemas/oatf.schema.json'), 'utf8'))

/** The official fixtures, if they lie beside the repository. */
const fixtures = join(root, '../shared/oatf/conformance/parse')
const ours = ['library', 'examples'].flatMap((folder) => textsIn(join(root, folder), '.oatf.yaml'))
const official = existsSync(fixtures) ? textsIn(fixtures, '.yaml') : []

function textsIn(folder: string, ending: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files.filter((file) => file.endsWith(ending)).map((file) => readFileSync(join(folder, file), 'utf8'))
}

const ofRules = explanations().flatMap((row) =>
  row.kind === 'rule' && row.example !== undefined ? [row.example.good, row.example.bad] : [],
)

/** The verdicts of `parse` and of the published schema on texts; texts that are not even YAML are left out. */
function judged(texts: readonly string[]) {
  const values = texts.flatMap((text) => {
    const source = readSource(text)
    return source.ok ? [{ text, value: source.value.value }] : []
  })
  const accepted = judgeWithAjv(
    [schema],
    values.map(({ value }) => [0, value] as const),
  )
  return {
    schema: values.map(({ text }, index) => ({ text, accepted: accepted[index] })),
    parse: values.map(({ text }) => ({ text, accepted: parse(text).ok })),
  }
}

test('accepts and refuses the documents that parse does', () => {
  expect(ours.length).toBeGreaterThan(20)
  const found = judged([...ours, ...official, ...ofRules])
  expect(found.schema).toEqual(found.parse)
  expect(new Set(found.parse.map(({ accepted }) => accepted)).size).toBe(2)
})

// YAML 1.1, which PyYAML and others read, takes a question mark in a flow mapping for an indicator.
test('our documents can be read by readers of YAML 1.1: no bare question mark in a flow mapping', () => {
  const bare = ours.flatMap((text) => text.match(/^.*\{[^"'\n]*\?[^"'\n]*\}.*$/gm) ?? [])
  expect(bare).toEqual([])
})

test('accepts and refuses what becomes of a document when any one place of it is changed', () => {
  const found = judged(mutants(fullDocument))
  expect(found.parse.length).toBeGreaterThan(500)
  expect(found.schema).toEqual(found.parse)
})

test('every field has a description with its clause', () => {
  const fields = fieldsIn(editorSchema())
  expect(fields.map(([name]) => name)).toEqual(expect.arrayContaining(['oatf', 'selector', 'x-joust-bait']))
  const told = /^[A-Z].*\. \(OATF §\d+(?:\.\d+)?\)$/
  expect(fields.filter(([, field]) => !told.test(ownText(field, 'description') ?? ''))).toEqual([])
})

function fieldsIn(value: Value): [name: string, schema: Value][] {
  if (typeof value !== 'object' || value === null) return []
  const properties = own(value, 'properties')
  return [...Object.entries(isRecord(properties) ? properties : {}), ...Object.values(value).flatMap(fieldsIn)]
}

/** The document with each of its values replaced or removed, and with unknown fields beside them. */
function mutants(document: Value): string[] {
  const values = [null, 1.5, 'word', [], { contains: 1 }, undefined]
  return placesOf(document).flatMap((path) => values.map((value) => asText(withValue(document, path, value))))
}

function placesOf(value: Value, path: Path = []): Path[] {
  const children = Array.isArray(value) ? [...value.entries()] : isRecord(value) ? Object.entries(value) : []
  return [
    ...(path.length === 0 ? [] : [path]),
    ...(isRecord(value)
      ? [
          [...path, 'unknown'],
          [...path, 'x-extension'],
        ]
      : []),
    ...children.flatMap(([step, child]) => placesOf(child, [...path, step])),
  ]
}
