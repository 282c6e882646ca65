/** Permission requests from an agent: answered by a rule, and recorded. */

import type { AskedApproval } from '@joust/arena'
import { cut, own, ownList, ownText, type Value, writeJson } from '@joust/source'
import { targetLimits } from '../limits.ts'

/** Approves no request, all requests, or those for which a function returns true. */
export type PermissionRule = 'none' | 'all' | ((request: { readonly target: string }) => { readonly approved: boolean })

/** Answers permission requests and records them. */
export interface Permissions {
  /** Returns the result of `session/request_permission`. */
  answer(params: Value): Value
  requests(): readonly AskedApproval[]
}

/** Creates permissions that follow a rule. */
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

/** Applies the rule to a title and its words, because agents combine the names of server and tool in various ways. */
function isApproved(rule: PermissionRule, title: string): boolean {
  if (typeof rule === 'string') return rule === 'all'
  const words = title.split(/[^\w.-]+|__/)
  return [title, ...words].some((target) => target !== '' && rule({ target }).approved)
}

/** Finds the option to allow or reject, preferably only once. */
function optionOf(options: readonly Value[], approves: boolean): { id: Value; approves: boolean } | undefined {
  const kinds = approves ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always']
  const match = kinds.flatMap((kind) => options.filter((option) => own(option, 'kind') === kind))[0]
  const id = own(match, 'optionId')
  return id === undefined ? undefined : { id, approves }
}
