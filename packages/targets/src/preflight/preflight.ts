/** The preflight: checks that the target can use a tool, or answer at all, and which channels reach its model. */

import type { AttackOptions, ModelObservation, Target } from '@joust/arena'
import {
  type AttackNeeds,
  type AttackRun,
  baitChannels,
  mainCallsIn,
  needsOf,
  newWord,
  PREFLIGHT_TOOL,
  runAttack,
  watchHandshakes,
} from '@joust/arena'
import { MODERN_VERSION } from '@joust/arena/wire'
import type { LoadedAttack } from '@joust/oatf'
import type { Channel, ResultPreflight, ToolListing } from '@joust/results'
import { defined } from '@joust/source'
import type { UserMode } from '../chat/user-request.ts'
import { targetLimits } from '../limits.ts'
import {
  channelsOf,
  type MemoryWords,
  memoryOf,
  memoryQuestion,
  type PreflightEvidence,
  repeatedTexts,
  unfetchedOf,
} from './channels.ts'
import { hasClientTool, hasServerTool, type PreflightPlan, preflightDocument, questionOf } from './document.ts'
import { answerFaults, toolFaults } from './reasons.ts'

interface PreflightOptions {
  readonly optionsFor: (attack: LoadedAttack) => Promise<AttackOptions>
  readonly skip: string | undefined
  readonly onStart: () => void
  /** Channels to check. @default the channels of the attacks */
  readonly channels?: readonly Channel[]
  /** Sends a second message, which requires memory of the first. @default true if an attack has several turns */
  readonly turns?: boolean
}

const userModes: readonly UserMode[] = ['ag_ui_client', 'a2a_client']

/**
 * Runs the preflight, with a tool call if an attack has tools, otherwise with a question. Undefined if not needed.
 *
 * @example
 * const options = { optionsFor: async () => ({ target }), skip: undefined, onStart() {} }
 * const preflight = await runPreflight([attack], options)
 */
export async function runPreflight(
  attacks: readonly LoadedAttack[],
  options: PreflightOptions,
): Promise<ResultPreflight | undefined> {
  const [first] = attacks
  if (first === undefined) return undefined
  const base = await options.optionsFor(first)
  if (base.target?.preflight === undefined) return undefined
  const possible = attacks
    .map((attack) => ({ attack, needs: needsOf(attack) }))
    .filter(({ needs }) => lackOf(base, needs).length === 0)
  if (possible.length === 0) return undefined
  const channels = options.channels ?? [...new Set(possible.flatMap(({ attack }) => baitChannels(attack)))]
  if (options.skip !== undefined) return { status: 'skipped', reasons: [options.skip], channels: unchecked(channels) }
  const skipReason = reasonToSkip(base)
  if (skipReason !== undefined) return { status: 'skipped', reasons: [skipReason], channels: unchecked(channels) }
  const needs = possible.map((one) => one.needs)
  const { turns = needs.some(hasSeveralTurns) } = options
  const words = turns ? { first: newWord(), second: newWord() } : undefined
  const plan = planFor(base, needs, channels, words)
  if (plan === undefined) return { status: 'skipped', reasons: [NO_CHAT] }
  options.onStart()
  const result = conclude(await playPreflight(plan, base, options, words), { plan, channels, words })
  return result.status === 'failed' && base.target.mayFailPreflight === true
    ? { ...result, status: 'skipped', reasons: result.reasons.map((reason) => `the preflight failed: ${reason}`) }
    : result
}

const NO_CHAT = 'the agent has no chat interface for a user'

/** Returns channels as unchecked, except `message`: any answer in a run shows that the user's message arrived. */
function unchecked(channels: readonly Channel[]): NonNullable<ResultPreflight['channels']> {
  const others = channels.filter((channel) => channel !== 'message')
  return Object.fromEntries(others.map((channel) => [channel, 'unknown']))
}

export function hasSeveralTurns({ clients }: AttackNeeds): boolean {
  return clients.some(({ needs }) => needs.some(({ name }) => name === 'turns'))
}

interface Played extends PreflightEvidence {
  readonly limitMs: number
  /** The MCP version requested in the second attempt. */
  readonly version?: string | undefined
  /** Tool listing frequency of an agent that outlives a run. */
  readonly listsTools?: ToolListing | undefined
}

