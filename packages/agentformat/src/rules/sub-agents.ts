/** Rules for the memory and limits of sub-agents (Agent Format). */
import type { Constraints } from '../model/document.ts'
import { quote } from '../model/quote.ts'
import type { AgentRule } from './rule.ts'

/** OPEN-43: a sub-agent that requires memory does not have the memory scope `none`. */
export const memoryContradiction: AgentRule = ({ space, agent }, report) => {
  for (const [index, entry] of (space.local_agents ?? []).entries()) {
    if (entry.memory_scope_strategy !== 'none') continue
    if (agent.agents.get(entry.alias)?.document.memory?.required !== true) continue
    const message = `${quote(entry.alias)} cannot run: it requires memory, but its memory scope is "none"`
    report(['action_space', 'local_agents', index, 'memory_scope_strategy'], message)
  }
}

/** OPEN-35: a sub-agent declares no higher limits than its parent, whose limits apply anyway. */
export const tightenedLimits: AgentRule = ({ space, agent, document }, report) => {
  if (document.constraints?.tighten_only_invariant === false) return
  const own = declaredLimits(document.constraints)
  for (const [index, { alias }] of (space.local_agents ?? []).entries()) {
    const looser = declaredLimits(agent.agents.get(alias)?.document.constraints).flatMap(([name, value]) => {
      const bound = own.find(([limit]) => limit === name)?.[1]
      return bound !== undefined && value > bound ? [`${name} ${value} instead of ${bound}`] : []
    })
    if (looser.length === 0) continue
    const message = `${quote(alias)} declares higher limits than this agent; the lower values apply: ${looser.join(', ')}`
    report(['action_space', 'local_agents', index], message)
  }
}

function declaredLimits(constraints: Constraints | undefined): [name: string, value: number][] {
  const all: { readonly [name: string]: number } = { ...constraints?.budget, ...constraints?.limits }
  return names.flatMap((name): [string, number][] => {
    const value = all[name]
    return value === undefined ? [] : [[name, value]]
  })
}

const names = ['max_token_usage', 'max_duration_seconds', 'max_llm_calls', 'max_tool_calls', 'max_delegation_depth']

/** OPEN-36: disabling `tighten_only_invariant` is allowed, but causes a warning. */
export const invariantKept: AgentRule = ({ document }, report) => {
  if (document.constraints?.tighten_only_invariant !== false) return
  const message = "sub-agents may exceed this agent's limits; the limits of its ancestors still apply"
  report(['constraints', 'tighten_only_invariant'], message)
}
