import { expect, test } from 'vitest'
import { schemaValidator } from '../../src/connectors/mcp-validator.ts'

const sum = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] } as const

test('structured results are validated against the schema of the server', () => {
  const validate = schemaValidator.getValidator(sum)
  expect(validate({ sum: 1 })).toEqual({ valid: true, data: { sum: 1 }, errorMessage: undefined })
  expect(validate({ sum: 'one' })).toMatchObject({ valid: false, errorMessage: expect.stringContaining('sum') })
  expect(validate(undefined)).toMatchObject({ valid: false })
})

test('an invalid schema accepts every result', () => {
  const validate = schemaValidator.getValidator({ type: 'nonsense' } as never)
  expect(validate({ any: 1 })).toMatchObject({ valid: true })
})
