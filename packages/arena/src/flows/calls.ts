/** An agent's calls, and the texts of their arguments. */
import { roleOf } from '@joust/oatf'
import type { TraceEntry } from '@joust/results'
import { isList, isRecord, own, ownText, type Path, parseJson, type Value } from '@joust/source'
import { arenaLimits } from '../model/limits.ts'
import { isValueKey } from './distinctive.ts'

/** A call by the agent. */
export interface FlowCall {
  /** The name of the tool, resource, prompt or agent. */
  readonly name: string
  readonly arguments: readonly CallArgument[]
}

/** A string or number in the arguments of a call, or a key that itself holds a value. */
interface CallArgument {
  /** Undefined if the value is the entire arguments. */
  readonly place: Place | undefined
  readonly text: string
  /** True for a string; false for a number or a key. */
  readonly isText: boolean
}

/** The place of a value: its key, and the place of the object or list around it. */
interface Place {
  readonly key: string | number
  readonly above: Place | undefined
}

/** Returns the path to a place. */
export function pathOf(place: Place | undefined): Path {
  const path: (string | number)[] = []
  for (let at = place; at !== undefined; at = at.above) path.push(at.key)
  return path.reverse()
}

/** Returns the call in a message; undefined for other messages. `onLimit` is called for arguments over the limit. */
export function callIn(entry: TraceEntry, onLimit: () => void): FlowCall | undefined {
  const { flow, mode, direction, surface, content, actor, malformed } = entry
  if (flow !== 'in' || malformed !== undefined) return undefined
  if (mode === 'ag_ui_client') return surface === 'tool_call_end' ? clientToolCall(entry, onLimit) : undefined
  if (roleOf(mode) !== 'server' || direction !== 'request') return undefined
  const name = ownText(content, 'name') ?? surface
  if (surface === 'tools/call' || surface === 'prompts/get')
    return { name, arguments: textsIn(own(content, 'arguments') ?? null, undefined, onLimit) }
  if (surface === 'resources/read') {
    const uri = ownText(content, 'uri')
    return uri === undefined
      ? undefined
      : { name: surface, arguments: [{ place: placeOf('uri'), text: uri, isText: true }] }
  }
  if (surface !== 'message/send' && surface !== 'message/stream') return undefined
  return { name: actor, arguments: textsIn(own(own(content, 'message'), 'parts') ?? null, placeOf('message'), onLimit) }
}

function clientToolCall({ content, arguments: whole }: TraceEntry, onLimit: () => void): FlowCall | undefined {
  const name = ownText(content, 'toolCallName')
  if (name === undefined || whole === undefined) return undefined
  return { name, arguments: textsIn(parseJson(whole) ?? whole, undefined, onLimit) }
}

const placeOf = (key: string | number, above?: Place): Place => ({ key, above })

interface Node {
  readonly value: Value
  readonly place: Place | undefined
}

function textsIn(value: Value, at: Place | undefined, onLimit: () => void): CallArgument[] {
  const texts: CallArgument[] = []
  let room: number = arenaLimits.flowArguments
  const pending: Node[] = [{ value, place: at }]
  const take = (whole: string, place: Place | undefined, isText: boolean) => {
    const text = whole.slice(0, room)
    if (text.length < whole.length) onLimit()
    room -= text.length
    if (text !== '') texts.push({ place, text, isText })
  }
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value: here, place } = next
    if (typeof here === 'string' || typeof here === 'number' || typeof here === 'bigint')
      take(String(here), place, typeof here === 'string')
    else if (isList(here)) {
      for (let index = here.length - 1; index >= 0; index--)
        pending.push({ value: here[index] ?? null, place: placeOf(index, place) })
    } else if (isRecord(here)) {
      const keys = Object.keys(here)
      for (let index = keys.length - 1; index >= 0; index--) {
        const key = keys[index] ?? ''
        const inner = placeOf(key, place)
        if (isValueKey(key)) take(key, inner, false)
        pending.push({ value: own(here, key) ?? null, place: inner })
      }
    }
  }
  return texts
}
