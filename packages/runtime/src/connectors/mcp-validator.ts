/** Structured results against the schemas that servers declare: with our own validator, which compiles no code. */

import { compileSchema } from '@joust/agentformat'
import { isRecord } from '@joust/source'
import type { JsonSchemaType, JsonSchemaValidator } from '@modelcontextprotocol/client'
import { describeProblems } from '../model/fit-schema.ts'
import { toValue } from '../model/json-value.ts'
import { runtimeLimits } from '../model/limits.ts'

/** The validator for the SDK's client. A server may send a schema that we cannot use; that one lets everything pass. */
export const schemaValidator = {
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const read = toValue(schema)
    const compiled = read.ok && isRecord(read.value) ? compileSchema(read.value) : undefined
    return (input) => {
      // The SDK's type for "it fits": the value is not changed.
      const fits = { valid: true, data: input as T, errorMessage: undefined } as const
      const value = toValue(input)
      if (!value.ok) return { valid: false, data: undefined, errorMessage: value.error }
      const judged = compiled?.ok ? compiled.value(value.value) : undefined
      if (judged === undefined || judged.ok) return fits
      const errorMessage = describeProblems(judged.error, runtimeLimits.argumentProblems)
      return { valid: false, data: undefined, errorMessage }
    }
  },
}
