/** An agent's calls and the text in their arguments. */
import { roleOf } from '@joust/oatf'
import type { TraceEntry } from '@joust/results'
import { isList, isRecord, own, ownText, type Path, parseJson, type Value } from '@joust/source'
import { arenaLimits } from '../model/limits.ts'
import { isValueKey } from './distinctive.ts'

export interface FlowCall {
  /** The name of the tool, resource, prompt or agent. */
  readonly name: string
  readonly arguments: readonly CallArgument[]
}

interface CallArgument {
  readonly path: Path
  readonly text: string
  /** True for a string; false for a number, or a key that holds a value. */
  readonly isText: boolean
}

/** Returns undefined for messages that are not calls. `onLimit` is called if the arguments exceed the limit. */
export function callIn(entry: TraceEntry, onLimit: () => void): FlowCall | undefined {
  const { flow, mode, direction, surface, content, actor, malformed } = entry
  if (flow !== 'in' || malformed !== undefined) return undefined
  if (mode === 'ag_ui_client') return surface === 'tool_call_end' ? clientToolCall(entry, onLimit) : undefined
  if (roleOf(mode) !== 'server' || direction !== 'request') return undefined
  const name = ownText(content, 'name') ?? surface
  if (surface === 'tools/call' || surface === 'prompts/get')
    return { name, arguments: textsIn(own(content, 'arguments') ?? null, [], onLimit) }
  if (surface === 'resources/read') {
    const uri = ownText(content, 'uri')
    return uri === undefined ? undefined : { name: surface, arguments: [{ path: ['uri'], text: uri, isText: true }] }
  }
  if (surface !== 'message/send' && surface !== 'message/stream') return undefined
  return { name: actor, arguments: textsIn(own(own(content, 'message'), 'parts') ?? null, ['message'], onLimit) }
}

function clientToolCall({ content, arguments: whole }: TraceEntry, onLimit: () => void): FlowCall | undefined {
  const name = ownText(content, 'toolCallName')
  if (name === undefined || whole === undefined) return undefined
  return { name, arguments: textsIn(parseJson(whole) ?? whole, [], onLimit) }
}

function textsIn(value: Value, at: Path, onLimit: () => void): CallArgument[] {
  const texts: CallArgument[] = []
  let room: number = arenaLimits.flowArguments
  const pending: { readonly value: Value; readonly path: Path }[] = [{ value, path: at }]
  const take = (whole: string, path: Path, isText: boolean) => {
    const text = whole.slice(0, room)
    if (text.length < whole.length) onLimit()
    room -= text.length
    if (text !== '') texts.push({ path, text, isText })
  }
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value: here, path } = next
    if (typeof here === 'string' || typeof here === 'number' || typeof here === 'bigint')
      take(String(here), path, typeof here === 'string')
    else if (isList(here)) {
      for (let index = here.length - 1; index >= 0; index--)
        pending.push({ value: here[index] ?? null, path: [...path, index] })
    } else if (isRecord(here)) {
      for (const key of Object.keys(here).reverse()) {
        if (isValueKey(key)) take(key, [...path, key], false)
        pending.push({ value: own(here, key) ?? null, path: [...path, key] })
      }
    }
  }
  return texts
}
