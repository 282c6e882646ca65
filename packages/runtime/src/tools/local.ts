/** Local tools: functions provided by the host. */
import type { LocalTool as DeclaredTool } from '@joust/agentformat'
import { cloneValue, type Value, type ValueRecord } from '@joust/source'
import type { AgentContext } from '../context/agent-context.ts'
import type { LocalTool } from '../model/bindings.ts'
import { errorObservation, type Observation } from '../model/connection.ts'
import { toValue } from '../model/json-value.ts'
import type { RuntimeOptions } from '../model/options.ts'
import type { Candidate } from './names.ts'

/** Returns the host's tool for an alias. Ignores inherited properties such as `toString`. */
export function boundTool(alias: string, options: RuntimeOptions): LocalTool | undefined {
  const { tools = {} } = options
  const tool = Object.hasOwn(tools, alias) ? tools[alias] : undefined
  return typeof tool === 'function' ? { call: tool } : tool
}

/** Returns an agent's local tools. Preparation guarantees that all are bound. */
export function localCallables({ agent, options }: AgentContext): Candidate[] {
  const declared = agent.document.action_space?.local_tools ?? []
  return declared.flatMap((entry) => {
    const tool = boundTool(entry.alias, options)
    return tool === undefined ? [] : [candidate(entry, tool)]
  })
}

const ANYTHING: ValueRecord = { type: 'object' }

function candidate(entry: DeclaredTool, tool: LocalTool): Candidate {
  const description = entry.description ?? tool.description ?? entry.name
  return {
    fallback: `tool__${entry.alias}`,
    lowPriority: false,
    callable: {
      name: entry.alias,
      names: [],
      kind: 'local',
      description,
      inputSchema: tool.inputSchema ?? ANYTHING,
      approval: { kind: 'tool', over: 'args', approval: entry.approval },
      repeatable: tool.repeatable === true,
      invoke: (args, signal) => call(tool, args, signal),
    },
  }
}

async function call(tool: LocalTool, args: Value, signal: AbortSignal): Promise<Observation> {
  // A copy, so that the function cannot change the arguments that were approved and recorded.
  const result = toValue(await tool.call(cloneValue(args), { signal }))
  if (result.ok) return { content: result.value, isError: false }
  return errorObservation(`the tool did not return valid JSON: ${result.error}`)
}
