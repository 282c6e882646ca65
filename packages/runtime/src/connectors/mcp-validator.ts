/** Validates structured results against server schemas, without code generation. */
import { compileSchema } from '@joust/agentformat'
import { isRecord } from '@joust/source'
import type { JsonSchemaType, JsonSchemaValidator } from '@modelcontextprotocol/client'
import { toValue } from '../model/json-value.ts'
import { runtimeLimits } from '../model/limits.ts'
import { describeProblems } from '../model/validate-value.ts'

/** The validator for the SDK's client. Schemas that cannot be compiled accept every value. */
export const schemaValidator = {
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const read = toValue(schema)
    const compiled = read.ok && isRecord(read.value) ? compileSchema(read.value) : undefined
    return (input) => {
      // The SDK's type for success; the value is unchanged.
      const valid = { valid: true, data: input as T, errorMessage: undefined } as const
      const value = toValue(input)
      if (!value.ok) return { valid: false, data: undefined, errorMessage: value.error }
      const validation = compiled?.ok ? compiled.value(value.value) : undefined
      if (validation === undefined || validation.ok) return valid
      const errorMessage = describeProblems(validation.error, runtimeLimits.argumentProblems)
      return { valid: false, data: undefined, errorMessage }
    }
  },
}
