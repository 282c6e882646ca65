/** What A2A 0.3 says in the words of 1.0: the same messages under other names. Documents are written in 0.3. */
import { isRecord, own, type Value, type ValueRecord } from '@joust/source'
import { changed, changedAll } from './change.ts'

/** The methods of 0.3 by what 1.0 calls them. */
export const newerMethods: ReadonlyMap<string, string> = new Map([
  ['message/send', 'SendMessage'],
  ['message/stream', 'SendStreamingMessage'],
  ['tasks/get', 'GetTask'],
  ['tasks/list', 'ListTasks'],
  ['tasks/cancel', 'CancelTask'],
  ['tasks/resubscribe', 'SubscribeToTask'],
  ['agent/getAuthenticatedExtendedCard', 'GetExtendedAgentCard'],
])

/** A request of 0.3 in 1.0; undefined where 1.0 has no such method. */
export function newerRequest(request: ValueRecord): ValueRecord | undefined {
  const method = newerMethods.get(String(own(request, 'method')))
  if (method === undefined) return undefined
  const params = own(request, 'params')
  return {
    ...request,
    method,
    ...(params !== undefined && { params: isRecord(params) ? newerParams(params) : params }),
  }
}

function newerParams(params: ValueRecord): Value {
  return {
    ...params,
    ...changed(params, 'message', newerMessage),
    ...changed(params, 'configuration', newerConfiguration),
  }
}

function newerConfiguration({ blocking, ...rest }: ValueRecord): Value {
  return blocking === undefined ? rest : { ...rest, returnImmediately: blocking === false }
}

function newerMessage({ kind: _, ...message }: ValueRecord): Value {
  const role = own(message, 'role')
  return {
    ...message,
    ...(typeof role === 'string' && { role: `ROLE_${role.toUpperCase()}` }),
    ...changedAll(message, 'parts', newerPart),
  }
}

/** A part is known by what it holds, and a file is one of two of its fields. A part of no kind that 0.3 has stays as it is. */
function newerPart(written: ValueRecord): Value {
  const { kind, file, ...part } = written
  if (kind !== undefined && kind !== 'text' && kind !== 'file' && kind !== 'data') return written
  if (!isRecord(file)) return part
  const { uri, bytes, name, mimeType, ...rest } = file
  return {
    ...part,
    ...rest,
    ...(uri !== undefined && { url: uri }),
    ...(bytes !== undefined && { raw: bytes }),
    ...(name !== undefined && { filename: name }),
    ...(mimeType !== undefined && { mediaType: mimeType }),
  }
}

/** What 0.3 names by its `kind`, 1.0 wraps into its name; only a message is answered by one of several things. */
const wrapped: ReadonlyMap<Value | undefined, readonly [name: string, change: (result: ValueRecord) => Value]> =
  new Map([
    ['task', ['task', newerTask]],
    ['message', ['message', newerMessage]],
    ['status-update', ['statusUpdate', newerUpdate]],
    ['artifact-update', ['artifactUpdate', newerUpdate]],
  ] as const)

/** A result of 0.3 in 1.0, by the method of 0.3 that it answers. Anything else stays as it is. */
export function newerResult(method: string, result: Value): Value {
  if (!isRecord(result)) return result
  if (method === 'tasks/list') return { ...result, ...changedAll(result, 'tasks', newerTask) }
  if (method === 'tasks/get' || method === 'tasks/cancel') return newerTask(result)
  const [name, change] = wrapped.get(own(result, 'kind')) ?? []
  return name === undefined || change === undefined ? result : { [name]: change(result) }
}

function newerTask({ kind: _, ...task }: ValueRecord): Value {
  return {
    ...task,
    ...newerStatus(task),
    ...changedAll(task, 'artifacts', newerArtifact),
    ...changedAll(task, 'history', newerMessage),
  }
}

/** The end of a stream tells what `final` did. */
function newerUpdate({ kind: _, final: __, ...update }: ValueRecord): Value {
  return { ...update, ...newerStatus(update), ...changed(update, 'artifact', newerArtifact) }
}

function newerStatus(holder: ValueRecord): ValueRecord {
  return changed(holder, 'status', (status) => {
    const state = own(status, 'state')
    return {
      ...status,
      ...(typeof state === 'string' && { state: `TASK_STATE_${state.toUpperCase().replaceAll('-', '_')}` }),
      ...changed(status, 'message', newerMessage),
    }
  })
}

function newerArtifact(artifact: ValueRecord): Value {
  return { ...artifact, ...changedAll(artifact, 'parts', newerPart) }
}
