import type { Agent, AgentDocument, Approval, ConditionGroup, Matcher, McpServer } from '@joust/agentformat'
import { own, writeJson } from '@joust/source'
import { closing, localToolsOf, nameOf, offeredBy, playedBy, withEntry } from '../declarations.ts'
import { isAbuse, type SeenCall } from '../evidence.ts'
import type { Basis, Restraint, RestraintRow } from '../restraint.ts'
import { conditionsFor } from '../values.ts'

/** A required approval for calls with arguments like the attack's, or for all calls to the tool. */
export const approval: RestraintRow = {
  name: 'approval',
  summary: 'require approval for a tool, or only for calls with arguments like those of the attack',
  propose: (basis) =>
    basis.through.flatMap((evidence) =>
      evidence.calls
        .filter((call) => isAbuse(evidence, call))
        .flatMap((call) => [...ofServers(basis, call), ...ofFile(basis, call)])
        .flatMap((declared) => [...byArguments(basis, declared), asking(declared, `every ${declared.tool}`, true)]),
    ),
}

interface DeclaredTool {
  readonly agent: Agent
  readonly call: SeenCall
  readonly tool: string
  readonly alias?: string
  readonly note: string
  isSame(call: SeenCall): boolean
  change(document: AgentDocument, wanted: Approval): AgentDocument
}

function ofServers(basis: Basis, call: SeenCall): DeclaredTool[] {
  const { tool } = call
  if (tool === undefined) return []
  return playedBy(basis, 'mcp_servers', call.actor).map(({ agent, entry: server }) => {
    const { alias } = server
    const offered = offeredBy(basis, alias)
    return {
      agent,
      call,
      alias,
      tool: `${tool} of ${alias}`,
      note: closing(server, offered),
      isSame: (other) => other.tool === tool && basis.aliasesOf(other.actor).includes(alias),
      change: (document, wanted) =>
        withEntry(document, 'mcp_servers', alias, (now) => withApproval(now, offered, tool, wanted)),
    }
  })
}

function ofFile(basis: Basis, call: SeenCall): DeclaredTool[] {
  return localToolsOf(basis, call).map(({ agent, entry: { alias } }) => ({
    agent,
    call,
    tool: alias,
    note: '',
    isSame: (other) => other.local === true && other.tool === alias,
    change: (document, wanted) =>
      withEntry(document, 'local_tools', alias, (now) => ({ ...now, approval: either(now.approval ?? false, wanted) })),
  }))
}

function byArguments(basis: Basis, declared: DeclaredTool): Restraint[] {
  const benign = basis.all.flatMap((evidence) =>
    evidence.calls.filter((call) => declared.isSame(call) && !isAbuse(evidence, call)).map(({ args }) => args),
  )
  return Object.entries(declared.call.args).flatMap(([name, abused]) => {
    const values = benign.map((args) => own(args, name))
    const present = values.filter((value) => value !== undefined)
    // A condition on a missing argument cannot be evaluated and always requires approval.
    if (present.length < values.length) return []
    return conditionsFor({ abused, benign: present }).map((matcher) =>
      asking(declared, `${declared.tool} where ${name} ${inWords(matcher)}`, {
        condition: { args_match: { [name]: matcher } },
      }),
    )
  })
}

function asking({ agent, alias, note, change }: DeclaredTool, when: string, wanted: Approval): Restraint {
  return {
    kind: approval.name,
    source: agent.source,
    ...(alias === undefined ? {} : { alias }),
    text: `ask a human before ${when}${note}`,
    apply: (document) => change(document, wanted),
  }
}

/** Adds an approval to a tool of a server. Includes the server's approval, because a tool entry overrides it. */
function withApproval(server: McpServer, offered: readonly string[], tool: string, wanted: Approval): McpServer {
  const allowed_tools = (server.allowed_tools ?? offered).map((entry) => {
    if (nameOf(entry) !== tool) return entry
    const own = typeof entry === 'string' ? undefined : entry.approval
    const rest = typeof entry === 'string' ? { name: entry } : entry
    return { ...rest, approval: either(own ?? server.approval ?? false, wanted) }
  })
  return { ...server, allowed_tools }
}

function either(one: Approval, other: Approval): Approval {
  if (one === false) return other
  if (one === true || other === true || other === false) return one === true ? true : other
  const { condition: _, ...always } = { ...one, ...other }
  if (one.condition === undefined || other.condition === undefined) return always
  // `isList` would narrow the other branch to `Value`.
  const groups = [one.condition, other.condition].flatMap((each) => each as ConditionGroup | readonly ConditionGroup[])
  return { ...other, ...one, condition: groups }
}

function inWords(matcher: Matcher): string {
  if (typeof matcher !== 'object') return `is ${writeJson(matcher)}`
  const { gt, lt, pattern, not_in = [] } = matcher
  if (gt !== undefined) return `is more than ${gt}`
  if (lt !== undefined) return `is less than ${lt}`
  if (pattern !== undefined) return `matches ${pattern}`
  return `is not ${not_in.map((one) => writeJson(one)).join(' or ')}`
}
