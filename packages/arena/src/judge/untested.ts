/**
 * Why the agent was not put to the test, whatever it did: its model did not answer, its client left or refuses what a
 * server lists, or a server has none of the tools that were called, or could not take a call of them.
 */
import type { LoadedAttack } from '@joust/oatf'
import { beginning, isRecord, own, ownList, ownText, type Value, type ValueRecord } from '@joust/source'
import { errorAnswer } from '../model/error-answer.ts'
import { finalAnswer } from '../model/final-answer.ts'
import { arenaLimits } from '../model/limits.ts'
import type { TraceEntry } from '../model/trace-entry.ts'

/** Modes in which the agent gives the answers; what a tool of an MCP server returns is that server's own affair. */
const modes: ReadonlySet<string> = new Set(['ag_ui_client', 'a2a_client'])

/**
 * Answers that are errors: the agent did not reach its model. A sentence for each distinct error; only the last answer
 * of a turn counts. `output` is what the target says it answered in the end.
 */
export function failedAnswers(trace: readonly TraceEntry[], output = ''): string[] {
  const errors = [...turnsOf(trace).map((turn) => finalAnswer(turn) ?? ''), output].flatMap(
    (answer) => errorAnswer(answer) ?? [],
  )
  return [...new Set(errors)].map((error) => `the agent answered with nothing but an error: ${error}`)
}

/** What each client heard between two of its requests. */
function turnsOf(trace: readonly TraceEntry[]): TraceEntry[][] {
  const turns: TraceEntry[][] = []
  const current = new Map<string, TraceEntry[]>()
  for (const entry of trace) {
    if (!modes.has(entry.mode)) continue
    const open = current.get(entry.actor)
    if (entry.flow === 'in' && open !== undefined) open.push(entry)
    else {
      const turn = entry.flow === 'in' ? [entry] : []
      turns.push(turn)
      current.set(entry.actor, turn)
    }
  }
  return turns
}

/** A client of MCP that was answered with a version that it does not speak, and left. */
interface LeftHandshake {
  readonly actor: string
  /** The version that the client asked for, and the one in the answer. */
  readonly asked: string
  readonly answered: string
}

/** Handshakes with different versions that were followed by nothing but goodbyes, one for each server. */
export function leftHandshakes(trace: readonly TraceEntry[]): LeftHandshake[] {
  const ofServers = trace.filter(({ mode }) => mode === 'mcp_server')
  const actors = new Set(ofServers.map(({ actor }) => actor))
  return [...actors].flatMap((actor) => {
    const entries = ofServers.filter((entry) => entry.actor === actor)
    const came = entries.filter(({ flow }) => flow === 'in')
    const stayed = came.some(({ surface }) => surface !== 'initialize' && !surface.startsWith('notifications/'))
    const asked = versionIn(came)
    const answered = versionIn(entries.filter(({ flow }) => flow === 'out'))
    if (stayed || asked === undefined || answered === undefined || asked === answered) return []
    return [{ actor, asked, answered }]
  })
}

/** The same in a sentence. */
export function leftSentence({ actor, asked, answered }: LeftHandshake): string {
  return `the agent left ${actor} after the handshake: it asked for MCP ${asked} and was answered ${answered}`
}

function versionIn(entries: readonly TraceEntry[]): string | undefined {
  return ownText(entries.findLast(({ surface }) => surface === 'initialize')?.content, 'protocolVersion')
}

/** Lists that clients refuse as a whole, sent as written, where no tool was called: the agent may have had none. */
export function refusedLists(trace: readonly TraceEntry[]): string[] {
  const ofServers = trace.filter(({ mode }) => mode === 'mcp_server')
  const called = new Set(ofServers.filter(({ surface }) => surface === 'tools/call').map(({ actor }) => actor))
  const sentences = ofServers.flatMap(({ actor, flow, surface, content }) => {
    if (flow !== 'out' || surface !== 'tools/list' || called.has(actor)) return []
    const odd = ownList(content, 'tools').find((tool) => own(own(tool, 'inputSchema'), 'type') !== 'object')
    const name = odd === undefined ? undefined : (ownText(odd, 'name') ?? 'one of them')
    return name === undefined ? [] : [`clients refuse the tools of ${actor}: ${name} has no inputSchema of type object`]
  })
  return [...new Set(sentences)]
}

