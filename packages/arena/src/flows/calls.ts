/** An agent's calls, and the texts of their arguments. */
import { roleOf } from '@joust/oatf'
import type { TraceEntry } from '@joust/results'
import { formatPath, isList, isRecord, own, ownText, type Path, parseJson, type Value } from '@joust/source'
import { arenaLimits } from '../model/limits.ts'

/** A call by the agent. */
export interface FlowCall {
  /** The tool, resource, prompt or agent. */
  readonly name: string
  readonly arguments: readonly CallArgument[]
}

/** A text or a number among the arguments of a call. */
interface CallArgument {
  readonly path: string
  readonly text: string
  /** False for a number. */
  readonly isText: boolean
}

/** The call in a message; undefined for other messages. */
export function callIn(entry: TraceEntry): FlowCall | undefined {
  const { flow, mode, direction, surface, content, actor, malformed } = entry
  if (flow !== 'in' || malformed !== undefined) return undefined
  if (mode === 'ag_ui_client') return surface === 'tool_call_end' ? clientToolCall(entry) : undefined
  if (roleOf(mode) !== 'server' || direction !== 'request') return undefined
  const name = ownText(content, 'name') ?? surface
  if (surface === 'tools/call' || surface === 'prompts/get')
    return { name, arguments: textsIn(own(content, 'arguments') ?? null) }
  if (surface === 'resources/read') {
    const uri = ownText(content, 'uri')
    return uri === undefined ? undefined : { name: surface, arguments: [{ path: 'uri', text: uri, isText: true }] }
  }
  if (surface !== 'message/send' && surface !== 'message/stream') return undefined
  return { name: actor, arguments: textsIn(own(own(content, 'message'), 'parts') ?? null, ['message']) }
}

function clientToolCall({ content, arguments: whole }: TraceEntry): FlowCall | undefined {
  const name = ownText(content, 'toolCallName')
  if (name === undefined || whole === undefined) return undefined
  return { name, arguments: textsIn(parseJson(whole) ?? whole) }
}

function textsIn(value: Value, at: Path = []): CallArgument[] {
  const texts: CallArgument[] = []
  let room: number = arenaLimits.flowArguments
  const pending: { readonly value: Value; readonly path: Path }[] = [{ value, path: at }]
  for (let next = pending.pop(); next !== undefined && room > 0; next = pending.pop()) {
    const { value: here, path } = next
    if (typeof here === 'string' || typeof here === 'number' || typeof here === 'bigint') {
      const text = String(here).slice(0, room)
      room -= text.length
      texts.push({ path: formatPath(path), text, isText: typeof here === 'string' })
    } else if (isList(here)) {
      for (let index = here.length - 1; index >= 0; index--)
        pending.push({ value: here[index] ?? null, path: [...path, index] })
    } else if (isRecord(here)) {
      for (const key of Object.keys(here).reverse())
        pending.push({ value: own(here, key) ?? null, path: [...path, key] })
    }
  }
  return texts
}
