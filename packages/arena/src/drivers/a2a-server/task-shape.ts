/** What a response content is, and what it lacks to be found again (§7.2.4). Everything else goes out as written. */
import { isList, isRecord, own, type Value, type ValueRecord } from '@joust/source'

/** A content, told apart. */
export type Shaped =
  | { readonly kind: 'task'; readonly content: ValueRecord }
  | { readonly kind: 'message'; readonly content: ValueRecord }
  | { readonly kind: 'raw'; readonly content: Value }

/** Ids for what leaves them out. */
interface Ids {
  readonly taskId: () => string
  readonly contextId: () => string
  readonly messageId: () => string
}

/** Tells a content apart; a Task gets the `id`, `contextId` and `kind`, a Message the `messageId` and `kind` it leaves out. */
export function complete(content: Value, ids: Ids): Shaped {
  if (!isRecord(content)) return { kind: 'raw', content }
  if (isMessage(content)) {
    return { kind: 'message', content: withMissing(content, { messageId: ids.messageId, kind: () => 'message' }) }
  }
  if (!isTask(content)) return { kind: 'raw', content }
  const missing = { id: ids.taskId, contextId: ids.contextId, kind: () => 'task' }
  return { kind: 'task', content: withMissing(content, missing) }
}

function isMessage(content: ValueRecord): boolean {
  const kind = own(content, 'kind')
  return kind === 'message' || (kind === undefined && isList(own(content, 'parts')))
}

/** A `status` that is not a mapping is wrong on purpose: such a content is left alone. */
function isTask(content: ValueRecord): boolean {
  const kind = own(content, 'kind')
  if (kind !== undefined && kind !== 'task') return false
  const status = own(content, 'status')
  return status === undefined ? isList(own(content, 'artifacts')) || isList(own(content, 'history')) : isRecord(status)
}

function withMissing(content: ValueRecord, missing: Readonly<Record<string, () => string>>): ValueRecord {
  const absent = Object.entries(missing).filter(([key]) => own(content, key) === undefined)
  return absent.length === 0
    ? content
    : { ...content, ...Object.fromEntries(absent.map(([key, make]) => [key, make()])) }
}
