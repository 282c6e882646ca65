/** The filter of a `subscriptions/listen` request (MCP 2026-07-28), and the notifications that it allows. */
import { isList, isRecord, own, type Value } from '@joust/source'
import { META } from '../mcp/protocol.ts'

export interface Subscription {
  readonly id: Value
  readonly filter: Value
}

/** Notifications that need a subscription, with the filter field that requests them. */
const fields: ReadonlyMap<string, string> = new Map([
  ['notifications/tools/list_changed', 'toolsListChanged'],
  ['notifications/prompts/list_changed', 'promptsListChanged'],
  ['notifications/resources/list_changed', 'resourcesListChanged'],
  ['notifications/resources/updated', 'resourceSubscriptions'],
  ['notifications/tasks', 'taskIds'],
])

/** Other notifications are sent with a response. */
export function needsSubscription(method: string): boolean {
  return fields.has(method)
}

/** Notifications without a filter field are always sent. */
export function isRequested({ filter }: Subscription, method: string, params: Value | undefined): boolean {
  const field = fields.get(method)
  if (field === undefined) return true
  const value = own(filter, field)
  if (!isList(value)) return value === true
  return value.includes(own(params, field === 'taskIds' ? 'taskId' : 'uri') ?? null)
}

export function withSubscription({ id }: Subscription, params: Value | undefined = {}): Value {
  if (!isRecord(params)) return params
  const meta = own(params, '_meta')
  return { ...params, _meta: { [`${META}subscriptionId`]: id, ...(isRecord(meta) && meta) } }
}
