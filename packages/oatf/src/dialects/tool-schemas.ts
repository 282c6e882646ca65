import { isRecord, own, ownList, type Path, suggest, type Value, type ValueRecord } from '@joust/source'
import { mcpServerDocument } from '../rules/rule.ts'
import { statesOf } from './places.ts'
import type { Occurrence, Translation } from './translation.ts'

export const toolSchemas: Translation = {
  summary: 'The `inputSchema` of an MCP tool has type `object`; otherwise clients reject the whole list.',
  find: (places) =>
    statesOf(places, 'mcp_server').flatMap(({ path, value }) =>
      ownList(value, 'tools').flatMap((tool, index) => withSchema(tool, [...path, 'tools', index])),
    ),
  bad: mcpServerDocument(`
    state:
      tools: [{ name: search, description: Searches., responses: [{ content: [] }] }]
`),
}

const MESSAGE = 'a tool is listed with an "inputSchema" of type "object"'

function withSchema(tool: Value, at: Path): Occurrence[] {
  const schema = own(tool, 'inputSchema')
  const path = [...at, 'inputSchema']
  if (isRecord(tool) && schema === undefined && !isMisspelled(tool)) {
    const value = { type: 'object' }
    return [{ at, message: MESSAGE, edits: [{ op: 'set', path, value, before: 'responses', from: at }] }]
  }
  if (!isRecord(schema) || own(schema, 'type') !== undefined) return []
  return [{ at: path, message: MESSAGE, edits: [{ op: 'set', path: [...path, 'type'], value: 'object', from: path }] }]
}

/** True for a misspelled schema key, which is reported instead of adding a schema. */
function isMisspelled({ outputSchema: _, ...tool }: ValueRecord): boolean {
  return suggest('inputSchema', Object.keys(tool)) !== undefined
}