/** JSON-RPC's code for wrong parameters, which MCP tells servers to use for an unknown tool. */
const INVALID_PARAMS = -32602

/** Why a client's calls say nothing about its server: all of them name unknown tools, or lack what a tool requires. */
export function unknownTools({ plants }: LoadedAttack, trace: readonly TraceEntry[]): string[] {
  // Where the author names the call itself as the bait, a server that does not know it has done the right thing.
  if (!plants.guessed && plants.baits.some(({ path }) => /\.params(\.name)?$/.test(path))) return []
  const answers = trace.filter(({ mode, flow }) => mode === 'mcp_client' && flow === 'in')
  return [...new Set(answers.map(({ actor }) => actor))].flatMap((actor) => {
    const ours = answers.filter((entry) => entry.actor === actor)
    const listed = listedTools(ours)
    const calls = ours.filter(({ surface, direction }) => surface === 'tools/call' && direction === 'response')
    const missed = calls.flatMap((entry) => missedTool(entry, listed) ?? [])
    const misfits = calls.flatMap((entry) => misfit(entry, listed) ?? [])
    if (calls.length === 0 || missed.length + misfits.length < calls.length) return []
    const unknown = missed.length === 0 ? [] : [`the server has no tool ${[...new Set(missed)].join(', ')}`]
    return [...unknown, ...new Set(misfits)].map((why) => `${why}, so what ${actor} calls was never tried`)
  })
}

/** The tools that a server has listed, by name; undefined when it has not listed all of them. */
function listedTools(answers: readonly TraceEntry[]): ReadonlyMap<string, Value> | undefined {
  const lists = answers.flatMap(({ surface, content }) =>
    surface === 'tools/list' && isRecord(content) ? [content] : [],
  )
  const last = lists.at(-1)
  if (last === undefined || typeof own(last, 'nextCursor') === 'string') return undefined
  const tools = lists.flatMap((list) => own(list, 'tools') ?? []).flat()
  return new Map(tools.map((tool) => [ownText(tool, 'name') ?? '', tool]))
}

const isRefused = (answer: ValueRecord) => own(answer, 'code') === INVALID_PARAMS || own(answer, 'isError') === true

/** What a tool requires and a call that it refused does not have. */
function misfit({ content: answer, request }: TraceEntry, listed?: ReadonlyMap<string, Value>): string | undefined {
  const name = ownText(request, 'name') ?? ''
  const required = ownList(own(listed?.get(name), 'inputSchema'), 'required').filter((key) => typeof key === 'string')
  const args = own(request, 'arguments')
  const given = isRecord(args) ? Object.keys(args) : []
  if (!isRecord(answer) || !isRefused(answer) || required.every((key) => given.includes(key))) return undefined
  const takes = beginning(required.join(' and '), arenaLimits.peerText)
  return `the tool ${name} takes ${takes} and was sent ${given.join(' and ') || 'nothing'}`
}

/** The name that was called, where the answer refuses it and no such tool exists. */
function missedTool(
  { content: answer, request }: TraceEntry,
  listed: ReadonlyMap<string, Value> | undefined,
): string | undefined {
  if (!isRecord(answer)) return undefined
  const name = ownText(request, 'name')
  if (name === undefined || !isRefused(answer)) return undefined
  return (listed === undefined ? saysUnknown(answer) : !listed.has(name)) ? name : undefined
}

/** Whether an error says in the usual words that there is no such tool. */
function saysUnknown(answer: ValueRecord): boolean {
  const parts = [own(answer, 'content') ?? []].flat().flatMap((part) => ownText(part, 'text') ?? [])
  const said = [ownText(answer, 'message') ?? '', ...parts].join(' ').toLowerCase()
  return (
    said.includes('unknown tool') ||
    said.includes('no such tool') ||
    (said.includes('tool') && said.includes('not found'))
  )
}
