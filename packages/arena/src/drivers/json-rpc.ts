/** JSON-RPC 2.0 as it is on the wire: every text is classified, none throws, ids of any kind are kept. */
import {
  defaultLimits,
  err,
  isList,
  isRecord,
  own,
  type Result,
  readJson,
  type Value,
  type ValueRecord,
  writeJson,
} from '@joust/source'
import { arenaLimits } from '../model/limits.ts'

/** A call that wants an answer. The id may be any JSON value, null included. */
export interface JsonRpcRequest {
  readonly kind: 'request'
  readonly id: Value
  readonly method: string
  /** As sent, whatever its kind; an empty object when there was none. */
  readonly params: Value
}

/** A call that wants no answer. */
interface JsonRpcNotification extends Omit<JsonRpcRequest, 'kind' | 'id'> {
  readonly kind: 'notification'
}

/** An answer. */
export interface JsonRpcResponse {
  readonly kind: 'response'
  readonly id: Value
  readonly failed: boolean
  /** The result, or the error object when it failed. */
  readonly content: Value
}

/** What answers a call: a result, or an error object. */
export type Answered = { readonly result: Value } | { readonly error: Value }

/** The content of an answer, whichever it is. */
export function contentOf(answer: Answered): Value {
  return 'result' in answer ? answer.result : answer.error
}

/** A text that is none of these. */
export interface JsonRpcMalformed {
  readonly kind: 'malformed'
  readonly text: string
  readonly reason: string
  readonly code: number
  /** The id to answer with: null when there is none that can be read. */
  readonly id: Value
}

/** One message. */
export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResponse | JsonRpcMalformed

/** Several messages in one text; never empty. */
export interface JsonRpcBatch {
  readonly kind: 'batch'
  readonly items: readonly JsonRpcMessage[]
}

/** The messages of a text. */
export function messagesOf(read: JsonRpcMessage | JsonRpcBatch): readonly JsonRpcMessage[] {
  return read.kind === 'batch' ? read.items : [read]
}

/** Whether a peer waits for an answer: to a call, or to what could not be read. */
export function isAnswered({ kind }: JsonRpcMessage): boolean {
  return kind === 'request' || kind === 'malformed'
}

/** The error codes of JSON-RPC itself. */
export const jsonRpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
} as const

/** Reads a text; `fault` says that the transport already knows it to be broken, and why. */
export function readMessage(text: string, maxBytes: number, fault?: string): JsonRpcMessage | JsonRpcBatch {
  const read = readValue(text, maxBytes, fault)
  if (!read.ok) return read.error
  const { value } = read
  if (!isList(value)) return tellApart(value, text)
  if (value.length === 0) return malformed(text, 'an empty batch', jsonRpcCodes.invalidRequest)
  return { kind: 'batch', items: value.map((item) => tellApart(item, writeJson(item))) }
}

/** Reads any JSON that can be walked and written again safely. */
export function readValue(text: string, maxBytes: number, fault?: string): Result<Value, JsonRpcMalformed> {
  if (fault !== undefined) return err(malformed(text, fault, jsonRpcCodes.parseError))
  const json = readJson(text, { ...defaultLimits, yamlBytes: maxBytes })
  if (!json.ok) return err(malformed(text, json.error[0]?.message ?? 'not JSON', jsonRpcCodes.parseError))
  if (text.length > arenaLimits.messageDepth * 2 && isDeeper(json.value, arenaLimits.messageDepth)) {
    return err(malformed(text, `nested more than ${arenaLimits.messageDepth} levels deep`, jsonRpcCodes.invalidRequest))
  }
  return json
}

/** A call that wants an answer, as text. Absent params stay absent. */
export function writeRequest(id: Value, method: string, params?: Value): string {
  return writeJson({ jsonrpc: '2.0', id, method, params })
}

/** A call that wants no answer, as text. Absent params stay absent. */
export function writeNotification(method: string, params?: Value): string {
  return writeJson({ jsonrpc: '2.0', method, params })
}

/** An answer, as text; any value can be a result or an error. */
export function writeAnswer(id: Value, answer: Answered): string {
  return writeJson({ jsonrpc: '2.0', id, ...answer })
}

/** An answer that says what went wrong. */
export function failure(code: number, message: string): Answered {
  return { error: { code, message } }
}

function tellApart(value: Value, text: string): JsonRpcMessage {
  const invalid = (reason: string, id: Value = null) => malformed(text, reason, jsonRpcCodes.invalidRequest, id)
  if (!isRecord(value)) return invalid('not a JSON-RPC message: it is not an object')
  const id = own(value, 'id')
  const method = own(value, 'method')
  if (own(value, 'jsonrpc') !== '2.0') return invalid('not a JSON-RPC message: "jsonrpc" is not "2.0"', id)
  if (method === undefined) return readResponse(value, id) ?? invalid('neither a method nor a result nor an error', id)
  if (typeof method !== 'string') return invalid('the method is not a string', id)
  const given = own(value, 'params')
  const params = given === undefined ? {} : given
  return id === undefined ? { kind: 'notification', method, params } : { kind: 'request', id, method, params }
}

function readResponse(value: ValueRecord, id: Value = null): JsonRpcResponse | undefined {
  const error = own(value, 'error')
  const result = own(value, 'result')
  // Some peers send both keys and set the one that does not count to null.
  if (error !== undefined && (error !== null || result === undefined)) {
    return { kind: 'response', id, failed: true, content: error }
  }
  return result === undefined ? undefined : { kind: 'response', id, failed: false, content: result }
}

function malformed(text: string, reason: string, code: number, id: Value = null): JsonRpcMalformed {
  return { kind: 'malformed', text, reason, code, id }
}

/** Level by level, so that depth cannot exhaust the stack. */
function isDeeper(value: Value, levels: number): boolean {
  let level: Value[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true
    const next: Value[] = []
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue
      for (const child of Object.values(item)) next.push(child)
    }
    level = next
  }
  return false
}
