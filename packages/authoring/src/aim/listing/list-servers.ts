/** Lists the tools, resources and prompts of running servers. Calls only tools that the options allow. */
import { connectPlainly, type PlainAddress, type PlainConnection } from '@joust/arena/wire'
import { err, isList, isRecord, messageOf, ok, own, ownText, type Result, type Value } from '@joust/source'
import type { SessionCall, SessionServer, SessionTool } from '../../session/session.ts'
import { aimLimits } from '../limits.ts'
import { plainArguments } from '../values.ts'

/** A server to list, with variables resolved. */
export interface ListedServer extends PlainAddress {
  readonly name: string
}

/** Options for {@link listServers}. */
export interface ListOptions {
  /** Names of tools that may be called once with harmless arguments. @default [] */
  readonly call?: readonly string[]
  readonly signal: AbortSignal
}

/** The listed servers, and notes on failures. */
export interface Listing {
  readonly servers: readonly SessionServer[]
  /** Notes for the user. Each is a sentence that starts with the server name. */
  readonly notes: readonly string[]
  /** The number of servers that could not be listed. */
  readonly failed: number
  /** Names of tools that a server lists more than once, by server name. */
  readonly doubles: ReadonlyMap<string, ReadonlySet<string>>
}

/**
 * Lists all servers concurrently.
 *
 * @example
 * const mail = { name: 'mail', url: 'http://127.0.0.1:3000/mcp' }
 * const { servers, notes } = await listServers([mail], { call: ['list_folders'], signal: AbortSignal.timeout(10_000) })
 */
export async function listServers(servers: readonly ListedServer[], options: ListOptions): Promise<Listing> {
  const some = servers.slice(0, aimLimits.servers)
  const listed = await Promise.all(some.map((server) => listServer(server, options)))
  const more = servers.length - some.length
  return {
    servers: listed.flatMap(({ server }) => (server.ok ? [server.value] : [])),
    notes: [
      ...listed.flatMap(({ server, notes }, index) => {
        const name = some[index]?.name ?? ''
        return [...(server.ok ? [] : [`${name}: ${server.error}`]), ...notes.map((note) => `${name}: ${note}`)]
      }),
      ...(more > 0 ? [`${more} more servers omitted; the limit is ${aimLimits.servers}`] : []),
    ],
    failed: listed.filter(({ server }) => !server.ok).length,
    doubles: new Map(listed.map(({ doubles }, index) => [some[index]?.name ?? '', doubles])),
  }
}

interface Listed {
  readonly server: Result<SessionServer, string>
  readonly notes: string[]
  /** Names of tools that are listed more than once. */
  readonly doubles: Set<string>
}

async function listServer(server: ListedServer, options: ListOptions): Promise<Listed> {
  const notes: string[] = []
  const doubles = new Set<string>()
  let connection: PlainConnection | undefined
  try {
    connection = await connectPlainly(server, { signal: options.signal, answerMs: aimLimits.answerMs })
    return { server: await readServer(server.name, connection, options, { notes, doubles }), notes, doubles }
  } catch (thrown) {
    return { server: err(messageOf(thrown)), notes, doubles }
  } finally {
    await connection?.close().catch(() => undefined)
  }
}

async function readServer(
  name: string,
  connection: PlainConnection,
  { call = [] }: ListOptions,
  { notes, doubles }: Omit<Listed, 'server'>,
): Promise<Result<SessionServer, string>> {
  const hello = await connection.greet()
  if (!hello.ok) return hello
  const version = ownText(hello.value, 'protocolVersion')
  const capabilities = own(hello.value, 'capabilities')
  const list = async (what: string, key: string): Promise<readonly Value[]> => {
    if (own(capabilities ?? null, what.split('/')[0] ?? '') === undefined) return []
    return listAll(connection, `${what}/list`, key, notes)
  }
  const before = connection.changes()
  const first = await list('tools', 'tools')
  const resources = await list('resources', 'resources')
  const templates = await list('resources/templates', 'resourceTemplates')
  const prompts = await list('prompts', 'prompts')
  const items = connection.changes() === before ? first : await listChanged(connection, notes)
  const tools = toolsIn(items, notes, doubles)
  const calls = await callSome(
    tools.filter((tool) => call.includes(tool.name)),
    connection,
  )
  const instructions = ownText(hello.value, 'instructions')
  return ok({
    name,
    protocol: 'mcp',
    ...(version !== undefined && { version }),
    ...(instructions !== undefined && { instructions }),
    tools,
    ...(resources.length > 0 && { resources }),
    ...(templates.length > 0 && { resource_templates: templates }),
    ...(prompts.length > 0 && { prompts }),
    ...(calls.length > 0 && { calls }),
  })
}

