/** A target that is known and checked, and made anew for each run. */
import type { Agent } from '@joust/agentformat'
import {
  type AttackOptions,
  type Gateway,
  needsOf,
  type ResultTarget,
  type SuiteAttack,
  type Target,
} from '@joust/arena'
import type { Cassette } from '@joust/arena/cassette'
import type { RuntimeOptions } from '@joust/runtime'
import type { Result } from '@joust/source'
import type { DeclaredPeers } from './preview.ts'

/** A target that can be made for each run. */
export interface TargetPlan {
  readonly about: ResultTarget
  /** The agent of an agent file. */
  readonly agent?: Agent
  /** The texts of an agent file and of those it refers to, by name. */
  readonly texts?: ReadonlyMap<string, string>
  /** What an agent file declares. */
  readonly declared?: DeclaredPeers
  /** Where it finds server actors; open while its suite runs. */
  readonly gateway?: Gateway
  /** The models that an agent file names. */
  readonly models?: readonly string[]
  /** What it lacks for an attack, where that is known before it is made. */
  readonly lacks?: NonNullable<Target['lacks']>
  /**
   * Why it will never answer, one sentence each: its models are asked for one word or, where it or an attack has tools,
   * for a call of one.
   */
  readonly faults?: (bringsTools: boolean) => Promise<readonly string[]>
  /**
   * What a run needs to attack it. `runtime` overrides options of the agent's runtime, where there is one; `agent` is
   * attacked in place of the file's own.
   */
  make(runtime: Partial<RuntimeOptions>, cassette?: Cassette, agent?: Agent): AttackOptions | Promise<AttackOptions>
}

/** The attacks for which a target has everything: those on MCP servers, for example, are not for agents. */
export function fittingAttacks(attacks: readonly SuiteAttack[], { lacks }: TargetPlan): readonly SuiteAttack[] {
  return attacks.filter(({ attack }) => (lacks?.(needsOf(attack)) ?? []).length === 0)
}

/** A plan for a target that is the same for every run. */
export function planOf(about: ResultTarget, make: () => Target): TargetPlan {
  return { about, lacks: (needs) => make().lacks?.(needs) ?? [], make: () => ({ target: make() }) }
}

/** A fault is a sentence, or the exit code when it has already been printed. */
export type Planned = Promise<Result<TargetPlan, string | number>>