/** Runs the preflight, and repeats it if the agent disconnected because of the MCP version or has outdated tools. */
async function playPreflight(
  plan: PreflightPlan,
  base: AttackOptions,
  { optionsFor }: PreflightOptions,
  words: MemoryWords | undefined,
): Promise<Played> {
  const { replyMs = 0, runMs = Number.POSITIVE_INFINITY } = base.limits ?? {}
  const limitMs = Math.min(Math.max(targetLimits.preflightMs, replyMs), runMs)
  const play = async (one: PreflightPlan, mcpVersion?: string, isFresh = false) => {
    const attack = preflightDocument(one)
    const { target: given, ...rest } = await optionsFor(attack)
    const target = isFresh ? (given?.fresh ?? given) : given
    const limits = { ...base.limits, runMs: limitMs, phaseMs: limitMs, graceMs: 0 }
    const lastQuestion = one.word === undefined ? undefined : words && memoryQuestion(words)
    let observation: ModelObservation | undefined
    const observed =
      target &&
      withObservation(target, (seen) => {
        observation = seen
      })
    const run = await runAttack(attack, { ...rest, limits, ...defined({ target: observed, mcpVersion, lastQuestion }) })
    return { run, observation, limitMs }
  }
  const first = await play(plan)
  const version = base.mcpVersion === undefined ? supportedVersion(first.run) : undefined
  const played = version === undefined ? first : { ...(await play(plan, version)), version }
  if (base.target?.fresh === undefined || !hasServerTool(plan)) return played
  // An agent started before this run may have listed the tools of an empty slot.
  if (!hasListed(played.run)) return { ...(await play(plan, version, true)), version, listsTools: 'once' }
  const second = await play({ ...plan, tool: SECOND_TOOL, word: undefined, markers: new Map() }, version)
  return { ...played, listsTools: hasListed(second.run) ? 'each_run' : 'once' }
}

/** Name of the tool in the second run, which is unknown to an agent that lists tools only once. */
const SECOND_TOOL = 'phrase_of_the_week'

function hasListed({ trace }: AttackRun): boolean {
  return trace.some(({ mode, flow, surface }) => mode === 'mcp_server' && flow === 'in' && surface === 'tools/list')
}

function withObservation(target: Target, onObservation: (seen: ModelObservation | undefined) => void): Target {
  return {
    ...target,
    start: async (arena) => {
      const session = await target.start(arena)
      onObservation(session.observation)
      return session
    },
  }
}

interface Checked {
  readonly plan: PreflightPlan
  readonly channels: readonly Channel[]
  readonly words: MemoryWords | undefined
}

function conclude(played: Played, { plan, channels, words }: Checked): ResultPreflight {
  const { run, observation, limitMs, version, listsTools: lists_tools } = played
  const hasTool = hasServerTool(plan)
  const checks = hasTool ? toolFaults(run, plan.phrase, limitMs) : answerFaults(run, limitMs)
  // In this process, model requests are stronger evidence than the answer of an agent that may not need the tool.
  const isRead = observation?.calls().some(({ wire, finish }) => wire === 'in-process' && finish.kind === 'complete')
  const isPassed = isRead === true || checks.reasons.length === 0
  const texts = new Map<Channel, string>([...plan.markers, ['message', questionOf(plan)]])
  if (hasTool || hasClientTool(plan)) texts.set('tool_result', plan.phrase)
  const { message, ...states } = channelsOf(texts, played)
  const unfetched = unfetchedOf(texts, played, states)
  // Any answer shows that the message arrived, even if it does not repeat the text.
  const reached = { message: message === 'unknown' && isPassed ? 'yes' : message, ...states }
  const { duration_ms, output = '' } = run
  return {
    status: isPassed ? 'passed' : 'failed',
    asked: hasTool && (checks.reasons.length === 0 || !isPassed) ? 'tool_call' : 'answer',
    ...checks,
    duration_ms,
    ...(output !== '' && { answer: output }),
    ...(version !== undefined && isPassed && { mcp_version: version }),
    ...(isPassed && { channels: { ...unchecked(channels), ...defined(reached) } }),
    ...(isPassed && unfetched.length > 0 && { unfetched }),
    ...defined({
      lists_tools,
      main: isPassed ? mainCallsIn(observation?.calls() ?? [], repeatedTexts(run)) : undefined,
    }),
    ...defined({ remembers: isPassed && words !== undefined ? memoryOf(played, words) : undefined }),
    ...usageOf(observation),
  }
}

function usageOf(observation: ModelObservation | undefined): Pick<ResultPreflight, 'usage'> {
  const calls = observation?.calls() ?? []
  if (calls.length === 0) return {}
  const sum = (kind: 'input' | 'output') => calls.reduce((total, { usage }) => total + (usage?.[kind] ?? 0), 0)
  return { usage: { calls: calls.length, input_tokens: sum('input'), output_tokens: sum('output') } }
}

