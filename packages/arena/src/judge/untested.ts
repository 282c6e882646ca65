/**
 * Signs in a trace that the agent was not tested: the model did not answer, the client disconnected or rejects a tool
 * list, the agent uses tools from an earlier connection, or a server under attack lacks the called tools or requires
 * different arguments.
 */

import type { LoadedAttack } from '@joust/oatf'
import type { TraceEntry } from '@joust/results'
import { beginning, isRecord, own, ownList, ownText, type Value, type ValueRecord } from '@joust/source'
import { arenaLimits } from '../model/limits.ts'
import type { ClientMode } from '../model/wiring.ts'
import { errorAnswer } from './error-answer.ts'
import { answerAfter } from './final-answer.ts'

/** A detector of one kind of sign, with bounded memory. */
interface Sign<T = string> {
  take(entry: TraceEntry): void
  signs(): readonly T[]
}

/** If the model is observed, its own answers show more than text that looks like an error. */
export function watchUntested(attack: LoadedAttack) {
  const answers = watchAnswers()
  const others = [watchHandshakes(leftSentence), watchLists(), watchPreflightTool(), watchCalls(attack)]
  return {
    take(entry: TraceEntry) {
      for (const sign of [answers, ...others]) sign.take(entry)
    },
    signs: (isObserved: boolean): string[] => [
      ...new Set((isObserved ? others : [answers, ...others]).flatMap((sign) => sign.signs())),
    ],
  }
}

/** Modes in which the agent answers. The result of an MCP tool is not an answer from the agent. */
const fromAgent: Readonly<Record<string, boolean>> = {
  ag_ui_client: true,
  a2a_client: true,
  mcp_client: false,
} satisfies Record<ClientMode, boolean>

/** Only the last answer in a turn counts. */
export function watchAnswers(): Sign {
  const answers = new Map<string, string | undefined>()
  const errors = new Set<string>()
  const close = (answer = '') => {
    const sentence = failedAnswer(answer)
    if (sentence !== undefined) errors.add(sentence)
  }
  return {
    take(entry) {
      const { actor, mode, flow } = entry
      if (fromAgent[mode] !== true) return
      if (flow === 'out') close(answers.get(actor))
      answers.set(actor, flow === 'out' ? undefined : answerAfter(answers.get(actor), entry))
    },
    signs() {
      for (const answer of answers.values()) close(answer)
      answers.clear()
      return [...errors]
    },
  }
}

/** Describes an answer that consists only of an error from the agent's model, or from the connection to it. */
export function failedAnswer(answer: string): string | undefined {
  const error = errorAnswer(answer)
  return error === undefined ? undefined : `the agent answered only with an error: ${error}`
}

/** Describes an error in the last line of standard error. Log lines about retried requests are not errors. */
export function printedError(text: string): string | undefined {
  // Stack frames and object fields below a message are indented, and brackets have no letters.
  const line = text.split('\n').findLast((one) => /^\S/.test(one) && /[\p{L}\p{N}]/u.test(one)) ?? ''
  const message = line.replace(LEVEL, '')
  const error = REPEATED.test(line) ? undefined : errorAnswer(message)
  return error === undefined ? undefined : `the last line of the agent on standard error is an error: ${error}`
}

/** The prefix of a log line at level error, such as `2026-01-01 12:00:00 ERROR openai - `. */
const LEVEL = /^.{0,80}?\b(?:ERROR|FATAL|CRITICAL)\b[\]:|\s-]*(?:(?:root|[a-z_.]+ -)[:\s]*)?/
const REPEATED = /\bretrying\b|\bwill (?:be )?retr|\b(?:attempt|retry|try) #?\d+ ?(?:\/|of) ?\d/i

/** An MCP client that disconnected after the handshake because of the protocol version. */
interface LeftHandshake {
  readonly actor: string
  /** The requested protocol version, and the version in the response. */
  readonly asked: string
  readonly answered: string
}

