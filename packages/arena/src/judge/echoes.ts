/**
 * Attacker text that an agent returns because its protocol has a field for such text: A2A task history, AG-UI run
 * input, user messages in a snapshot or stream.
 */
import type { TraceEntry } from '@joust/results'
import { isRecord, own, ownList, ownText, type Value, type ValueRecord, writeJson } from '@joust/source'
import { arenaLimits } from '../model/limits.ts'

/** Removes returned text from a message; undefined if there is none. Must be called for all messages in order. */
type WithoutEchoes = (entry: TraceEntry) => Value | undefined

export function followEchoes(): WithoutEchoes {
  const sent = new Set<string>()
  const quoted = new Set<string>()
  const isReturned = (message: Value): boolean => {
    const role = ownText(message, 'role') ?? ''
    return OTHERS.test(role) || sent.has(keyOf(message))
  }
  const send = (messages: readonly Value[]) => {
    for (const message of messages) if (sent.size < arenaLimits.sentMessages) sent.add(keyOf(message))
  }
  return ({ mode, flow, surface, content }) => {
    if (!isRecord(content)) return undefined
    if (flow === 'out') {
      if (mode === 'ag_ui_client') send(ownList(content, 'messages'))
      if (mode === 'a2a_client') send([own(content, 'message') ?? null])
      return undefined
    }
    if (mode === 'a2a_client') return without(content, 'history', isReturned)
    if (mode !== 'ag_ui_client') return undefined
    if (surface === 'messages_snapshot') return without(content, 'messages', isReturned)
    if (surface === 'run_started') return withoutKey(content, 'input')
    if (!surface.startsWith('text_message_')) return undefined
    const id = ownText(content, 'messageId') ?? ''
    if (surface === 'text_message_start' && OTHERS.test(ownText(content, 'role') ?? '')) quoted.add(id)
    return quoted.has(id) ? withoutKey(content, 'delta') : undefined
  }
}

const OTHERS = /(?:^|_)(?:user|system|developer)$/i

function keyOf(message: Value): string {
  return writeJson([own(message, 'content') ?? null, own(message, 'parts') ?? null])
}

function without(content: ValueRecord, key: string, isReturned: (item: Value) => boolean): Value | undefined {
  const items = ownList(content, key)
  const rest = items.filter((item) => !isReturned(item))
  return rest.length === items.length ? undefined : { ...content, [key]: rest }
}

function withoutKey(content: ValueRecord, key: string): Value | undefined {
  if (!Object.hasOwn(content, key)) return undefined
  const { [key]: _, ...rest } = content
  return rest
}
