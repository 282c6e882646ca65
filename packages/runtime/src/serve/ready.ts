/** Whether agents can be served: what a run needs is looked for before anybody can ask for one. */
import type { Agent } from '@joust/agentformat'
import { RunFailure } from '../model/errors.ts'
import type { RunOptions } from '../model/options.ts'
import type { Runtime } from '../runtime.ts'

/** Rejects with the `RunFailure` that every run of an agent would end with. */
export async function requireReady(
  runtime: Runtime,
  agents: readonly Agent[],
  { memoryScope, prepare = true }: Pick<RunOptions, 'memoryScope'> & { readonly prepare?: boolean },
): Promise<void> {
  if (!prepare) return
  for (const agent of agents) {
    const error = await runtime.prepare(agent, memoryScope === undefined ? {} : { memoryScope })
    if (error !== undefined) throw new RunFailure(error)
  }
}
