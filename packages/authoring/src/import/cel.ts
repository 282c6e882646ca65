import { isList, isRecord, type Value } from '@joust/source'

/** Formats a value as a CEL literal. */
export function celLiteral(value: Value): string {
  if (isList(value)) return `[${value.map(celLiteral).join(', ')}]`
  if (isRecord(value)) return `{${Object.entries(value).map((entry) => entry.map(celLiteral).join(': '))}}`
  return JSON.stringify(value)
}
