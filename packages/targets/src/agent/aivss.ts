/** Risk amplification factors of [OWASP AIVSS](https://aivss.owasp.org) 0.8 declared by an agent file. */
import { type Agent, type AgentDocument, type Approval, agentPaths } from '@joust/agentformat'
import { type AivssFactor, type AivssProfile, aivssFactors, aivssMitigations, type FactorLevel } from '@joust/results'

/** Prefix of annotations that specify a factor or `mitigation`. */
const PREFIX = 'aivss.'

const levels: ReadonlyMap<string, FactorLevel> = new Map([
  ['0', 0],
  ['0.0', 0],
  ['0.5', 0.5],
  ['1', 1],
  ['1.0', 1],
])

/**
 * Derives factors from the declarations of an agent and its sub-agents. Annotations of the root agent take precedence.
 */
export function aivssProfile(agent: Agent): { readonly profile: AivssProfile; readonly problems: readonly string[] } {
  const documents = [...agentPaths(agent).keys()].map(({ document }) => document)
  const stated = statedIn(agent.document.metadata.annotations ?? {})
  const profile = {
    factors: { ...declaredIn(documents), ...stated.factors },
    ...(stated.mitigation !== undefined && { mitigation: stated.mitigation }),
  }
  return { profile, problems: stated.problems }
}

function declaredIn(documents: readonly AgentDocument[]): AivssProfile['factors'] {
  const spaces = documents.flatMap(({ action_space }) => action_space ?? [])
  const servers = spaces.flatMap(({ mcp_servers = [] }) => mcp_servers)
  const tools = spaces.flatMap(({ local_tools = [] }) => local_tools)
  const remote = spaces.flatMap(({ remote_agents = [] }) => remote_agents)
  const approvals = [
    ...tools.map(({ approval }) => approval),
    ...servers.flatMap(({ approval, allowed_tools }) => approvalsOf(approval, allowed_tools)),
    ...remote.flatMap(({ approval, allowed_skills }) => approvalsOf(approval, allowed_skills)),
  ]
  const rules = approvals.filter((approval) => approval !== undefined && approval !== false)
  const isAlwaysAsked = rules.length === approvals.length && !rules.some(isConditional)
  const isOpen = servers.some(({ allowed_tools }) => allowed_tools === undefined)
  const memories = documents.flatMap(({ memory }) => memory ?? [])
  return {
    // An agent without actions, or with required approval for all of them, is not autonomous.
    autonomy: isAlwaysAsked ? 0 : rules.length > 0 ? 0.5 : 1,
    tools: isOpen ? 1 : servers.length + tools.length > 0 ? 0.5 : 0,
    language: documents.some(({ execution_policy }) => execution_policy.id === 'agf.react') ? 1 : 0,
    persistence: memories.some(({ required }) => required === true) ? 1 : memories.length > 0 ? 0.5 : 0,
    multi_agent: remote.length > 0 ? 1 : documents.length > 1 ? 0.5 : 0,
  }
}

/** Returns the approval settings of the allowed tools or skills, or of the entire server if it has no allow list. */
function approvalsOf(
  whole: Approval | undefined,
  allowed: readonly (string | { readonly approval?: Approval })[] | undefined,
): (Approval | undefined)[] {
  return allowed?.map((one) => (typeof one === 'string' ? whole : (one.approval ?? whole))) ?? [whole]
}

function isConditional(approval: Approval | undefined): boolean {
  return typeof approval === 'object' && approval.condition !== undefined
}

function statedIn(annotations: Readonly<Record<string, string>>) {
  const factors: Partial<Record<AivssFactor, FactorLevel>> = {}
  const problems: string[] = []
  let mitigation: AivssProfile['mitigation']
  for (const [key, value] of Object.entries(annotations)) {
    if (!key.startsWith(PREFIX)) continue
    const factor = aivssFactors.find((name) => `${PREFIX}${name}` === key)
    const level = levels.get(value)
    const strength = aivssMitigations.find((name) => name === value)
    if (factor !== undefined && level !== undefined) factors[factor] = level
    else if (factor !== undefined) problems.push(`${key}: expected "0", "0.5" or "1", got ${JSON.stringify(value)}`)
    else if (key !== `${PREFIX}mitigation`)
      problems.push(`unknown annotation ${key}; available: ${aivssFactors.join(', ')}, mitigation`)
    else if (strength !== undefined) mitigation = strength
    else problems.push(`${key}: expected one of ${aivssMitigations.join(', ')}, got ${JSON.stringify(value)}`)
  }
  return { factors, mitigation, problems }
}
