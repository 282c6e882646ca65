/** `results.json` against its published schema. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Schema, Validator } from '@cfworker/json-schema'
import { repositoryRoot } from '../../../../scripts/repository.ts'

const file = join(repositoryRoot(), 'docs/schemas/results.schema.json')
const schema: Schema = JSON.parse(readFileSync(file, 'utf8'))

/** The faults of a text; empty when it fits. */
export function resultFaults(text: string): string[] {
  const { errors } = new Validator(schema, '2020-12', false).validate(JSON.parse(text))
  return errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`)
}
