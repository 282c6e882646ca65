/**
 * Judges values with Ajv, for `judgeWithAjv`: reads `{ schemas, cases: [index of schema, value][] }` and writes a 1 or
 * 0 for each case.
 */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'

const { schemas, cases } = JSON.parse(readFileSync(0, 'utf8'))
// Formats are annotations in 2020-12.
const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true, logger: false })
const validators = schemas.map((schema) => ajv.compile(schema))
process.stdout.write(cases.map(([index, value]) => (validators[index](value) ? '1' : '0')).join(''))