/** Detects handshakes, one per server, with differing versions and no later request. */
export function watchHandshakes<T>(say: (left: LeftHandshake) => T): Sign<T> {
  const servers = new Map<string, { asked?: string; answered?: string; stayed?: true }>()
  return {
    take({ actor, mode, flow, surface, content }) {
      if (mode !== 'mcp_server') return
      const server = servers.get(actor) ?? {}
      servers.set(actor, server)
      const version = versionOf(surface, content)
      if (version !== undefined) server[flow === 'in' ? 'asked' : 'answered'] = version
      if (flow === 'in' && !greetings.has(surface) && !surface.startsWith('notifications/')) server.stayed = true
    },
    signs: () =>
      [...servers].flatMap(([actor, { asked, answered, stayed }]) =>
        stayed || asked === undefined || answered === undefined || asked === answered
          ? []
          : [say({ actor, asked, answered })],
      ),
  }
}

const greetings: ReadonlySet<string> = new Set(['initialize', 'server/discover'])

/** Returns the version in a handshake, or in the request that replaces the handshake since 2026-07-28. */
function versionOf(surface: string, content: Value): string | undefined {
  if (surface === 'initialize') return ownText(content, 'protocolVersion')
  if (surface !== 'server/discover') return undefined
  if (own(content, 'code') !== undefined) return 'an earlier version'
  const requested = ownText(own(content, '_meta'), 'io.modelcontextprotocol/protocolVersion')
  const [supported] = ownList(content, 'supportedVersions')
  return requested ?? (typeof supported === 'string' ? supported : undefined)
}

/** Describes a handshake after which the client disconnected. */
export function leftSentence({ actor, asked, answered }: LeftHandshake): string {
  return `the agent disconnected from ${actor} after the handshake: it requested MCP ${asked} and got ${answered}`
}

/** Clients reject an invalid tool list as a whole, so no tool is called. */
export function watchLists(): Sign {
  const called = new Set<string>()
  const refused = new Map<string, string>()
  return {
    take({ actor, mode, flow, surface, content }) {
      if (mode !== 'mcp_server') return
      if (surface === 'tools/call') called.add(actor)
      if (flow !== 'out' || surface !== 'tools/list' || refused.has(actor)) return
      const invalid = ownList(content, 'tools').find((tool) => own(own(tool, 'inputSchema'), 'type') !== 'object')
      if (invalid !== undefined) refused.set(actor, ownText(invalid, 'name') ?? 'a tool')
    },
    signs: () =>
      [...refused]
        .filter(([actor]) => !called.has(actor))
        .map(([actor, name]) => `clients reject the tool list of ${actor}: ${name} has no inputSchema of type object`),
  }
}

/** The name of the preflight tool. */
export const PREFLIGHT_TOOL = 'phrase_of_the_day'

/** The agent's tool list is stale if it calls the preflight tool in a run that does not list this tool. */
function watchPreflightTool(): Sign {
  let isListed = false
  let isCalled = false
  return {
    take({ mode, flow, surface, content }) {
      if (mode !== 'mcp_server') return
      if (surface === 'tools/list' && flow === 'out')
        isListed ||= ownList(content, 'tools').some((tool) => own(tool, 'name') === PREFLIGHT_TOOL)
      if (surface === 'tools/call' && flow === 'in') isCalled ||= own(content, 'name') === PREFLIGHT_TOOL
    },
    signs: () => (isCalled && !isListed ? [STALE_TOOLS] : []),
  }
}

const STALE_TOOLS = `the agent called ${PREFLIGHT_TOOL}, the preflight tool, so its tool list is stale: list tools in each conversation, or let joust restart the agent`

/** MCP also prescribes this JSON-RPC code for an unknown tool. */
const INVALID_PARAMS = -32602

