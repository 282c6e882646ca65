/** Tools, resources and prompts of an MCP server, within its allow list. */

import type { Approval, McpServer } from '@joust/agentformat'
import { startWithin } from '@joust/io'
import { isRecord, own, type Value, type ValueRecord } from '@joust/source'
import type { RunContext } from '../context/run-context.ts'
import type { McpConnection, McpTool } from '../model/connection.ts'
import { messageOf, RunFailure } from '../model/errors.ts'
import { runtimeLimits } from '../model/limits.ts'
import { errorObservation, type Observation } from '../model/observation.ts'
import type { Candidate } from './names.ts'

/** A connection as one agent uses it: while `during` lasts, questions of the server concern that agent. */
export interface McpUse {
  readonly connection: McpConnection
  during<T>(work: () => Promise<T>): Promise<T>
}

/** Lists what a server offers. */
type McpSource = (signal: AbortSignal) => Promise<Candidate[]>

/** The source of a server. Each listing asks the server anew: one that changes its tools is seen as it is. */
export function mcpSource(server: McpServer, use: McpUse, context: RunContext): McpSource {
  let last: readonly McpTool[] | undefined
  const warned = new Set<string>()
  return async (signal) => {
    last = await listTools(server, use, context, signal, last)
    const offered = new Set(last.map((tool) => tool.name))
    for (const { name } of allowedEntries(server)) {
      if (offered.has(name) || warned.has(name)) continue
      warned.add(name)
      context.warn('tool_not_offered', `the server ${server.alias} does not offer the tool ${JSON.stringify(name)}`)
    }
    const tools = last.flatMap((tool) => {
      const entry = entryOf(server, tool.name)
      return entry === undefined ? [] : [toolCandidate(server, tool, entry.approval, use)]
    })
    return server.allowed_tools === undefined ? [...tools, ...extraCandidates(server, use)] : tools
  }
}

/** A server that stops answering keeps its last list: its tools then fail one by one, as observations. */
async function listTools(
  server: McpServer,
  use: McpUse,
  context: RunContext,
  signal: AbortSignal,
  last: readonly McpTool[] | undefined,
): Promise<readonly McpTool[]> {
  try {
    const { clock, options } = context
    const milliseconds = options.timeouts?.connectMs ?? runtimeLimits.connectMs
    const list = (within: AbortSignal) => use.during(() => use.connection.listTools(within))
    const listed = await startWithin(clock, milliseconds, [signal], list)
    const seen = new Set<string>()
    // A name that comes twice is one tool: the server could not tell the calls apart.
    return listed.filter((tool) => !seen.has(tool.name) && seen.add(tool.name))
  } catch (thrown) {
    if (signal.aborted || last === undefined) throw listFailure(server, thrown, context)
    context.warn('server_failed', `the server ${server.alias} does not list its tools: ${messageOf(thrown)}`)
    return last
  }
}

function listFailure(server: McpServer, thrown: unknown, context: RunContext): unknown {
  if (thrown instanceof RunFailure) return thrown
  const message = `the server ${server.alias} does not list its tools: ${messageOf(thrown)}`
  return new RunFailure({ code: 'tool_failed', message, agent: context.path, cause: { message: messageOf(thrown) } })
}

interface Entry {
  readonly name: string
  readonly approval?: Approval
}

function allowedEntries({ allowed_tools = [] }: McpServer): Entry[] {
  return allowed_tools.map((entry) => (typeof entry === 'string' ? { name: entry } : entry))
}

/** How a tool is allowed; undefined when it is not. What its own entry says replaces the server's blanket (OPEN-40). */
function entryOf(server: McpServer, name: string): Entry | undefined {
  const blanket = server.approval === undefined ? { name } : { name, approval: server.approval }
  if (server.allowed_tools === undefined) return blanket
  const entry = allowedEntries(server).find((candidate) => candidate.name === name)
  return entry === undefined || entry.approval !== undefined ? entry : blanket
}

function toolCandidate(server: McpServer, tool: McpTool, approval: Approval | undefined, use: McpUse): Candidate {
  const { name, description, inputSchema } = tool
  const invoke = (args: Value, signal: AbortSignal) => use.during(() => use.connection.callTool(name, args, signal))
  return candidate(server, name, { name, description, inputSchema, approval, invoke })
}

interface Offer {
  readonly name: string
  readonly description: string | undefined
  readonly inputSchema: ValueRecord
  readonly approval: Approval | undefined
  invoke(args: Value, signal: AbortSignal): Promise<Observation>
}

function candidate(server: McpServer, own: string, offer: Offer): Candidate {
  const { name, description, inputSchema, approval, invoke } = offer
  const prefixed = `${server.alias}__${own}`
  return {
    otherwise: prefixed,
    yields: true,
    callable: {
      name,
      names: [name === prefixed ? own : prefixed, server.alias],
      kind: 'mcp',
      ...(description === undefined ? {} : { description }),
      inputSchema,
      counts: true,
      approval: { kind: 'mcp_tool', over: 'args', ...(approval === undefined ? {} : { approval }) },
      invoke,
    },
  }
}

/** Resources and prompts, for servers that offer them; their names always carry the alias. */
function extraCandidates(server: McpServer, use: McpUse): Candidate[] {
  const { connection } = use
  const extra = (own: string, description: string, inputSchema: ValueRecord, run: Offer['invoke'] | undefined) => {
    if (run === undefined) return []
    const invoke: Offer['invoke'] = (args, signal) => use.during(() => run(args, signal))
    const offer = { name: `${server.alias}__${own}`, description, inputSchema, approval: server.approval, invoke }
    return [candidate(server, own, offer)]
  }
  const { listResources, readResource, listPrompts, getPrompt } = connection
  return [
    ...extra('list_resources', `Lists the resources of ${server.alias}.`, NOTHING, listing(connection, listResources)),
    ...extra('read_resource', `Reads a resource of ${server.alias}.`, text('uri'), readResource && reading(connection)),
    ...extra('list_prompts', `Lists the prompts of ${server.alias}.`, NOTHING, listing(connection, listPrompts)),
    ...extra('get_prompt', `Gets a prompt of ${server.alias}.`, PROMPT, getPrompt && prompting(connection)),
  ]
}

const NOTHING: ValueRecord = { type: 'object', properties: {} }
const PROMPT: ValueRecord = {
  type: 'object',
  properties: { name: { type: 'string' }, arguments: { type: 'object', additionalProperties: { type: 'string' } } },
  required: ['name'],
}

function text(name: string): ValueRecord {
  return { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] }
}

type Listing = ((signal: AbortSignal) => Promise<Value>) | undefined

function listing(connection: McpConnection, list: Listing): Offer['invoke'] | undefined {
  if (list === undefined) return undefined
  return async (_, signal) => ({ content: await list.call(connection, signal), isError: false })
}

function reading(connection: McpConnection): Offer['invoke'] {
  return async (args, signal) => {
    const uri = isRecord(args) ? own(args, 'uri') : undefined
    if (typeof uri !== 'string') return errorObservation('the argument "uri" must be a string')
    return (await connection.readResource?.(uri, signal)) ?? errorObservation('the server offers no resources')
  }
}

function prompting(connection: McpConnection): Offer['invoke'] {
  return async (args, signal) => {
    const name = isRecord(args) ? own(args, 'name') : undefined
    const given = isRecord(args) ? own(args, 'arguments') : undefined
    if (typeof name !== 'string') return errorObservation('the argument "name" must be a string')
    const prompt = await connection.getPrompt?.(name, isRecord(given) ? given : {}, signal)
    return prompt ?? errorObservation('the server offers no prompts')
  }
}
