/** Rules for policy ids, policy agents and batch lists (Agent Format). */
import { isStandardPolicyId, standardPolicyIds } from '../model/policy.ts'
import { quote } from '../model/quote.ts'
import { EACH } from '../paths/path-expression.ts'
import { batchShape } from '../policies/batch-shape.ts'
import type { AgentRule } from './rule.ts'
import { readSites } from './walk.ts'

/** OPEN-3: a policy is standard, or a vendor policy with the prefix `x-`. */
export const knownPolicy: AgentRule = ({ document, suggest }, report) => {
  const { id } = document.execution_policy
  if (isStandardPolicyId(id) || id.startsWith('x-')) return
  const problem = id.startsWith('agf.')
    ? 'not a policy of Agent Format 1.0'
    : 'neither a standard policy nor a vendor policy ("x-…")'
  const full = `agf.${id}`
  const correction =
    suggest(id, standardPolicyIds) ??
    suggest(full, standardPolicyIds) ??
    standardPolicyIds.find((standard) => standard === full)
  report(['execution_policy', 'id'], `${quote(id)} is ${problem}, so no run will start.`, { correction })
}

/** an agent in a policy is a local agent of the document. */
export const knownAgents: AgentRule = ({ plan, localAliases, remoteAliases, suggest }, report) => {
  for (const { alias, path } of plan?.delegations ?? []) {
    if (localAliases.has(alias) || remoteAliases.has(alias)) continue
    if (alias === '') report(path, 'empty agent alias')
    else report(path, `unknown local agent ${quote(alias)}.`, { correction: suggest(alias, localAliases) })
  }
}

/** OPEN-25: policies run local agents. Only agf.react can call remote agents. */
export const localAgentsOnly: AgentRule = ({ plan, localAliases, remoteAliases }, report) => {
  for (const { alias, path } of plan?.delegations ?? []) {
    if (localAliases.has(alias) || !remoteAliases.has(alias)) continue
    report(path, `${quote(alias)} is a remote agent; ${plan?.policy} can only run local agents`)
  }
}

/** at least one field of a batch iterates over a list. */
export const batchIterates: AgentRule = ({ plan }, report) => {
  const batch = plan?.order === 'items' ? plan.delegations[0] : undefined
  // The grammar rule reports a malformed "[]".
  if (batch === undefined || Object.values(batch.mapping ?? {}).some((text) => text.includes(EACH))) return
  const message = 'no field iterates over a list; use "[]", for example parent.input.items.[]'
  report(batch.mappingPath, message, { at: 'key' })
}

/** P-08, OPEN-13: all iterating fields of a batch iterate over the same list. */
export const batchPrefix: AgentRule = (walk, report) => {
  let first: string | undefined
  for (const { site, expression } of readSites(walk)) {
    const { source, direction, segments } = expression
    const each = segments.indexOf(EACH)
    if (site.place !== 'batch mapping' || each < 0) continue
    const list = [source, direction, ...segments.slice(0, each)].join('.')
    first ??= list
    if (list === first) continue
    report(
      site.path,
      `all fields must iterate over the same list: this field uses ${quote(list)}, another one ${quote(first)}`,
    )
  }
}

/** OPEN-32: the output schema of a batch has a list for the results. */
export const batchOutputShape: AgentRule = ({ plan, document }, report) => {
  if (plan?.order !== 'items' || batchShape(document.interface.output) !== undefined) return
  const message =
    'a batch returns a list: make the output an array, or an object with "results" or exactly one array property'
  report(['interface', 'output'], message, { at: 'key' })
}
