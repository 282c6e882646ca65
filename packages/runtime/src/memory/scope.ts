/** Which memory an agent works with (R-30 to R-33, OPEN-43). */

import type { Agent, MemoryScopeStrategy } from '@joust/agentformat'
import { abortable } from '@joust/io'
import { RunFailure } from '../model/errors.ts'
import type { MemoryContext, MemoryProvider } from '../model/memory.ts'

/** The scope of a run. Escaped, so that no user can name the scope of another one's isolated sub-agent. */
export function rootScope(scope: string): string {
  return scope.replaceAll('%', '%25').replaceAll('/', '%2F')
}

/** The scope of a sub-agent. An isolated one is the same in every run of the same parent scope. */
export function childScope(
  scope: string | undefined,
  strategy: MemoryScopeStrategy | undefined,
  alias: string,
): string | undefined {
  if (scope === undefined || strategy === 'none') return undefined
  return strategy === 'isolated' ? `${scope}/${alias}` : scope
}

/** Why an agent that requires a memory cannot have one; undefined when it can, or needs none. */
export function memoryFault(
  agent: Agent,
  scope: string | undefined,
  provider: MemoryProvider | undefined,
): string | undefined {
  if (agent.document.memory?.required !== true) return undefined
  const { id } = agent.document.metadata
  if (provider === undefined) return `${id} requires a memory, and the runtime has no memory provider`
  return scope === undefined ? `${id} requires a memory, and it has no memory scope` : undefined
}

/** The memory of an agent: an agent that declares none is stateless, whatever the scope. */
export function openMemory(
  agent: Agent,
  scope: string | undefined,
  provider: MemoryProvider | undefined,
  path: readonly string[],
  signal: AbortSignal,
): MemoryContext | undefined {
  const fault = memoryFault(agent, scope, provider)
  if (fault !== undefined) throw new RunFailure({ code: 'memory_required', message: fault, agent: path })
  if (agent.document.memory === undefined || scope === undefined || provider === undefined) return undefined
  return {
    scope,
    recall: () => abortable(signal, () => provider.recall(scope)),
    remember: (turn) => abortable(signal, () => provider.remember(scope, turn)),
  }
}
