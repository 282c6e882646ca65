/** `resources/read`: content as `contents` ([OATF §7.1.4](https://oatf.io/specification/protocol-bindings/mcp/)). */
import { isList, isRecord, own, type Value, type ValueRecord } from '@joust/source'
import { failure } from '../../json-rpc.ts'
import { RESOURCE_NOT_FOUND } from '../../mcp/protocol.ts'
import type { Call, CallAnswer } from '../call.ts'
import { type Definition, findDefinition } from '../definitions.ts'
import { realRead } from '../real.ts'

/** Returns the content of a resource; falls back to a matching template with content. */
export async function readResource(call: Call): Promise<CallAnswer> {
  const uri = own(call.params, 'uri')
  const resource = findDefinition(call, 'resources', 'uri', uri) ?? findTemplate(call, uri)
  if (resource === undefined)
    return (await realRead(call)) ?? failure(RESOURCE_NOT_FOUND, `Resource not found: ${String(uri)}`)
  const content = own(resource.value, 'content')
  if (content === undefined) return { result: { contents: [] } }
  const items = isList(content) ? content : [content]
  const fault = 'the content of a resource is not a mapping; it was sent as written'
  if (!items.every(isRecord)) call.stage.report('state-malformed', fault, resource.path)
  const written = { contents: items.map((item) => withType(item, resource.value)) }
  // Filling templates does not change the structure.
  const { contents } = call.fill(written, { contents: withUri(written.contents, uri) }) as typeof written
  // The agent chooses the URI, so it must not be filled as a template.
  return { result: { contents: withUri(contents, uri) } }
}

function withUri(items: readonly Value[], uri: Value | undefined): Value[] {
  return items.map((item) => (isRecord(item) ? { uri: uri ?? null, ...item } : item))
}

function withType(item: Value, resource: ValueRecord): Value {
  const mimeType = own(resource, 'mimeType')
  return isRecord(item) && mimeType !== undefined ? { mimeType, ...item } : item
}

function findTemplate(call: Call, uri: Value | undefined): Definition | undefined {
  const templates = own(call.state, 'resource_templates')
  if (!isList(templates) || typeof uri !== 'string') return undefined
  for (const [index, value] of templates.entries()) {
    if (!isRecord(value) || own(value, 'content') === undefined) continue
    const template = own(value, 'uriTemplate')
    if (typeof template === 'string' && matchesTemplate(uri, template))
      return { value, path: `resource_templates[${index}]` }
  }
  return undefined
}

const VARIABLE = /\{[A-Za-z0-9_.%]+\}/

/** A variable matches one or more characters except a slash. */
export function matchesTemplate(uri: string, template: string): boolean {
  const [first = '', ...literals] = template.split(VARIABLE)
  if (!uri.startsWith(first)) return false
  let rest = uri.slice(first.length)
  for (const [index, literal] of literals.entries()) {
    // The last literal is the end of the URI; the others match at their first occurrence.
    const last = index === literals.length - 1
    const at = last ? rest.length - literal.length : rest.indexOf(literal, 1)
    if (at < 1 || !rest.startsWith(literal, at) || rest.slice(0, at).includes('/')) return false
    rest = rest.slice(at + literal.length)
  }
  return rest === ''
}
