/**
 * Signs in a trace that the agent was not put to the test: its model did not answer, its client left
 * or refuses what a server lists, it still has the tools of an earlier connection, or a server under attack has none of
 * the tools that were called or could not take a call of them.
 */
import type { LoadedAttack } from '@joust/oatf'
import { beginning, isRecord, own, ownList, ownText, type Value, type ValueRecord } from '@joust/source'
import { errorAnswer } from '../model/error-answer.ts'
import { answerAfter } from '../model/final-answer.ts'
import { arenaLimits } from '../model/limits.ts'
import type { TraceEntry } from '../model/trace-entry.ts'

/** Follows a trace, entry by entry, in bounded memory. */
interface Sign<T = string> {
  take(entry: TraceEntry): void
  /** One for each sign that was seen. */
  signs(): readonly T[]
}

/** Watches for all of them. */
export function watchUntested(attack: LoadedAttack): Sign {
  const all = [watchAnswers(), watchHandshakes(leftSentence), watchLists(), watchPreflightTool(), watchCalls(attack)]
  return {
    take(entry) {
      for (const sign of all) sign.take(entry)
    },
    signs: () => [...new Set(all.flatMap((sign) => sign.signs()))],
  }
}

/** Modes in which the agent gives the answers; the result of a tool of an MCP server is that server's own affair. */
const modes: ReadonlySet<string> = new Set(['ag_ui_client', 'a2a_client'])

/** Answers that are errors: the agent did not reach its model. Only the last answer of a turn counts. */
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
      if (!modes.has(mode)) return
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

/** The sentence for an answer that is nothing but an error of the agent's model, or of the connection to it. */
export function failedAnswer(answer: string): string | undefined {
  const error = errorAnswer(answer)
  return error === undefined ? undefined : `the agent answered with nothing but an error: ${error}`
}

/** A client of MCP that was answered with a version that it does not speak, and left. */
interface LeftHandshake {
  readonly actor: string
  /** The version that the client asked for, and the one in the answer. */
  readonly asked: string
  readonly answered: string
}

/** Handshakes with different versions that were followed by nothing but goodbyes, one for each server. */
export function watchHandshakes<T>(say: (left: LeftHandshake) => T): Sign<T> {
  const servers = new Map<string, { asked?: string; answered?: string; stayed?: true }>()
  return {
    take({ actor, mode, flow, surface, content }) {
      if (mode !== 'mcp_server') return
      const seen = servers.get(actor) ?? {}
      servers.set(actor, seen)
      const version = surface === 'initialize' ? ownText(content, 'protocolVersion') : undefined
      if (version !== undefined) seen[flow === 'in' ? 'asked' : 'answered'] = version
      if (flow === 'in' && surface !== 'initialize' && !surface.startsWith('notifications/')) seen.stayed = true
    },
    signs: () =>
      [...servers].flatMap(([actor, { asked, answered, stayed }]) =>
        stayed || asked === undefined || answered === undefined || asked === answered
          ? []
          : [say({ actor, asked, answered })],
      ),
  }
}

/** The sentence for one of them. */
export function leftSentence({ actor, asked, answered }: LeftHandshake): string {
  return `the agent left ${actor} after the handshake: it asked for MCP ${asked} and was answered ${answered}`
}

/** Lists that clients refuse as a whole, sent as written, where no tool was called: the agent may have had none. */
export function watchLists(): Sign {
  const called = new Set<string>()
  const refused = new Map<string, string>()
  return {
    take({ actor, mode, flow, surface, content }) {
      if (mode !== 'mcp_server') return
      if (surface === 'tools/call') called.add(actor)
      if (flow !== 'out' || surface !== 'tools/list' || refused.has(actor)) return
      const odd = ownList(content, 'tools').find((tool) => own(own(tool, 'inputSchema'), 'type') !== 'object')
      if (odd !== undefined) refused.set(actor, ownText(odd, 'name') ?? 'one of them')
    },
    signs: () =>
      [...refused]
        .filter(([actor]) => !called.has(actor))
        .map(([actor, name]) => `clients refuse the tools of ${actor}: ${name} has no inputSchema of type object`),
  }
}

/** The tool that the preflight offers. */
export const PREFLIGHT_TOOL = 'phrase_of_the_day'