/** Returns the most extensive preflight that the target supports; undefined if the target has no chat interface. */
function planFor(
  base: AttackOptions,
  needs: readonly AttackNeeds[],
  channels: readonly Channel[],
  words: MemoryWords | undefined,
): PreflightPlan | undefined {
  const phrase = newPhrase()
  const isTooled = base.target?.preflight === 'tool_call'
  const tooled = isTooled ? serversIn(needs) : []
  const delegated = channels.some((channel) => agentChannels.has(channel)) && isTooled ? remotesIn(needs, tooled) : []
  const plans = modesFor(needs).flatMap((mode) =>
    [[...tooled, ...delegated], tooled].flatMap((servers) =>
      [new Set<Channel>(), requestChannels].map((without): PreflightPlan => {
        const markers = markersFor(
          channels.filter((channel) => !without.has(channel)),
          mode,
          servers,
        )
        return { mode, servers, tool: PREFLIGHT_TOOL, phrase, word: words?.first, markers }
      }),
    ),
  )
  return plans.find((plan) => lackOf(base, needsOf(preflightDocument(plan))).length === 0)
}

const agentChannels: ReadonlySet<Channel> = new Set<Channel>(['agent_card', 'agent_answer'])
const requestChannels: ReadonlySet<Channel> = new Set<Channel>(['context', 'state'])
const toolChannels: ReadonlySet<Channel> = new Set<Channel>(['tool_description', 'tool_schema'])

/** Returns markers for the channels of a document with these actors. Message and tool result are always checked. */
function markersFor(
  channels: readonly Channel[],
  mode: UserMode,
  servers: PreflightPlan['servers'],
): ReadonlyMap<Channel, string> {
  const isClient = mode === 'ag_ui_client'
  const has = (of: string) => servers.some((server) => server.mode === of)
  const isOffered = (channel: Channel) => {
    if (channel === 'message' || channel === 'tool_result') return false
    if (agentChannels.has(channel)) return has('a2a_server')
    if (requestChannels.has(channel)) return isClient
    return has('mcp_server') || (toolChannels.has(channel) && isClient && servers.length === 0)
  }
  return new Map(channels.filter(isOffered).map((channel) => [channel, newWord()]))
}

/** Returns the servers of the first attack that has only MCP servers; empty if there is no such attack. */
function serversIn(needs: readonly AttackNeeds[]): PreflightPlan['servers'] {
  const all = needs.find(({ servers }) => servers.length > 0 && servers.every(({ mode }) => mode === 'mcp_server'))
  return all?.servers.map(({ actor, mode }) => ({ name: actor, mode })) ?? []
}

/** Returns the remote agents of the first attack that has any, except those whose name is taken. */
function remotesIn(needs: readonly AttackNeeds[], others: PreflightPlan['servers']): PreflightPlan['servers'] {
  const isRemote = ({ mode }: { readonly mode: string }) => mode === 'a2a_server'
  const remotes = needs.find(({ servers }) => servers.some(isRemote))?.servers.filter(isRemote) ?? []
  const names = new Set(others.map(({ name }) => name))
  return remotes.filter(({ actor }) => !names.has(actor)).map(({ actor, mode }) => ({ name: actor, mode }))
}

/** Returns the user modes, those used by attacks first, because other endpoints of the target may be unavailable. */
function modesFor(needs: readonly AttackNeeds[]): readonly UserMode[] {
  const modes = new Set(needs.flatMap(({ clients }) => clients.map(({ mode }) => mode)))
  return userModes.toSorted((a, b) => Number(modes.has(b)) - Number(modes.has(a)))
}

function lackOf({ target }: AttackOptions, needs: AttackNeeds): readonly string[] {
  return target?.lacks?.(needs) ?? []
}

/** Returns the reason to skip the preflight: actors wired by name are only suitable for the caller's own documents. */
function reasonToSkip({ listen = {}, connect = {}, wire = {} }: AttackOptions): string | undefined {
  const option = Object.entries({ listen, connect, wire }).find(([, actors]) => Object.keys(actors).length > 0)
  return option === undefined ? undefined : `actors are wired by name (${option[0]}), so the preflight cannot connect`
}

/** Returns the MCP version that the agent requested, if it disconnected because the server uses a different version. */
function supportedVersion({ trace }: AttackRun): string | undefined {
  const handshakes = watchHandshakes((left) => left)
  for (const entry of trace) handshakes.take(entry)
  return handshakes.signs().find(({ asked, answered }) => asked < answered || asked === MODERN_VERSION)?.asked
}

/** Creates a phrase that cannot be guessed, from plain words that every encoding leaves unchanged. */
function newPhrase(): string {
  const words = ['amber', 'basalt', 'cedar', 'delta', 'ember', 'fjord', 'granite', 'harbor']
  const numbers = crypto.getRandomValues(new Uint32Array(3))
  const [a = 0, b = 0, c = 0] = numbers
  return `${words[a % words.length]} ${words[b % words.length]} ${10_000 + (c % 90_000)}`
}
