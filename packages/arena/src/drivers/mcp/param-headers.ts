/**
 * Header values of MCP 2026-07-28: encoding, and the tool parameters that a client repeats in headers because their
 * schema has `x-mcp-header`.
 */
import { base64Of, isRecord, own, ownText, type Value } from '@joust/source'

/** The header name is in lower case. */
interface HeaderParam {
  readonly path: readonly string[]
  readonly header: string
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const MAX_DEPTH = 32

/** Lists the tool parameters that are repeated in headers. Only `properties` are followed, as MCP defines. */
function headerParams(schema: Value | undefined, path: readonly string[] = []): readonly HeaderParam[] {
  const properties = own(schema, 'properties')
  if (!isRecord(properties) || path.length >= MAX_DEPTH) return []
  return Object.entries(properties).flatMap(([key, child]) => {
    const name = ownText(child, 'x-mcp-header')
    const at = [...path, key]
    const header =
      name !== undefined && TOKEN.test(name) ? [{ path: at, header: `mcp-param-${name.toLowerCase()}` }] : []
    return [...header, ...headerParams(child, at)]
  })
}

export function paramHeaders(schema: Value | undefined, args: Value | undefined): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const { path, header } of headerParams(schema)) {
    const text = headerText(valueAt(args, path))
    if (text !== undefined) headers[header] = encodeHeader(text)
  }
  return headers
}

/** Returns the first header that differs from its argument; undefined if all match. */
export function wrongParamHeader(
  schema: Value | undefined,
  args: Value | undefined,
  headers: Readonly<Record<string, string>>,
): string | undefined {
  return headerParams(schema).find(({ path, header }) => {
    const text = headerText(valueAt(args, path))
    const sent = headers[header]
    return sent === undefined ? text !== undefined : decodeHeader(sent) !== text
  })?.header
}

/** Text that is not valid in a header is encoded as base64. */
export function encodeHeader(value: string): string {
  const isPlain = /^[\t\x20-\x7e]*$/.test(value) && value === value.trim() && !ENCODED.test(value)
  return isPlain ? value : `=?base64?${base64Of(new TextEncoder().encode(value))}?=`
}

/** Returns undefined if the encoding is invalid. */
export function decodeHeader(value: string): string | undefined {
  const encoded = ENCODED.exec(value.trim())?.[1]
  if (encoded === undefined) return value.trim()
  const bytes = Buffer.from(encoded, 'base64')
  return bytes.toString('base64') === encoded ? bytes.toString('utf8') : undefined
}

const ENCODED = /^=\?base64\?(.*)\?=$/

function headerText(value: Value | undefined): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

function valueAt(value: Value | undefined, path: readonly string[]): Value | undefined {
  return path.reduce<Value | undefined>((at, key) => own(at, key), value)
}