/** Lists the tools. Lists them again, a limited number of times, if the server changes them meanwhile. */
async function listChanged(connection: PlainConnection, notes: string[]): Promise<readonly Value[]> {
  let items: readonly Value[] = []
  for (let round = 0; round < aimLimits.relistings; round++) {
    const before = connection.changes()
    items = await listAll(connection, 'tools/list', 'tools', notes)
    if (connection.changes() > before) continue
    notes.push('the tools changed during the listing; the last list is used')
    return items
  }
  notes.push('the tool list keeps changing; record a session to use the tools that the agent sees')
  return items
}

/** Lists all pages. Failures become notes. */
async function listAll(connection: PlainConnection, method: string, key: string, notes: string[]): Promise<Value[]> {
  const items: Value[] = []
  const cursors = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < aimLimits.pages; page++) {
    const answer = await connection.request(method, cursor === undefined ? {} : { cursor })
    if (!answer.ok) {
      notes.push(`${method}: ${answer.error}`)
      return items
    }
    const part = own(answer.value, key)
    if (!isList(part)) {
      notes.push(`${method}: the response does not contain the list "${key}"`)
      return items
    }
    items.push(...part.slice(0, aimLimits.tools - items.length))
    cursor = ownText(answer.value, 'nextCursor')
    if (cursor === undefined || cursors.has(cursor) || items.length >= aimLimits.tools) break
    cursors.add(cursor)
  }
  if (items.length >= aimLimits.tools) notes.push(`${method}: only the first ${aimLimits.tools} are used`)
  return items
}

/** Parses listed tools. Omits unnamed and duplicate tools with a note. Adds the duplicate names to `doubles`. */
export function toolsIn(items: readonly Value[], notes: string[], doubles = new Set<string>()): SessionTool[] {
  const tools = new Map<string, SessionTool>()
  let nameless = 0
  for (const item of items) {
    const name = ownText(item, 'name')
    if (!isRecord(item) || name === undefined || name === '') nameless++
    else if (tools.has(name)) doubles.add(name)
    else tools.set(name, toolIn(name, item, notes))
  }
  if (nameless > 0) notes.push(`omitted ${nameless} tools without a name`)
  for (const name of [...doubles].slice(0, 5)) notes.push(`duplicate tool ${name}; the first one is used`)
  return [...tools.values()]
}

const TEXTS = ['title', 'description'] as const

/** Keeps only fields that have the right type. */
function toolIn(name: string, item: Readonly<Record<string, Value>>, notes: string[]): SessionTool {
  const { inputSchema, outputSchema, annotations } = item
  const texts = TEXTS.flatMap((key) => (typeof item[key] === 'string' ? [[key, item[key]] as const] : []))
  const isSchema = (schema: Value | undefined) => isRecord(schema) && (own(schema, 'type') ?? 'object') === 'object'
  if (inputSchema !== undefined && !isSchema(inputSchema))
    notes.push(`the input schema of ${name} is not an object schema; its arguments are unknown`)
  return {
    name,
    ...Object.fromEntries(texts),
    ...(inputSchema !== undefined && isSchema(inputSchema) && { inputSchema }),
    ...(outputSchema !== undefined && isSchema(outputSchema) && { outputSchema }),
    ...(isRecord(annotations) && { annotations }),
  }
}

async function callSome(tools: readonly SessionTool[], connection: PlainConnection): Promise<SessionCall[]> {
  const calls: SessionCall[] = []
  for (const tool of tools) {
    const values = plainArguments(tool)
    const answer = await connection.request('tools/call', { name: tool.name, arguments: values })
    const call = { method: 'tools/call', name: tool.name, arguments: values }
    calls.push(answer.ok ? { ...call, result: answer.value } : { ...call, error: { message: answer.error } })
  }
  return calls
}
