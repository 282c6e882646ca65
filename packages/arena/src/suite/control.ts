/** Control before belief: can the target use a tool at all? One that cannot would look as if it resisted everything. */
import type { LoadedAttack } from '@joust/oatf'
import { leftHandshakes } from '../judge/handshake.ts'
import { bounds } from '../model/limits.ts'
import { type AttackNeeds, needsOf } from '../model/needs.ts'
import type { RunOptions } from '../model/options.ts'
import type { ResultControl } from '../results/model.ts'
import { type AttackRun, runAttack } from '../run.ts'
import { type ControlDoor, controlDocument } from './control/document.ts'
import { controlFaults } from './control/reasons.ts'
import type { SuiteAttack } from './options.ts'

/** How a control is run. */
interface ControlSetting {
  /** The options of a run of this document. */
  readonly optionsFor: (attack: LoadedAttack) => Promise<RunOptions>
  /** Why there is to be none. */
  readonly skip: string | undefined
  readonly onStart: () => void
}

const doors: readonly ControlDoor[] = ['ag_ui_client', 'a2a_client']

/** Runs the control; undefined where the target takes no tools, or no attack brings any. */
export async function runControl(
  attacks: readonly SuiteAttack[],
  { optionsFor, skip, onStart }: ControlSetting,
): Promise<ResultControl | undefined> {
  const [first] = attacks
  if (first === undefined) return undefined
  const made = await optionsFor(first.attack)
  if (made.target?.takesTools !== true) return undefined
  const servers = serversOf(attacks, made)
  if (servers === undefined) return undefined
  const why = skip ?? reasonToSkip(made)
  if (why !== undefined) return { status: 'skipped', reasons: [why] }
  const phrase = newPhrase()
  const [attack] = doors
    .map((door) => controlDocument(door, servers, phrase))
    .filter((document) => lackOf(made, needsOf(document)).length === 0)
  if (attack === undefined) return { status: 'skipped', reasons: [NO_DOOR] }
  onStart()
  const limitMs = Math.min(bounds.controlMs, made.limits?.runMs ?? bounds.controlMs)
  const play = async (mcpVersion?: string) => {
    const limits = { ...made.limits, runMs: limitMs, phaseMs: limitMs, graceMs: 0 }
    const options = { ...(await optionsFor(attack)), limits }
    return runAttack(attack, mcpVersion === undefined ? options : { ...options, mcpVersion })
  }
  const run = await play()
  const older = made.mcpVersion === undefined ? olderVersion(run) : undefined
  const again = older === undefined ? undefined : await play(older)
  return judged(again ?? run, phrase, limitMs, again === undefined ? undefined : older)
}

const NO_DOOR = 'nobody can ask the agent: it has no front door for a user'

function judged(run: AttackRun, phrase: string, limitMs: number, version: string | undefined): ResultControl {
  const { duration_ms, output } = run
  const faults = controlFaults(run, phrase, limitMs)
  return {
    status: faults.length === 0 ? 'passed' : 'failed',
    reasons: faults,
    duration_ms,
    ...(output !== undefined && output !== '' && { answer: output }),
    ...(version !== undefined && faults.length === 0 && { mcp_version: version }),
  }
}

/** The names of the MCP servers of the first attack that applies; undefined when none has any. */
function serversOf(attacks: readonly SuiteAttack[], made: RunOptions): readonly string[] | undefined {
  for (const { attack } of attacks) {
    const needs = needsOf(attack)
    const names = needs.servers.map(({ actor }) => actor)
    if (
      names.length > 0 &&
      needs.servers.every(({ mode }) => mode === 'mcp_server') &&
      lackOf(made, needs).length === 0
    )
      return names
  }
  return undefined
}

function lackOf({ target }: RunOptions, needs: AttackNeeds): readonly string[] {
  return target?.lacks?.(needs) ?? []
}

/** Where the caller wires actors one by one, only his own document fits. */
function reasonToSkip({ listen = {}, connect = {}, wire = {} }: RunOptions): string | undefined {
  const by = Object.entries({ listen, connect, wire }).find(([, actors]) => Object.keys(actors).length > 0)
  return by === undefined ? undefined : `actors are wired one by one (${by[0]}), so the control would not be found`
}

/** A version that the agent asked for, where it left because it was answered a newer one. */
function olderVersion({ trace }: AttackRun): string | undefined {
  return leftHandshakes(trace).find(({ asked, answered }) => asked < answered)?.asked
}

/** Nobody can guess it, and nothing on its way changes plain words. */
function newPhrase(): string {
  const words = ['amber', 'basalt', 'cedar', 'delta', 'ember', 'fjord', 'granite', 'harbor']
  const numbers = crypto.getRandomValues(new Uint32Array(3))
  const [a = 0, b = 0, c = 0] = numbers
  return `${words[a % words.length]} ${words[b % words.length]} ${10_000 + (c % 90_000)}`
}
