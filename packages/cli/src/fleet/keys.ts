/** Whether this machine has the keys of the models that an agent asks. */
import type { RunOptions } from '../options/run.ts'
import type { TargetPlan } from '../run/target-plan.ts'
import type { Io } from '../terminal/io.ts'

/** What is missing, as a sentence; undefined when every model can be asked. */
export async function missingKeys(
  { agent, model, script }: RunOptions,
  { models = [] }: Pick<TargetPlan, 'models'>,
  io: Io,
): Promise<string | undefined> {
  if (agent === undefined) return undefined
  const { resolveModel } = await import('@joust/runtime')
  const asked = model === undefined ? models : [model]
  for (const reference of asked) {
    if (reference === 'sim/scripted' && script !== undefined) continue
    const found = await resolveModel(reference, io.env)
    // A name that a configuration explains is not a reference, and a key is all that can be missing.
    if (!found.ok && found.error.code === 'missing_key') return found.error.message
  }
  return undefined
}
