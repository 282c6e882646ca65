/** Local tools: functions of the host, by alias. */
import type { LocalTool as DeclaredTool } from '@joust/agentformat'
import { cloneValue, type Value } from '@joust/source'
import type { AgentContext } from '../context/agent-context.ts'
import type { LocalTool } from '../model/bindings.ts'
import { errorObservation, type Observation } from '../model/connection.ts'
import { toValue } from '../model/json-value.ts'
import type { RuntimeOptions } from '../model/options.ts'
import type { Candidate } from './names.ts'

/** The host's function for an alias; names on prototypes, such as `toString`, are ordinary names. */
export function boundTool(alias: string, options: RuntimeOptions): LocalTool | undefined {
  const { tools = {} } = options
  const tool = Object.hasOwn(tools, alias) ? tools[alias] : undefined
  // To the compiler a function is a tool, because it has a `call`, which is not the one that is meant.
  return typeof tool === 'function' ? { call: tool as LocalTool['call'] } : tool
}

/** The local tools of an agent. Preparation has made sure that each is bound. */
export function localCallables({ agent, options }: AgentContext): Candidate[] {
  const declared = agent.document.action_space?.local_tools ?? []
  return declared.flatMap((entry) => {
    const tool = boundTool(entry.alias, options)
    return tool === undefined ? [] : [candidate(entry, tool)]
  })
}

function candidate(entry: DeclaredTool, tool: LocalTool): Candidate {
  const description = entry.description ?? tool.description ?? entry.name
  return {
    otherwise: `tool__${entry.alias}`,
    yields: false,
    callable: {
      name: entry.alias,
      names: [],
      kind: 'local',
      description,
      inputSchema: tool.inputSchema ?? { type: 'object' },
      approval: { kind: 'tool', over: 'args', approval: entry.approval },
      repeatable: tool.repeatable === true,
      invoke: (args, signal) => call(tool, args, signal),
    },
  }
}

async function call(tool: LocalTool, args: Value, signal: AbortSignal): Promise<Observation> {
  // A copy: a function that changes its arguments must not change what was approved and recorded.
  const result = toValue(await tool.call(cloneValue(args), { signal }))
  if (result.ok) return { content: result.value, isError: false }
  return errorObservation(`the tool did not return JSON: ${result.error}`)
}
