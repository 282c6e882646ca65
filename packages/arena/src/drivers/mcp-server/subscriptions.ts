/** The filter of a `subscriptions/listen` request (MCP 2026-07-28), and the notifications that it lets through. */
import { isList, isRecord, own, type Value } from '@joust/source'
import { META } from '../mcp/protocol.ts'

/** A request for notifications. */
export interface Subscription {
  readonly id: Value
  readonly filter: Value
}

/** Notifications that need a subscription, with the field of the filter that requests them. */
const fields: ReadonlyMap<string, string> = new Map([
  ['notifications/tools/list_changed', 'toolsListChanged'],
  ['notifications/prompts/list_changed', 'promptsListChanged'],
  ['notifications/resources/list_changed', 'resourcesListChanged'],
  ['notifications/resources/updated', 'resourceSubscriptions'],
  ['notifications/tasks', 'taskIds'],
])

/** True for a notification that is sent over subscriptions and not with an answer. */
export function needsSubscription(method: string): boolean {
  return fields.has(method)
}

/** True for a notification that a subscription requests. Notifications without a filter are always sent. */
export function isRequested({ filter }: Subscription, method: string, params: Value | undefined): boolean {
  const field = fields.get(method)
  if (field === undefined) return true
  const wanted = own(filter, field)
  if (!isList(wanted)) return wanted === true
  return wanted.includes(own(params, field === 'taskIds' ? 'taskId' : 'uri') ?? null)
}

/** The params of a notification, with the id of the subscription. */
export function withSubscription({ id }: Subscription, params: Value | undefined = {}): Value {
  if (!isRecord(params)) return params
  const meta = own(params, '_meta')
  return { ...params, _meta: { [`${META}subscriptionId`]: id, ...(isRecord(meta) && meta) } }
}
