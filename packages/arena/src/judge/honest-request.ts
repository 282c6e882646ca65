/** Honest requests to a server under attack. The server is alive if it answers one of these requests. */
import type { TraceEntry } from '@joust/results'
import { isList, isRecord, own, ownList, ownText, type Value, type ValueRecord, writeJson } from '@joust/source'
import type { Probe } from '../model/probe.ts'

/**
 * True if the server answers a ping or lists its tools. If every call in the run failed, the server must also handle an
 * honest call to the same tool differently: a server that answers all calls with the same error does not work.
 */
export async function answersHonestRequest(probe: Probe, entries: readonly TraceEntry[]): Promise<boolean> {
  const list = await probe('tools/list', {})
  const isListed = list !== undefined && !list.failed
  const ping = isListed ? undefined : await probe('ping', {})
  if (!isListed && (ping === undefined || ping.failed)) return false
  const calls = entries.filter(isCallAnswer)
  const [call] = calls
  if (call === undefined || !calls.every(({ content }) => isFailure(content))) return true
  const tool = ownList(list?.content, 'tools').find((one) => own(one, 'name') === own(call.request, 'name'))
  // A destructive tool is not called again.
  if (tool === undefined || own(own(tool, 'annotations'), 'destructiveHint') === true) return true
  const answer = await probe('tools/call', { name: ownText(tool, 'name') ?? '', arguments: plainArguments(tool) })
  if (answer === undefined) return false
  const failures = new Set(calls.map(({ content }) => failureText(content)))
  return !(answer.failed || isFailure(answer.content)) || !failures.has(failureText(answer.content))
}

function isCallAnswer({ mode, flow, surface, direction }: TraceEntry): boolean {
  return mode === 'mcp_client' && flow === 'in' && surface === 'tools/call' && direction === 'response'
}

function isFailure(content: Value): boolean {
  return own(content, 'isError') === true || typeof own(content, 'code') === 'number'
}

/** Removes values that vary between calls, such as times and ids. */
function failureText(content: Value): string {
  const parts = ownList(content, 'content').flatMap((part) => ownText(part, 'text') ?? [])
  const text = parts.length > 0 ? parts.join('\n') : (ownText(content, 'message') ?? writeJson(content))
  return text.replaceAll(/\d+/g, '0').trim().toLowerCase()
}

function plainArguments(tool: Value): ValueRecord {
  const schema = own(tool, 'inputSchema')
  const required = ownList(schema, 'required').filter((key) => typeof key === 'string')
  return Object.fromEntries(required.map((key) => [key, plainValue(own(own(schema, 'properties'), key))]))
}

const plainValues: Readonly<Record<string, Value>> = { number: 1, integer: 1, boolean: false, array: [], object: {} }

function plainValue(schema: Value | undefined): Value {
  if (!isRecord(schema)) return 'hello'
  const choices = own(schema, 'enum')
  const [first] = isList(choices) ? choices : []
  const type = ownText(schema, 'type') ?? ''
  return own(schema, 'default') ?? first ?? (Object.hasOwn(plainValues, type) ? (plainValues[type] ?? null) : 'hello')
}
