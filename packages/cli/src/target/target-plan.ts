/** A checked target that is created anew for each run. */
import type { Agent } from '@joust/agentformat'
import { type AttackOptions, needsOf, type Target, type Through } from '@joust/arena'
import type { RunRecording } from '@joust/models'
import type { ResultTarget } from '@joust/results'
import type { RuntimeOptions } from '@joust/runtime'
import { defined, type Result } from '@joust/source'
import type { Gateway, ModelHooks, ServedAgent, ServedModel, Slots } from '@joust/targets'
import type { SuiteAttack } from '@joust/trials'
import { hooksWith, type ReplacedModel } from './model-access.ts'
import type { DeclaredPeers } from './preview.ts'

export interface TargetPlan {
  readonly about: ResultTarget
  readonly agent?: Agent
  /** The text of an agent file and of all files that it refers to, by file name. */
  readonly texts?: ReadonlyMap<string, string>
  readonly declared?: DeclaredPeers
  /** References to the governance policies bound in the project file. */
  readonly policies?: readonly string[]
  /** The agent as a service, which opens the gateway and the model proxy; open while a suite runs. */
  readonly service?: ServedAgent
  readonly through?: Through
  /** The gateway to server actors; open while a suite runs. */
  readonly gateway?: Gateway
  /** The model proxy at a fixed address; open while a suite runs. */
  readonly served?: ServedModel
  readonly replacesModel?: boolean
  /** References to the models in an agent file. */
  readonly models?: readonly string[]
  /** Returns the requirements of an attack that the target is known not to meet. */
  readonly lacks?: NonNullable<Target['lacks']>
  /** Requests one word from each model or, if it or an attack has tools, one tool call. Returns the errors. */
  readonly faults?: (bringsTools: boolean) => Promise<readonly string[]>
  /**
   * Creates the target of a run. `runtime` overrides options of the agent's runtime, if any; `agent` replaces the agent
   * of the file; `model` listens to calls through the model proxy, and may replace the model.
   */
  make(
    runtime: Partial<RuntimeOptions>,
    recording?: RunRecording,
    agent?: Agent,
    model?: ModelHooks & Partial<ReplacedModel>,
  ): AttackOptions | Promise<AttackOptions>
}

/** Returns attacks whose requirements a target meets: attacks on MCP servers do not apply to agents, for example. */
export function fittingAttacks(attacks: readonly SuiteAttack[], { lacks }: TargetPlan): readonly SuiteAttack[] {
  return attacks.filter(({ attack }) => (lacks?.(needsOf(attack)) ?? []).length === 0)
}

/** Runs `work` while the agent as a service, or the gateway and model proxy of a running agent, is open. */
export async function whileOpen<T>(
  { service, gateway, served }: Pick<TargetPlan, 'service' | 'gateway' | 'served'>,
  slots: Slots,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const listeners = service === undefined ? [gateway, served] : [service]
  try {
    for (const listener of listeners) await listener?.open(slots, signal)
    return await work()
  } finally {
    for (const listener of listeners) await listener?.close()
  }
}

/** Plans an agent at fixed addresses, which Joust may start. */
export function servedPlan(
  about: ResultTarget,
  make: (model?: ModelHooks) => Target,
  { service, ...rest }: { [Key in 'service' | 'gateway' | 'served' | 'replacesModel']: TargetPlan[Key] | undefined },
): TargetPlan {
  const serve = (model?: ModelHooks) => service?.serve(make(model)) ?? make(model)
  return {
    about,
    lacks: (needs) => serve().lacks?.(needs) ?? [],
    make: (_, recording, __, model) => ({ target: serve(hooksWith(model, recording)) }),
    ...defined({ service, ...rest }),
  }
}

/** The plan of a target. The error is a message, or the exit code if the message has already been printed. */
export type Planned = Promise<Result<TargetPlan, string | number>>
