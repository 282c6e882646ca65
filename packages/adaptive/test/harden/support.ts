/** Agent files in memory, attacked in memory. */
import { type Agent, loadAgent } from '@joust/agentformat'
import type { RuntimeOptions } from '@joust/runtime'
import { agentTarget } from '../../../targets/src/agent.ts'
import { finishSuite, runSuite } from '../../../trials/src/suite.ts'
import type { HardenOptions } from '../../src/harden/options.ts'

/** Loads an agent from texts by name; the first one is the entry. */
export async function agentFrom(texts: Readonly<Record<string, string>>): Promise<Agent> {
  const [entry = ''] = Object.keys(texts)
  const loaded = await loadAgent(entry, {
    read: async ({ source, from }) => texts[from === undefined ? entry : source.replace('./', '')] ?? '',
  })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  return loaded.value.agent
}

/** Options for running attacks on the agent, in memory. */
export function hardening(
  agent: Agent,
  runtime: Partial<RuntimeOptions> = {},
  changes: Partial<HardenOptions> = {},
): HardenOptions {
  return {
    agent,
    confirm: 1,
    signal: new AbortController().signal,
    run: async (batch) =>
      finishSuite(
        runSuite(batch.attacks, {
          trials: batch.trials ?? 1,
          onEvent: batch.onEvent,
          run: ({ file, trial }) => ({
            target: agentTarget({
              agent: batch.agent,
              inProcess: true,
              bind: changes.bind ?? {},
              runtime: { ...runtime, onEvent: (event) => batch.onAgentEvent({ file, trial }, event) },
            }),
            limits: { graceMs: 0, observeMs: 50 },
          }),
        }),
      ),
    ...changes,
  }
}