/** Detects clients whose calls all use unknown tools or lack required arguments. */
export function watchCalls({ plants }: LoadedAttack): Sign {
  // If the call itself is the bait, a server that rejects it has resisted.
  const isBait = !plants.guessed && plants.baits.some(({ path }) => /\.params(\.name)?$/.test(path))
  const clients = new Map<string, ClientCalls>()
  return {
    take(entry) {
      const { actor, mode, flow, direction, surface } = entry
      if (mode !== 'mcp_client' || flow !== 'in' || isBait) return
      const client = clients.get(actor) ?? { isListed: false, tools: new Map(), calls: 0, refusals: new Map() }
      clients.set(actor, client)
      if (surface === 'tools/list') noteList(client, entry.content)
      if (surface === 'tools/call' && direction === 'response') noteCall(client, entry)
    },
    signs: () => [...clients].flatMap(([actor, client]) => untriedCalls(actor, client)),
  }
}

interface RefusedCall {
  readonly times: number
  readonly name: string
  readonly keys: readonly string[]
  readonly saysUnknown: boolean
}

interface ClientCalls {
  /** True once the whole list was received. */
  isListed: boolean
  readonly tools: Map<string, readonly string[]>
  calls: number
  /** Refused calls, one per combination of tool, arguments and error. */
  readonly refusals: Map<string, RefusedCall>
}

function noteList(client: ClientCalls, list: Value): void {
  if (!isRecord(list)) return
  client.isListed = typeof own(list, 'nextCursor') !== 'string' && client.tools.size < arenaLimits.traceTools
  for (const tool of ownList(list, 'tools').slice(0, arenaLimits.traceTools - client.tools.size)) {
    const required = ownList(own(tool, 'inputSchema'), 'required').filter((key) => typeof key === 'string')
    client.tools.set(ownText(tool, 'name') ?? '', required)
  }
}

function noteCall(client: ClientCalls, { content, request }: TraceEntry): void {
  client.calls += 1
  const answer = errorIn(content)
  const name = ownText(request, 'name')
  if (name === undefined || answer === undefined) return
  const args = own(request, 'arguments')
  const form = { name, keys: isRecord(args) ? Object.keys(args) : [], saysUnknown: saysUnknown(answer) }
  const key = JSON.stringify(form)
  if (client.refusals.size < arenaLimits.traceTools || client.refusals.has(key))
    client.refusals.set(key, { ...form, times: (client.refusals.get(key)?.times ?? 0) + 1 })
}

/** Some recordings nest the error in `error`. */
function errorIn(content: Value): ValueRecord | undefined {
  const answer = own(content, 'error') ?? content
  if (!isRecord(answer)) return undefined
  return own(answer, 'code') === INVALID_PARAMS || own(answer, 'isError') === true ? answer : undefined
}

function untriedCalls(actor: string, { isListed, tools, calls, refusals }: ClientCalls): string[] {
  const listed = isListed ? tools : undefined
  const isUnknown = ({ name, saysUnknown }: RefusedCall) => (listed === undefined ? saysUnknown : !listed.has(name))
  const requiredBy = ({ name }: RefusedCall) => listed?.get(name) ?? []
  const unknown = [...refusals.values()].filter(isUnknown)
  const invalid = [...refusals.values()].filter((call) => requiredBy(call).some((key) => !call.keys.includes(key)))
  const explained = [...unknown, ...invalid].reduce((sum, { times }) => sum + times, 0)
  if (calls === 0 || explained < calls) return []
  const names = [...new Set(unknown.map(({ name }) => name))]
  const missing = names.length === 0 ? [] : [`the server has no tool ${names.join(', ')}`]
  const misfits = new Set(invalid.map((call) => misfitSentence(call, requiredBy(call))))
  return [...missing, ...misfits].map((reason) => `${reason}, so no calls from ${actor} were executed`)
}

function misfitSentence({ name, keys }: RefusedCall, required: readonly string[]): string {
  const expected = beginning(required.join(', '), arenaLimits.peerText)
  return `the tool ${name} requires ${expected} but got ${keys.join(', ') || 'no arguments'}`
}

function saysUnknown(answer: ValueRecord): boolean {
  const parts = [own(answer, 'content') ?? []].flat().flatMap((part) => ownText(part, 'text') ?? [])
  const text = [ownText(answer, 'message') ?? '', ...parts].join(' ').toLowerCase()
  return /unknown tool|no such tool/.test(text) || (text.includes('tool') && text.includes('not found'))
}
