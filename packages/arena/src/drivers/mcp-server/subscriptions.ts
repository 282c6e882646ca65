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

/** True for a notification that is sent over subscriptions and not with a response. */
export function needsSubscription(method: string): boolean {
  return fields.has(method)
}

/** True if a subscription requests the notification. Notifications without a filter field are always sent. */
export function isRequested({ filter }: Subscription, method: string, params: Value | undefined): boolean {
  const field = fields.get(method)
  if (field === undefined) return true
  const wanted = own(filter, field)
  if (!isList(wanted)) return wanted === true
  return wanted.includes(own(params, field === 'taskIds' ? 'taskId' : 'uri') ?? null)
}

/** Adds the subscription id to the params of a notification. */
export function withSubscription({ id }: Subscription, params: Value | undefined = {}): Value {
  if (!isRecord(params)) return params
  const meta = own(params, '_meta')
  return { ...params, _meta: { [`${META}subscriptionId`]: id, ...(isRecord(meta) && meta) } }
}
