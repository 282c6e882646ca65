/** What A2A 1.0 says in the words of 0.3, which documents are written in. */
import { isList, isRecord, own, type Value, type ValueRecord } from '@joust/source'
import { changed, changedAll } from './change.ts'
import { newerMethods } from './newer.ts'

const olderMethods: ReadonlyMap<string, string> = new Map([...newerMethods].map(([older, newer]) => [newer, older]))

/** A request of 1.0 in 0.3; undefined for a method that 1.0 does not have, or 0.3 not. */
export function olderRequest(
  method: string,
  params: Value,
): { readonly method: string; readonly params: Value } | undefined {
  const older = olderMethods.get(method)
  if (older === undefined) return undefined
  if (!isRecord(params)) return { method: older, params }
  const changes = {
    ...changed(params, 'message', olderMessage),
    ...changed(params, 'configuration', olderConfiguration),
  }
  return { method: older, params: { ...params, ...changes } }
}

function olderConfiguration({ returnImmediately, ...rest }: ValueRecord): Value {
  return returnImmediately === undefined ? rest : { ...rest, blocking: returnImmediately !== true }
}

/** An answer of 1.0, or one message of a stream, in 0.3. */
export function olderResponse(response: Value): Value {
  return isRecord(response) ? { ...response, ...changed(response, 'result', olderResult) } : response
}

/** What 1.0 wraps into its name has the name as `kind` in 0.3. */
function olderResult(result: ValueRecord): Value {
  const [task, message, status, artifact] = ['task', 'message', 'statusUpdate', 'artifactUpdate'].map((name) =>
    own(result, name),
  )
  if (isRecord(task)) return olderTask(task)
  if (isRecord(message)) return olderMessage(message)
  if (isRecord(status)) return { kind: 'status-update', final: isFinal(status), ...status, ...olderStatus(status) }
  if (isRecord(artifact))
    return { kind: 'artifact-update', ...artifact, ...changed(artifact, 'artifact', olderArtifact) }
  if (isList(own(result, 'tasks'))) return { ...result, ...changedAll(result, 'tasks', olderTask) }
  return isRecord(own(result, 'status')) ? olderTask(result) : result
}

function olderTask(task: ValueRecord): Value {
  return {
    kind: 'task',
    ...task,
    ...olderStatus(task),
    ...changedAll(task, 'artifacts', olderArtifact),
    ...changedAll(task, 'history', olderMessage),
  }
}

function olderStatus(holder: ValueRecord): ValueRecord {
  return changed(holder, 'status', (status) => {
    const state = own(status, 'state')
    return {
      ...status,
      ...(typeof state === 'string' && { state: olderState(state) }),
      ...changed(status, 'message', olderMessage),
    }
  })
}

function olderState(state: string): string {
  return state
    .replace(/^TASK_STATE_/, '')
    .toLowerCase()
    .replaceAll('_', '-')
}

const ends: ReadonlySet<string> = new Set(['completed', 'failed', 'canceled', 'rejected'])

function isFinal(update: ValueRecord): boolean {
  const status = own(update, 'status')
  return isRecord(status) && ends.has(olderState(String(own(status, 'state'))))
}

function olderArtifact(artifact: ValueRecord): Value {
  return { ...artifact, ...changedAll(artifact, 'parts', olderPart) }
}

function olderMessage(message: ValueRecord): Value {
  const role = own(message, 'role')
  return {
    kind: 'message',
    ...message,
    ...(typeof role === 'string' && { role: role.replace(/^ROLE_/, '').toLowerCase() }),
    ...changedAll(message, 'parts', olderPart),
  }
}

function olderPart(part: ValueRecord): Value {
  const { url, raw, filename, mediaType, ...rest } = part
  if (own(rest, 'text') !== undefined) return { kind: 'text', ...rest }
  if (url === undefined && raw === undefined) return { kind: 'data', ...rest }
  const file = {
    ...(url !== undefined && { uri: url }),
    ...(raw !== undefined && { bytes: raw }),
    ...(filename !== undefined && { name: filename }),
    ...(mediaType !== undefined && { mimeType: mediaType }),
  }
  return { kind: 'file', ...rest, file }
}
