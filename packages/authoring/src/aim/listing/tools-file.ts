/** Reads tools from a file: MCP tools, function definitions, or lists of these by server. */
import {
  type Diagnostic,
  err,
  isList,
  isRecord,
  ok,
  own,
  ownText,
  type Result,
  readSource,
  type Value,
} from '@joust/source'
import type { SessionServer, SessionTool } from '../../session/session.ts'
import { toolsIn } from './list-servers.ts'

const EXPECTED = 'expected a list of tools, {"tools": […]}, or a list of {"server": NAME, "tools": […]}'

/** Parses a tools file. A plain list of tools becomes a server with the name `name`. */
export function readToolsFile(
  text: string,
  name: string,
): Result<{ readonly servers: readonly SessionServer[]; readonly notes: readonly string[] }, Diagnostic[]> {
  const source = readSource(text)
  if (!source.ok) return source
  const notes: string[] = []
  const root = source.value.value
  const list = isList(root) ? root : own(root, 'tools') === undefined ? own(root, 'servers') : [root]
  const fault = (path: readonly (string | number)[]): Result<never, Diagnostic[]> =>
    err([{ severity: 'error', code: 'tools', message: EXPECTED, path: '', ...source.value.locate(path) }])
  if (!isList(list) || list.length === 0) return fault([])
  const groups = list.filter((one) => isList(own(one, 'tools')))
  if (groups.length === 0) {
    const tools = toolsIn(list.map(asTool), notes)
    return tools.length === 0 ? fault([]) : ok({ servers: [serverOf(name, tools)], notes })
  }
  if (groups.length < list.length) return fault([list.findIndex((one) => !isList(own(one, 'tools')))])
  const taken = new Set<string>()
  const servers = groups.map((group) => {
    const base = ownText(group, 'server') ?? ownText(group, 'name') ?? name
    let free = base
    for (let number = 2; taken.has(free); number++) free = `${base}-${number}`
    taken.add(free)
    const tools = own(group, 'tools')
    return serverOf(free, toolsIn((isList(tools) ? tools : []).map(asTool), notes))
  })
  return ok({ servers, notes })
}

function serverOf(name: string, tools: readonly SessionTool[]): SessionServer {
  return { name, protocol: 'mcp', tools }
}

/** Converts a function definition of a model API (`{ type: function, function: { name, parameters } }`) to a tool. */
function asTool(item: Value): Value {
  const inner = own(item, 'function')
  const definition = isRecord(inner) ? inner : item
  if (!isRecord(definition)) return item
  const schema = own(definition, 'inputSchema') ?? own(definition, 'input_schema') ?? own(definition, 'parameters')
  return schema === undefined ? definition : { ...definition, inputSchema: schema }
}
