import { formatPath, messageWithHint, type Value } from '@joust/source'
import type { JsonSchema } from '../../src/index.ts'
import { validateValue } from '../../src/index.ts'

/** The problems of a value, as `path keyword: message`. */
export function problems(schema: JsonSchema, value: Value): string[] {
  const fits = validateValue(schema, value)
  return fits.ok
    ? []
    : fits.error.map((one) => `${formatPath(one.path)} ${one.keyword}: ${messageWithHint(one)}`.trimStart())
}
