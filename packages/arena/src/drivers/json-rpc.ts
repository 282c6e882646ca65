/** JSON-RPC 2.0 messages. Any text is classified without throwing, and ids of any type are kept. */

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

/** The id may be any JSON value, including null. */
export interface JsonRpcRequest {
  readonly kind: 'request'
  readonly id: Value
  readonly method: string
  /** The params as sent, of any type; an empty object when absent. */
  readonly params: Value
  /** The message text; serialized again for an item of a batch. */
  readonly text: string
}

interface JsonRpcNotification extends Omit<JsonRpcRequest, 'kind' | 'id' | 'text'> {
  readonly kind: 'notification'
}

/** A JSON-RPC response. */
export interface JsonRpcResponse {
  readonly kind: 'response'
  readonly id: Value
  readonly failed: boolean
  /** The error object if the request failed. */
  readonly content: Value
}

/** A result or an error object. `json` is the original text if another server wrote it, and is sent unchanged. */
export type Answered = ({ readonly result: Value } | { readonly error: Value }) & { readonly json?: string }

export function contentOf(answer: Answered): Value {
  return 'result' in answer ? answer.result : answer.error
}

export interface JsonRpcMalformed {
  readonly kind: 'malformed'
  readonly text: string
  readonly reason: string
  readonly code: number
  /** The id for the error response; null if the id cannot be read. */
  readonly id: Value
}

/** A single JSON-RPC message. */
export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResponse | JsonRpcMalformed

/** Never empty. */
export interface JsonRpcBatch {
  readonly kind: 'batch'
  readonly items: readonly JsonRpcMessage[]
}

/** Lists the messages in a batch, or a single message. */
export function messagesOf(read: JsonRpcMessage | JsonRpcBatch): readonly JsonRpcMessage[] {
  return read.kind === 'batch' ? read.items : [read]
}

/** True for messages that need a response: requests and malformed text. */
export function isAnswered({ kind }: JsonRpcMessage): boolean {
  return kind === 'request' || kind === 'malformed'
}

/** Error codes defined by JSON-RPC. */
export const jsonRpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
} as const

/** Parses a message or batch; `fault` is a transport error. */
export function readMessage(text: string, maxBytes: number, fault?: string): JsonRpcMessage | JsonRpcBatch {
  const read = readValue(text, maxBytes, fault)
  if (!read.ok) return read.error
  const { value } = read
  if (!isList(value)) return classify(value, text)
  if (value.length === 0) return malformed(text, 'empty batch', jsonRpcCodes.invalidRequest)
  return { kind: 'batch', items: value.map((item) => classify(item, writeJson(item))) }
}

/** Parses JSON of limited size and depth; `fault` is a transport error. */
export function readValue(text: string, maxBytes: number, fault?: string): Result<Value, JsonRpcMalformed> {
  if (fault !== undefined) return err(malformed(text, fault, jsonRpcCodes.parseError))
  const json = readJson(text, { ...defaultLimits, yamlBytes: maxBytes })
  if (!json.ok) return err(malformed(text, json.error[0]?.message ?? 'not JSON', jsonRpcCodes.parseError))
  if (text.length > arenaLimits.messageDepth * 2 && isDeeper(json.value, arenaLimits.messageDepth))
    return err(malformed(text, `nested more than ${arenaLimits.messageDepth} levels deep`, jsonRpcCodes.invalidRequest))
  return json
}

/** Serializes a request. Absent params stay absent. */
export function writeRequest(id: Value, method: string, params?: Value): string {
  return writeJson({ jsonrpc: '2.0', id, method, params })
}

/** Serializes a notification. Absent params stay absent. */
export function writeNotification(method: string, params?: Value): string {
  return writeJson({ jsonrpc: '2.0', method, params })
}

/** Serializes a response. Any value can be a result or an error. */
export function writeAnswer(id: Value, { json, ...answer }: Answered): string {
  if (json === undefined) return writeJson({ jsonrpc: '2.0', id, ...answer })
  return `{"jsonrpc":"2.0","id":${writeJson(id)},"${'result' in answer ? 'result' : 'error'}":${onOneLine(json)}}`
}

/** Removes line breaks, which occur only between tokens and would end a message on a pipe. */
export function onOneLine(json: string): string {
  return json.replaceAll(/[\r\n]/g, ' ')
}

/** Creates an error response. */
export function failure(code: number, message: string, data?: Value): Answered {
  return { error: { code, message, ...(data !== undefined && { data }) } }
}

function classify(value: Value, text: string): JsonRpcMessage {
  const invalid = (reason: string, id: Value = null) => malformed(text, reason, jsonRpcCodes.invalidRequest, id)
  if (!isRecord(value)) return invalid('not a JSON-RPC message: expected an object')
  const id = own(value, 'id')
  const method = own(value, 'method')
  if (own(value, 'jsonrpc') !== '2.0') return invalid('not a JSON-RPC message: expected "jsonrpc": "2.0"', id)
  if (method === undefined)
    return readResponse(value, id) ?? invalid('not a JSON-RPC message: missing method, result or error', id)
  if (typeof method !== 'string') return invalid('not a JSON-RPC message: the method is not a string', id)
  const written = own(value, 'params')
  const params = written === undefined ? {} : written
  return id === undefined ? { kind: 'notification', method, params } : { kind: 'request', id, method, params, text }
}

function readResponse(value: ValueRecord, id: Value = null): JsonRpcResponse | undefined {
  const error = own(value, 'error')
  const result = own(value, 'result')
  // Some peers send both keys and set the unused key to null.
  if (error !== undefined && (error !== null || result === undefined))
    return { kind: 'response', id, failed: true, content: error }
  return result === undefined ? undefined : { kind: 'response', id, failed: false, content: result }
}

function malformed(text: string, reason: string, code: number, id: Value = null): JsonRpcMalformed {
  return { kind: 'malformed', text, reason, code, id }
}

/** Without recursion, since a peer controls the depth. */
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
