/** The preflight: checks that the target can use a tool, or answer at all. A broken target seems to resist everything. */

import type { AttackOptions } from '@joust/arena'
import { type AttackNeeds, type AttackRun, needsOf, runAttack, watchHandshakes } from '@joust/arena'
import type { LoadedAttack } from '@joust/oatf'
import type { PreflightQuestion, ResultPreflight } from '@joust/results'
import type { UserMode } from '../chat/user-request.ts'
import { targetLimits } from '../limits.ts'
import { preflightDocument } from './document.ts'
import { answerFaults, toolFaults } from './reasons.ts'

interface PreflightOptions {
  readonly optionsFor: (attack: LoadedAttack) => Promise<AttackOptions>
  /** The reason to skip the preflight. */
  readonly skip: string | undefined
  readonly onStart: () => void
}

const userModes: readonly UserMode[] = ['ag_ui_client', 'a2a_client']

/** Runs the preflight, with a tool call if an attack has tools, else with an answer. Undefined if none is needed. */
export async function runPreflight(
  attacks: readonly LoadedAttack[],
  { optionsFor, skip, onStart }: PreflightOptions,
): Promise<ResultPreflight | undefined> {
  const [first] = attacks
  if (first === undefined) return undefined
  const base = await optionsFor(first)
  if (base.target?.preflight === undefined) return undefined
  const needs = attacks.map((attack) => needsOf(attack)).filter((needed) => lackOf(base, needed).length === 0)
  if (needs.length === 0) return undefined
  const skipReason = skip ?? reasonToSkip(base)
  if (skipReason !== undefined) return { status: 'skipped', reasons: [skipReason] }
  const servers = base.target.preflight === 'tool_call' ? serversIn(needs) : []
  const phrase = newPhrase()
  const [attack] = modesFor(needs)
    .map((mode) => preflightDocument(mode, servers, phrase))
    .filter((document) => lackOf(base, needsOf(document)).length === 0)
  if (attack === undefined) return { status: 'skipped', reasons: [NO_CHAT] }
  onStart()
  const { replyMs = 0, runMs = Number.POSITIVE_INFINITY } = base.limits ?? {}
  const limitMs = Math.min(Math.max(targetLimits.preflightMs, replyMs), runMs)
  const play = async (mcpVersion?: string) => {
    const limits = { ...base.limits, runMs: limitMs, phaseMs: limitMs, graceMs: 0 }
    const options = { ...(await optionsFor(attack)), limits }
    return runAttack(attack, mcpVersion === undefined ? options : { ...options, mcpVersion })
  }
  const question = servers.length > 0 ? 'tool_call' : 'answer'
  const faultsOf = (played: AttackRun) =>
    question === 'answer' ? answerFaults(played, limitMs) : toolFaults(played, phrase, limitMs)
  const run = await play()
  const older = base.mcpVersion === undefined ? olderVersion(run) : undefined
  const again = older === undefined ? undefined : await play(older)
  return resultOf(again ?? run, question, faultsOf(again ?? run), again === undefined ? undefined : older)
}

const NO_CHAT = 'the agent has no chat interface for a user'

function resultOf(
  { duration_ms, output }: AttackRun,
  question: PreflightQuestion,
  faults: readonly string[],
  version: string | undefined,
): ResultPreflight {
  return {
    status: faults.length === 0 ? 'passed' : 'failed',
    asked: question,
    reasons: faults,
    duration_ms,
    ...(output !== undefined && output !== '' && { answer: output }),
    ...(version !== undefined && faults.length === 0 && { mcp_version: version }),
  }
}

/** The names of the server actors of the first attack whose servers are all MCP servers; empty if there is none. */
function serversIn(needs: readonly AttackNeeds[]): readonly string[] {
  const first = needs.find(({ servers }) => servers.length > 0 && servers.every(({ mode }) => mode === 'mcp_server'))
  return first?.servers.map(({ actor }) => actor) ?? []
}

/** Sorts the modes that attacks use first: other endpoints of the target may not be available. */
function modesFor(needs: readonly AttackNeeds[]): readonly UserMode[] {
  const modes = new Set(needs.flatMap(({ clients }) => clients.map(({ mode }) => mode)))
  return userModes.toSorted((a, b) => Number(modes.has(b)) - Number(modes.has(a)))
}

function lackOf({ target }: AttackOptions, needs: AttackNeeds): readonly string[] {
  return target?.lacks?.(needs) ?? []
}

/** Actors that are wired by name fit only the caller's own documents. */
function reasonToSkip({ listen = {}, connect = {}, wire = {} }: AttackOptions): string | undefined {
  const option = Object.entries({ listen, connect, wire }).find(([, actors]) => Object.keys(actors).length > 0)
  return option === undefined ? undefined : `actors are wired by name (${option[0]}), so the preflight cannot connect`
}

/** The MCP version that the agent requested, if it disconnected because the answer had a newer one. */
function olderVersion({ trace }: AttackRun): string | undefined {
  const handshakes = watchHandshakes((left) => left)
  for (const entry of trace) handshakes.take(entry)
  return handshakes.signs().find(({ asked, answered }) => asked < answered)?.asked
}

/** A phrase that cannot be guessed, of plain words that no encoding changes. */
function newPhrase(): string {
  const words = ['amber', 'basalt', 'cedar', 'delta', 'ember', 'fjord', 'granite', 'harbor']
  const numbers = crypto.getRandomValues(new Uint32Array(3))
  const [a = 0, b = 0, c = 0] = numbers
  return `${words[a % words.length]} ${words[b % words.length]} ${10_000 + (c % 90_000)}`
}