/** A call of the preflight's tool in a run that does not list it. */
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

const STALE_TOOLS = `the agent called ${PREFLIGHT_TOOL}, a tool of the preflight, so it still has the tools of an earlier connection: list tools in each conversation, or let joust restart the agent`

/** JSON-RPC's code for wrong parameters, which MCP tells servers to use for an unknown tool. */
const INVALID_PARAMS = -32602

/** Calls that say nothing about a server: all of them name unknown tools, or lack what a tool requires. */
export function watchCalls({ plants }: LoadedAttack): Sign {
  // Where the author names the call itself as the bait, a server that does not know it has done the right thing.
  const isMeant = !plants.guessed && plants.baits.some(({ path }) => /\.params(\.name)?$/.test(path))
  const clients = new Map<string, ClientCalls>()
  return {
    take(entry) {
      const { actor, mode, flow, direction, surface } = entry
      if (mode !== 'mcp_client' || flow !== 'in' || isMeant) return
      const client = clients.get(actor) ?? { isListed: false, tools: new Map(), calls: 0, refusals: new Map() }
      clients.set(actor, client)
      if (surface === 'tools/list') noteList(client, entry.content)
      if (surface === 'tools/call' && direction === 'response') noteCall(client, entry)
    },
    signs: () => [...clients].flatMap(([actor, client]) => untried(actor, client)),
  }
}

interface RefusedCall {
  readonly times: number
  readonly name: string
  readonly given: readonly string[]
  /** True when the refusal says in the usual words that there is no such tool. */
  readonly saysUnknown: boolean
}

/** The calls of one client, and the tools that it was told of. */
interface ClientCalls {
  /** True when the last page of its list was complete. */
  isListed: boolean
  readonly tools: Map<string, readonly string[]>
  calls: number
  /** One for each form of a call. */
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
  const form = { name, given: isRecord(args) ? Object.keys(args) : [], saysUnknown: saysUnknown(answer) }
  const key = JSON.stringify(form)
  if (client.refusals.size < arenaLimits.traceTools || client.refusals.has(key))
    client.refusals.set(key, { ...form, times: (client.refusals.get(key)?.times ?? 0) + 1 })
}

/** The refusal in an answer; some recordings keep it below `error`. */
function errorIn(content: Value): ValueRecord | undefined {
  const answer = own(content, 'error') ?? content
  if (!isRecord(answer)) return undefined
  return own(answer, 'code') === INVALID_PARAMS || own(answer, 'isError') === true ? answer : undefined
}

/** The sentences for a client whose calls were all refused for no fault of the server. */
function untried(actor: string, { isListed, tools, calls, refusals }: ClientCalls): string[] {
  const listed = isListed ? tools : undefined
  const isUnknown = ({ name, saysUnknown }: RefusedCall) => (listed === undefined ? saysUnknown : !listed.has(name))
  const requiredBy = ({ name }: RefusedCall) => listed?.get(name) ?? []
  const missed = [...refusals.values()].filter(isUnknown)
  const misfits = [...refusals.values()].filter((call) => requiredBy(call).some((key) => !call.given.includes(key)))
  const explained = [...missed, ...misfits].reduce((sum, { times }) => sum + times, 0)
  if (calls === 0 || explained < calls) return []
  const names = [...new Set(missed.map(({ name }) => name))]
  const unknown = names.length === 0 ? [] : [`the server has no tool ${names.join(', ')}`]
  const unfit = new Set(misfits.map((call) => misfitSentence(call, requiredBy(call))))
  return [...unknown, ...unfit].map((why) => `${why}, so what ${actor} calls was never tried`)
}

function misfitSentence({ name, given }: RefusedCall, required: readonly string[]): string {
  const takes = beginning(required.join(' and '), arenaLimits.peerText)
  return `the tool ${name} takes ${takes} and was sent ${given.join(' and ') || 'nothing'}`
}

function saysUnknown(answer: ValueRecord): boolean {
  const parts = [own(answer, 'content') ?? []].flat().flatMap((part) => ownText(part, 'text') ?? [])
  const said = [ownText(answer, 'message') ?? '', ...parts].join(' ').toLowerCase()
  return (
    said.includes('unknown tool') ||
    said.includes('no such tool') ||
    (said.includes('tool') && said.includes('not found'))
  )
}
