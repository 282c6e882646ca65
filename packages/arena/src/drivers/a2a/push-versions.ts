/**
 * Translation of push configurations between A2A 0.3 and 1.0, which flattens them and allows a single authentication
 * scheme.
 */
import { isList, isRecord, own, ownList, type Value, type ValueRecord } from '@joust/source'

const PREFIX = 'tasks/pushNotificationConfig/'

/** Method names in 0.3 and 1.0. */
export const pushMethods: readonly (readonly [older: string, newer: string])[] = [
  [`${PREFIX}set`, 'CreateTaskPushNotificationConfig'],
  [`${PREFIX}get`, 'GetTaskPushNotificationConfig'],
  [`${PREFIX}list`, 'ListTaskPushNotificationConfigs'],
  [`${PREFIX}delete`, 'DeleteTaskPushNotificationConfig'],
]

export function isPush(method: string): boolean {
  return method.startsWith(PREFIX)
}

export function modernPushParams(method: string, params: ValueRecord): ValueRecord {
  if (method === `${PREFIX}set`) return modernTaskConfig(params)
  const { id, pushNotificationConfigId, ...rest } = params
  return { ...rest, ...present('taskId', id), ...present('id', pushNotificationConfigId) }
}

/** `method` is the 0.3 name. */
export function olderPushParams(method: string, params: ValueRecord): ValueRecord {
  if (method === `${PREFIX}set`) return olderTaskConfig(params)
  const { taskId, id, ...rest } = params
  return { ...rest, ...present('id', taskId), ...present('pushNotificationConfigId', id) }
}

export function modernPushResult(method: string, result: Value): Value {
  if (isList(result)) return { configs: result.map((one) => (isRecord(one) ? modernTaskConfig(one) : one)) }
  if (result === null && method === `${PREFIX}delete`) return {}
  return isRecord(result) ? modernTaskConfig(result) : result
}

/** Returns undefined if the result is not about push configurations. */
export function olderPushResult(result: ValueRecord): Value | undefined {
  if (isList(own(result, 'configs')))
    return ownList(result, 'configs').map((one) => (isRecord(one) ? olderTaskConfig(one) : one))
  const isConfig = own(result, 'taskId') !== undefined && own(result, 'url') !== undefined
  return isConfig ? olderTaskConfig(result) : undefined
}

function modernTaskConfig({ pushNotificationConfig, ...rest }: ValueRecord): ValueRecord {
  return isRecord(pushNotificationConfig) ? { ...rest, ...modernConfig(pushNotificationConfig) } : rest
}

function olderTaskConfig({ taskId, tenant, ...config }: ValueRecord): ValueRecord {
  return { ...present('taskId', taskId), ...present('tenant', tenant), pushNotificationConfig: olderConfig(config) }
}

export function modernConfig(config: ValueRecord): ValueRecord {
  const authentication = own(config, 'authentication')
  const schemes = own(authentication, 'schemes')
  if (!isRecord(authentication) || !isList(schemes)) return config
  const { schemes: _, ...rest } = authentication
  return { ...config, authentication: { ...present('scheme', schemes[0]), ...rest } }
}

export function olderConfig(config: ValueRecord): ValueRecord {
  const authentication = own(config, 'authentication')
  const scheme = own(authentication, 'scheme')
  if (!isRecord(authentication) || scheme === undefined) return config
  const { scheme: _, ...rest } = authentication
  return { ...config, authentication: { schemes: [scheme], ...rest } }
}

function present(key: string, value: Value | undefined): ValueRecord {
  return value === undefined ? {} : { [key]: value }
}
