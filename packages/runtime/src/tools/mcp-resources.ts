/** MCP resources and prompts as tools. */
import type { McpServer } from '@joust/agentformat'
import { startWithin } from '@joust/io'
import { isList, isRecord, messageOf, own, type Value, type ValueRecord } from '@joust/source'
import type { AgentContext } from '../context/agent-context.ts'
import type { Callable } from '../model/callable.ts'
import { errorObservation, type McpConnection } from '../model/connection.ts'
import { journaled } from '../model/journal.ts'
import { runtimeLimits } from '../model/limits.ts'
import { type McpSource, type McpUse, mcpCandidate } from './mcp-candidate.ts'

type Invoke = Callable['invoke']
type Listing = (signal: AbortSignal) => Promise<Value>

interface Kind {
  readonly things: 'resources' | 'prompts'
  readonly list: Listing | undefined
  readonly get: { readonly name: string; readonly does: string; readonly inputSchema: ValueRecord; invoke: Invoke }
}

/**
 * Returns the source of the tools for resources and prompts. Lists resources and prompts first, because some servers
 * declare a capability without having any. Tool names always include the alias.
 */
export function resourceSource(server: McpServer, use: McpUse, context: AgentContext): McpSource {
  const { alias } = server
  const failed = new Set<string>()
  const toolsFor = async ({ things, list, get }: Kind, signal: AbortSignal) => {
    if (list === undefined || !(await hasAny(list, things, signal))) return []
    const listAll: Invoke = async (_, within) => ({ content: await list(within), isError: false })
    return [
      candidate(`list_${things}`, `Lists the ${things} of ${alias}.`, NOTHING, listAll),
      candidate(get.name, `${get.does} of ${alias}.`, get.inputSchema, get.invoke),
    ]
  }
  const candidate = (name: string, description: string, inputSchema: ValueRecord, run: Invoke) => {
    const invoke: Invoke = (...call) => use.during(() => run(...call))
    const callable = { name: `${alias}__${name}`, description, inputSchema, repeatable: true, invoke }
    return mcpCandidate(server, name, server.approval, callable)
  }
  const hasAny = async (list: Listing, things: string, signal: AbortSignal): Promise<boolean> => {
    const { clock, options } = context
    const milliseconds = options.timeouts?.connectMs ?? runtimeLimits.connectMs
    try {
      const check = async () => {
        const items = await startWithin(clock, milliseconds, [signal], (within) => use.during(() => list(within)))
        return isList(items) && items.length > 0
      }
      return await journaled(context.journal, { kind: 'list', request: { [things]: alias }, act: check })
    } catch (thrown) {
      if (signal.aborted) throw thrown
      if (!failed.has(things))
        context.warn('server_failed', `cannot list the ${things} of server ${alias}: ${messageOf(thrown)}`)
      failed.add(things)
      return false
    }
  }
  return async (signal) => {
    const [resources, prompts] = kindsOf(use.connection)
    return [...(await toolsFor(resources, signal)), ...(await toolsFor(prompts, signal))]
  }
}

const NOTHING: ValueRecord = { type: 'object', properties: {}, additionalProperties: false }
const RESOURCE: ValueRecord = {
  type: 'object',
  properties: { uri: { type: 'string' } },
  required: ['uri'],
  additionalProperties: false,
}
const PROMPT: ValueRecord = {
  type: 'object',
  properties: { name: { type: 'string' }, arguments: { type: 'object', additionalProperties: { type: 'string' } } },
  required: ['name'],
  additionalProperties: false,
}

function kindsOf(connection: McpConnection): readonly [resources: Kind, prompts: Kind] {
  const { listResources, listPrompts } = connection
  const readResource: Invoke = async (args, signal) => {
    const uri = own(args, 'uri')
    if (typeof uri !== 'string') return errorObservation('the argument "uri" must be a string')
    return (await connection.readResource?.(uri, signal)) ?? errorObservation('the server has no resources')
  }
  const getPrompt: Invoke = async (args, signal) => {
    const name = own(args, 'name')
    const promptArgs = own(args, 'arguments')
    if (typeof name !== 'string') return errorObservation('the argument "name" must be a string')
    const prompt = await connection.getPrompt?.(name, isRecord(promptArgs) ? promptArgs : {}, signal)
    return prompt ?? errorObservation('the server has no prompts')
  }
  return [
    {
      things: 'resources',
      list: listResources?.bind(connection),
      get: { name: 'read_resource', does: 'Reads a resource', inputSchema: RESOURCE, invoke: readResource },
    },
    {
      things: 'prompts',
      list: listPrompts?.bind(connection),
      get: { name: 'get_prompt', does: 'Gets a prompt', inputSchema: PROMPT, invoke: getPrompt },
    },
  ]
}
