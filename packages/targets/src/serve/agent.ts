/** An agent that Joust starts as a service: its processes, their URLs and their restarts. */

import type { AttackNeeds, ServerActor, Target, TargetArena, TargetSession } from '@joust/arena'
import { ArenaError } from '@joust/arena'
import { placeholdersIn } from '../command/placeholders.ts'
import type { SlotKind, Slots } from '../gateway/gateway-run.ts'
import type { Gateway } from '../gateway.ts'
import { type Generation, type Restart, type ServedAgentOptions, startGeneration } from './generation.ts'
import { outputTail } from './start.ts'

/** An agent started by Joust. Runs with such an agent cannot overlap. */
export interface ServedAgent {
  /**
   * Opens the gateway and the model proxy. If `slots` are given, also starts the processes, unless each attack has its
   * own. Rejects with an `ArenaError` on failure, and if `signal` is aborted during the start.
   */
  open(slots?: Slots, signal?: AbortSignal): Promise<void>
  /** Wraps a target so that its runs start and restart the processes. A reused agent cannot be restarted. */
  serve(target: Target): Target
  /** Ends the processes, then closes the gateway and the model proxy. */
  close(): Promise<void>
}

/** Placeholders in commands and variables of a served agent, in addition to `{ACTOR.url}`. */
export const servePlaceholders = ['gateway_url', 'mcp_config', 'a2a_config', 'model_url'] as const

/**
 * Creates a served agent that has not been started.
 *
 * @example
 * const agent = createServedAgent({
 *   processes: [],
 *   addresses: ['http://127.0.0.1:8080'],
 *   gateway: createGateway(),
 * })
 * const { outcome } = await runAttack(attack, { target: agent.serve(target) })
 * await agent.close()
 */
export function createServedAgent(options: ServedAgentOptions): ServedAgent {
  const { restart, gateway, model, processes } = options
  const names = processes.flatMap(({ command, env = {} }) => placeholdersIn([...command, ...Object.values(env)]))
  const hasConfig = names.includes('mcp_config') || names.includes('a2a_config')
  const generations = createGenerations(options, hasConfig)
  let opening: Promise<void> | undefined
  const open = async () => {
    opening ??= gateway.open().then(() => model?.open())
    await opening
  }
  const serveWith = (target: Target, when: Restart): Target => ({
    ...target,
    lacks: (needs) => [...(target.lacks?.(needs) ?? []), ...unknownActors(names, needs)],
    start: async (arena) => {
      await open()
      const generation = await generations.begin(arena, when)
      try {
        return withProcesses(await target.start(arena), generation, when)
      } catch (thrown) {
        throw generation.explain(thrown)
      }
    },
  })
  return {
    async open(slots, signal = new AbortController().signal) {
      await open()
      if (slots !== undefined && (restart ?? 'never') === 'never') await generations.prepare(slots, signal)
    },
    serve: (target) => ({
      ...serveWith(target, restart ?? 'never'),
      ...(restart === undefined && !generations.isReused() && { fresh: serveWith(target, 'trial') }),
    }),
    async close() {
      await generations.end()
      opening = undefined
      await model?.close()
      await gateway.close()
    },
  }
}

/** Manages the generations of processes between restarts. At most one generation runs at a time. */
function createGenerations(options: ServedAgentOptions, hasConfig: boolean) {
  const { gateway } = options
  let current: Generation | undefined
  const end = async () => {
    const ended = current
    current = undefined
    await ended?.end()
  }
  return {
    end,
    isReused: () => current?.isReused === true,
    async prepare(slots: Slots, signal: AbortSignal): Promise<void> {
      const servers = slotServers(gateway, slots)
      current ??= await startGeneration(options, { attack: '', servers, slots, signal })
    },
    async begin(arena: TargetArena, when: Restart): Promise<Generation> {
      const { servers, signal } = arena
      const attack = when === 'attack' ? (arena.textsOfAttack?.() ?? '') : ''
      const slots = slotsOf(servers)
      const isKept = when === 'never' || (when === 'attack' && current?.attack === attack)
      const hasSlots = !hasConfig || (current !== undefined && covers(current.slots, slots))
      if (current?.isReused === true && !(isKept && hasSlots)) throw new ArenaError('not_wired', REUSED)
      if (current !== undefined && isKept && hasSlots) {
        const fault = current.fault()
        if (fault === undefined) {
          current.clear()
          return current
        }
        const { isReported } = current
        await end()
        if (!isReported) throw new ArenaError('target_failed', `serve: the agent ended between runs: ${fault}`)
      }
      await end()
      // An agent may list its servers' tools before it is ready.
      arena.beginServers?.()
      const named = when === 'never' ? slotServers(gateway, slots) : servers
      current = await startGeneration(options, { attack, servers: named, slots, signal })
      return current
    },
  }
}

const REUSED = 'serve: the agent was already running, so Joust cannot restart it: stop it, or remove reuse'

const modes = { mcp: 'mcp_server', a2a: 'a2a_server' } as const satisfies Record<SlotKind, string>

function slotsOf(servers: readonly ServerActor[]): Slots {
  const number = (mode: string) => servers.filter((server) => server.mode === mode).length
  return { mcp: number(modes.mcp), a2a: number(modes.a2a) }
}

function covers(slots: Slots, needed: Slots): boolean {
  return slots.mcp >= needed.mcp && slots.a2a >= needed.a2a
}

/** Returns the gateway's slots as servers, which are the same for all attacks and therefore not named after actors. */
function slotServers(gateway: Gateway, slots: Slots): readonly ServerActor[] {
  const of = (kind: SlotKind, noun: string) =>
    Array.from({ length: slots[kind] }, (_, index) => ({
      actor: `${noun}-${index + 1}`,
      mode: modes[kind],
      address: gateway.address(kind, index + 1),
    }))
  return [...of('mcp', 'server'), ...of('a2a', 'agent')]
}

/** Adds the output and exit of the processes to a session. */
function withProcesses(session: TargetSession, generation: Generation, when: Restart): TargetSession {
  const { turn } = session
  const faults = () => {
    const exit = generation.fault()
    const own = session.faults?.() ?? []
    if (exit !== undefined) {
      generation.isReported = true
      return [...own, `serve: the agent ended during the run: ${exit}`]
    }
    const output = generation.printed().trim()
    return own.length === 0 || output === '' ? own : [...own, `serve: ${outputTail(output)}`]
  }
  return {
    ...session,
    wiring: [...(session.wiring ?? []), lines[generation.isReused ? 'reused' : when]],
    ...(turn && {
      turn: () =>
        turn().catch(async (thrown: unknown) => {
          await generation.settle()
          throw generation.explain(thrown)
        }),
    }),
    printed: () => [session.printed?.() ?? '', generation.printed()].filter((text) => text !== '').join('\n'),
    settle: generation.settle,
    faults,
  }
}

const lines: Readonly<Record<Restart | 'reused', string>> = {
  never: 'serve: one process for all runs',
  attack: 'serve: a fresh process for each attack',
  trial: 'serve: a fresh process for each run',
  reused: 'serve: the agent was already running',
}

/** Describes placeholders for actors that the attack does not have. */
function unknownActors(names: readonly string[], { servers }: AttackNeeds): string[] {
  const actors = new Set(servers.map(({ actor }) => `${actor}.url`))
  return [...new Set(names)]
    .filter((name) => name.endsWith('.url') && !actors.has(name))
    .map((name) => `serve contains {${name}}, but the attack has no server actor of that name`)
}
