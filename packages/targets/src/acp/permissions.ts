/** Answers an agent's permission requests by a rule, and records them. */

import type { AskedApproval } from '@joust/arena'
import { cut, own, ownList, ownText, type Value, writeJson } from '@joust/source'
import { targetLimits } from '../limits.ts'

/** The requests to approve: none, all, or those for which a function returns `approved: true`. */
export type PermissionRule = 'none' | 'all' | ((request: { readonly target: string }) => { readonly approved: boolean })

export interface Permissions {
  answer(params: Value): Value
  requests(): readonly AskedApproval[]
}

export function createPermissions(rule: PermissionRule): Permissions {
  const requests: AskedApproval[] = []
  return {
    requests: () => requests,
    answer(params) {
      const call = own(params, 'toolCall')
      const title = ownText(call, 'title') || 'a tool call'
      const optionId = optionOf(ownList(params, 'options'), isApproved(rule, title))
      const approved = optionId?.approves === true
      const input = own(call, 'rawInput')
      const request = input === undefined ? title : `${title}: ${writeJson(input)}`
      if (requests.length < targetLimits.approvals)
        requests.push({ request: cut(request, targetLimits.approvalText), approved })
      return {
        outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: optionId.id },
      }
    },
  }
}

/** Applies the rule to the title and to each word in it, because agents combine server and tool names differently. */
function isApproved(rule: PermissionRule, title: string): boolean {
  if (typeof rule === 'string') return rule === 'all'
  const words = title.split(/[^\w.-]+|__/)
  return [title, ...words].some((target) => target !== '' && rule({ target }).approved)
}

function optionOf(options: readonly Value[], approves: boolean): { id: Value; approves: boolean } | undefined {
  const kinds = approves ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always']
  const match = kinds.flatMap((kind) => options.filter((option) => own(option, 'kind') === kind))[0]
  const id = own(match, 'optionId')
  return id === undefined ? undefined : { id, approves }
}
