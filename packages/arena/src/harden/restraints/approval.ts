import type { Approval, ConditionGroup, Matcher, McpServer } from '@joust/agentformat'
import { own } from '@joust/source'
import { isAbuse } from '../evidence.ts'
import type { Restraint, RestraintRow, Scene } from '../restraint.ts'
import { closing, type DeclaredCall, declarationsOf, nameOf, offeredBy, withServer } from '../servers.ts'
import { conditionsFor } from '../values.ts'

/** A human is asked before a call like that of the attack; where nothing tells it from other calls, before every call of the tool. */
export const approval: RestraintRow = {
  name: 'approval',
  summary: 'ask a human before a call, by its arguments where they tell it from others',
  propose: (scene) => {
    const abuses = scene.through.flatMap((evidence) =>
      evidence.calls.filter((call) => isAbuse(evidence, call)).flatMap((call) => declarationsOf(scene, call)),
    )
    return abuses.flatMap((abuse) => [...byArguments(scene, abuse), ...always(scene, abuse)])
  },
}

function byArguments(scene: Scene, abuse: DeclaredCall): Restraint[] {
  const benign = benignCalls(scene, abuse)
  return Object.entries(abuse.call.args).flatMap(([name, abused]) => {
    const values = benign.map((args) => own(args, name))
    const present = values.filter((value) => value !== undefined)
    // A condition on what is not there cannot be judged, and then a human is asked.
    if (present.length < values.length) return []
    return conditionsFor({ abused, benign: present }).map((matcher) => {
      const said = `ask a human before ${abuse.tool} of ${abuse.server.alias} where ${name} ${inWords(matcher)}`
      return asking(scene, abuse, said, { condition: { args_match: { [name]: matcher } } })
    })
  })
}

function always(scene: Scene, abuse: DeclaredCall): Restraint[] {
  return [asking(scene, abuse, `ask a human before every ${abuse.tool} of ${abuse.server.alias}`, true)]
}

/** Calls of the same tool that are not what shows an attack, over all attacks. */
function benignCalls(scene: Scene, { tool, server }: DeclaredCall) {
  return scene.all.flatMap((evidence) =>
    evidence.calls
      .filter((call) => call.tool === tool && scene.aliasesOf(call.actor).includes(server.alias))
      .filter((call) => !isAbuse(evidence, call))
      .map(({ args }) => args),
  )
}

function asking(scene: Scene, { agent, server, tool }: DeclaredCall, text: string, wanted: Approval): Restraint {
  const { alias } = server
  const offered = offeredBy(scene, alias)
  return {
    kind: approval.name,
    source: agent.source,
    alias,
    text: `${text}${closing(server, offered)}`,
    apply: (document) => withServer(document, alias, (now) => withApproval(now, offered, tool, wanted)),
  }
}

/** An entry of its own replaces what the server says for all of its tools, so that is taken over. */
function withApproval(server: McpServer, offered: readonly string[], tool: string, wanted: Approval): McpServer {
  const allowed_tools = (server.allowed_tools ?? offered).map((entry) => {
    if (nameOf(entry) !== tool) return entry
    const own = typeof entry === 'string' ? undefined : entry.approval
    const rest = typeof entry === 'string' ? { name: entry } : entry
    return { ...rest, approval: either(own ?? server.approval ?? false, wanted) }
  })
  return { ...server, allowed_tools }
}

/** An approval that is asked for where one of two asks. */
function either(one: Approval, other: Approval): Approval {
  if (one === false) return other
  if (one === true || other === true || other === false) return one === true ? true : other
  const { condition: _, ...always } = { ...one, ...other }
  if (one.condition === undefined || other.condition === undefined) return always
  // `isList` would make the members of the other branch values.
  const groups = [one.condition, other.condition].flatMap((each) => each as ConditionGroup | readonly ConditionGroup[])
  return { ...other, ...one, condition: groups }
}

function inWords(matcher: Matcher): string {
  if (typeof matcher !== 'object') return `is ${JSON.stringify(matcher)}`
  const { gt, lt, pattern, not_in = [] } = matcher
  if (gt !== undefined) return `is more than ${gt}`
  if (lt !== undefined) return `is less than ${lt}`
  if (pattern !== undefined) return `matches ${pattern}`
  return `is not ${not_in.map((one) => JSON.stringify(one)).join(' or ')}`
}
