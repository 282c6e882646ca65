/** Control before belief: can the target use a tool, or answer at all? If not, it would seem to resist everything. */
import type { LoadedAttack } from '@joust/oatf'
import { watchHandshakes } from '../judge/untested.ts'
import { arenaLimits } from '../model/limits.ts'
import { type AttackNeeds, needsOf } from '../model/needs.ts'
import type { AttackOptions } from '../model/options.ts'
import type { ControlAsks } from '../model/target.ts'
import type { UserMode } from '../model/user-request.ts'
import type { ResultControl } from '../results/model.ts'
import { type AttackRun, runAttack } from '../run.ts'
import { controlDocument } from './control/document.ts'
import { answerFaults, toolFaults } from './control/reasons.ts'
import type { SuiteAttack } from './options.ts'

interface ControlSetting {
  readonly optionsFor: (attack: LoadedAttack) => Promise<AttackOptions>
  /** Why there is no control. */
  readonly skip: string | undefined
  readonly onStart: () => void
}

const doors: readonly UserMode[] = ['ag_ui_client', 'a2a_client']

/** Runs the control: for a tool call where an attack brings tools, else an answer. Undefined where none is needed. */
export async function runControl(
  attacks: readonly SuiteAttack[],
  { optionsFor, skip, onStart }: ControlSetting,
): Promise<ResultControl | undefined> {
  const [first] = attacks
  if (first === undefined) return undefined
  const made = await optionsFor(first.attack)
  if (made.target?.control === undefined) return undefined
  const needs = attacks.map(({ attack }) => needsOf(attack)).filter((needed) => lackOf(made, needed).length === 0)
  if (needs.length === 0) return undefined
  const why = skip ?? reasonToSkip(made)
  if (why !== undefined) return { status: 'skipped', reasons: [why] }
  const servers = made.target.control === 'tool_call' ? serversIn(needs) : []
  const phrase = newPhrase()
  const [attack] = doorsFor(needs)
    .map((door) => controlDocument(door, servers, phrase))
    .filter((document) => lackOf(made, needsOf(document)).length === 0)
  if (attack === undefined) return { status: 'skipped', reasons: [NO_DOOR] }
  onStart()
  const { replyMs = 0, runMs = Number.POSITIVE_INFINITY } = made.limits ?? {}
  const limitMs = Math.min(Math.max(arenaLimits.controlMs, replyMs), runMs)
  const play = async (mcpVersion?: string) => {
    const limits = { ...made.limits, runMs: limitMs, phaseMs: limitMs, graceMs: 0 }
    const options = { ...(await optionsFor(attack)), limits }
    return runAttack(attack, mcpVersion === undefined ? options : { ...options, mcpVersion })
  }
  const asked = servers.length > 0 ? 'tool_call' : 'answer'
  const faultsOf = (played: AttackRun) =>
    asked === 'answer' ? answerFaults(played, limitMs) : toolFaults(played, phrase, limitMs)
  const run = await play()
  const older = made.mcpVersion === undefined ? olderVersion(run) : undefined
  const again = older === undefined ? undefined : await play(older)
  return judged(again ?? run, asked, faultsOf(again ?? run), again === undefined ? undefined : older)
}

/**
 * The control of results, some of which are from an earlier suite. Those without a control stay so, and a control that
 * fails now says nothing about earlier trials.
 */
export function controlOfAll(
  now: ResultControl | undefined,
  before: readonly ResultControl[],
): ResultControl | undefined {
  if (now?.status === 'failed') return controlOfAll(undefined, before) ?? now
  const skipped = before.filter(({ status }) => status === 'skipped').flatMap(({ reasons }) => reasons)
  if (skipped.length === 0) return now ?? before.findLast(({ status }) => status === 'passed')
  const reasons = new Set([...(now?.status === 'skipped' ? now.reasons : []), ...skipped])
  return {
    ...now,
    status: 'skipped',
    reasons: [...reasons].map((reason) => `${reason}${now?.status === 'passed' ? EARLIER : ''}`),
  }
}

const EARLIER = '; this applies to the earlier results'

const NO_DOOR = 'nobody can ask the agent: it has no front door for a user'

function judged(
  { duration_ms, output }: AttackRun,
  asked: ControlAsks,
  faults: readonly string[],
  version: string | undefined,
): ResultControl {
  return {
    status: faults.length === 0 ? 'passed' : 'failed',
    asked,
    reasons: faults,
    duration_ms,
    ...(output !== undefined && output !== '' && { answer: output }),
    ...(version !== undefined && faults.length === 0 && { mcp_version: version }),
  }
}

/** The names of the MCP servers of the first attack that has nothing but such servers; empty when none has. */
function serversIn(needs: readonly AttackNeeds[]): readonly string[] {
  const first = needs.find(({ servers }) => servers.length > 0 && servers.every(({ mode }) => mode === 'mcp_server'))
  return first?.servers.map(({ actor }) => actor) ?? []
}

/** The front doors that attacks use come first: others of the target may be closed. */
function doorsFor(needs: readonly AttackNeeds[]): readonly UserMode[] {
  const modes = new Set(needs.flatMap(({ clients }) => clients.map(({ mode }) => mode)))
  return doors.toSorted((a, b) => Number(modes.has(b)) - Number(modes.has(a)))
}

function lackOf({ target }: AttackOptions, needs: AttackNeeds): readonly string[] {
  return target?.lacks?.(needs) ?? []
}

/** Where the caller wires actors one by one, only the caller's own document fits. */
function reasonToSkip({ listen = {}, connect = {}, wire = {} }: AttackOptions): string | undefined {
  const by = Object.entries({ listen, connect, wire }).find(([, actors]) => Object.keys(actors).length > 0)
  return by === undefined ? undefined : `actors are wired one by one (${by[0]}), so the control would not be found`
}

/** The version that the agent asked for, where it left because the answer had a newer one. */
function olderVersion({ trace }: AttackRun): string | undefined {
  const handshakes = watchHandshakes((left) => left)
  for (const entry of trace) handshakes.take(entry)
  return handshakes.signs().find(({ asked, answered }) => asked < answered)?.asked
}

/** Nobody can guess it, and nothing on the way changes plain words. */
function newPhrase(): string {
  const words = ['amber', 'basalt', 'cedar', 'delta', 'ember', 'fjord', 'granite', 'harbor']
  const numbers = crypto.getRandomValues(new Uint32Array(3))
  const [a = 0, b = 0, c = 0] = numbers
  return `${words[a % words.length]} ${words[b % words.length]} ${10_000 + (c % 90_000)}`
}
