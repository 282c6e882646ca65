/** `tighten_only_invariant`: whether it is kept, and whether sub-agents keep to it. */
import type { Constraints } from '../../model/document.ts'
import { quote } from '../../model/quote.ts'
import type { AgentRule } from '../rule.ts'

/** OPEN-35: a sub-agent declares no more than its parent allows; more is cut down to the parent's limit. */
export const tightenedLimits: AgentRule = ({ space, agent, document }, report) => {
  if (document.constraints?.tighten_only_invariant === false) return
  const own = declaredLimits(document.constraints)
  for (const [index, { alias }] of (space.local_agents ?? []).entries()) {
    const looser = declaredLimits(agent.agents.get(alias)?.document.constraints).flatMap(([name, value]) => {
      const bound = own.find(([known]) => known === name)?.[1]
      return bound !== undefined && value > bound ? [`${name} ${value} against ${bound}`] : []
    })
    if (looser.length === 0) continue
    const message = `${quote(alias)} declares more than this agent allows; the smaller value applies: ${looser.join(', ')}`
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

/** OPEN-36: lifting the invariant is allowed and worth a second look. */
export const invariantKept: AgentRule = ({ document }, report) => {
  if (document.constraints?.tighten_only_invariant !== false) return
  const message = 'sub-agents of this agent may declare more than it allows itself; its own ancestors still bind them'
  report(['constraints', 'tighten_only_invariant'], message)
}
