/** Permissions that an agent asks for: answered by a rule, and kept. */
import { cut, isList, isRecord, own, type Value, writeJson } from '@joust/source'
import { bounds } from '../../model/limits.ts'
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
      const call = field(params, 'toolCall')
      const title = textOf(field(call, 'title')) ?? 'a tool call'
      const optionId = optionOf(field(params, 'options'), isApproved(rule, title))
      const approved = optionId?.approves === true
      const input = field(call, 'rawInput')
      const request = input === undefined ? title : `${title}: ${writeJson(input)}`
      if (asked.length < bounds.approvals) asked.push({ request: cut(request, bounds.approvalText), approved })
      return {
        outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: optionId.id },
      }
    },
  }
}

/** A title is made for people: some agents put the name of the server around that of the tool, each in its own way. */
function isApproved(rule: PermissionRule, title: string): boolean {
  if (typeof rule === 'string') return rule === 'all'
  const words = title.split(/[^\w.-]+|__/)
  return [title, ...words].some((target) => target !== '' && rule({ target }).approved)
}

/** The option that says so, for this once where there is a choice. */
function optionOf(options: Value | undefined, approves: boolean): { id: Value; approves: boolean } | undefined {
  const wanted = approves ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always']
  const offered = isList(options) ? options : []
  const found = wanted.flatMap((kind) => offered.filter((option) => field(option, 'kind') === kind))[0]
  const id = field(found, 'optionId')
  return id === undefined ? undefined : { id, approves }
}

function field(value: Value | undefined, key: string): Value | undefined {
  return isRecord(value) ? own(value, key) : undefined
}

function textOf(value: Value | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
