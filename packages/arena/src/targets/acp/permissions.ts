/** Permissions that an agent asks for: answered by a rule, and kept. */
import { cut, own, ownList, ownText, type Value, writeJson } from '@joust/source'
import { arenaLimits } from '../../model/limits.ts'
import type { AskedApproval } from '../../model/target.ts'

/** Who answers: nothing is approved, everything is, or a function decides by the name of the tool. */
export type PermissionRule = 'none' | 'all' | ((request: { readonly target: string }) => { readonly approved: boolean })

/** Answers, and what was asked. */
export interface Permissions {
  /** The result of `session/request_permission`. */
  answer(params: Value): Value
  asked(): readonly AskedApproval[]
}

/** Follows a rule. */
export function createPermissions(rule: PermissionRule): Permissions {
  const asked: AskedApproval[] = []
  return {
    asked: () => asked,
    answer(params) {
      const call = own(params, 'toolCall')
      const title = ownText(call, 'title') || 'a tool call'
      const optionId = optionOf(ownList(params, 'options'), isApproved(rule, title))
      const approved = optionId?.approves === true
      const input = own(call, 'rawInput')
      const request = input === undefined ? title : `${title}: ${writeJson(input)}`
      if (asked.length < arenaLimits.approvals)
        asked.push({ request: cut(request, arenaLimits.approvalText), approved })
      return {
        outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: optionId.id },
      }
    },
  }
}

/** Titles are made for people: some agents put the name of the server around that of the tool, each in its own way. */
function isApproved(rule: PermissionRule, title: string): boolean {
  if (typeof rule === 'string') return rule === 'all'
  const words = title.split(/[^\w.-]+|__/)
  return [title, ...words].some((target) => target !== '' && rule({ target }).approved)
}

/** The option that says so, preferably for this once. */
function optionOf(offered: readonly Value[], approves: boolean): { id: Value; approves: boolean } | undefined {
  const wanted = approves ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always']
  const found = wanted.flatMap((kind) => offered.filter((option) => own(option, 'kind') === kind))[0]
  const id = own(found, 'optionId')
  return id === undefined ? undefined : { id, approves }
}
