/** Finds agent bindings that are certain to fail, without starting or loading anything. */
import { resolve } from 'node:path'
import type { Agent } from '@joust/agentformat'
import type { RunCode, RuntimeOptions } from '@joust/runtime'
import { isRecord, own, type Value } from '@joust/source'
import type { Finding } from '../input/file-report.ts'
import { faultsOf, locateFault } from './run-faults.ts'

/** Error codes that do not depend on environment variables, model keys or run options. */
const certain: ReadonlySet<string> = new Set<RunCode>([
  'unbound_tool',
  'unmapped_server',
  'memory_required',
  'policy_unresolved',
  'unknown_transform',
  'unsupported_policy',
])

/**
 * Returns the findings by file. Bound paths are relative to `home`. Findings are errors if the project file has
 * bindings; otherwise warnings, because a program may provide bindings.
 */
export async function checkBindings(
  agents: readonly Agent[],
  bindings: Value | undefined,
  home: string = process.cwd(),
): Promise<ReadonlyMap<string, readonly Finding[]>> {
  const { createRuntime } = await import('@joust/runtime')
  const { scriptedModel } = await import('@joust/sim')
  const runtime = createRuntime({
    ...placeholders(bindings),
    ...(await hostParts(bindings, home)),
    models: () => scriptedModel([]),
  })
  const severity = bindings === undefined ? 'warning' : 'error'
  const findings = new Map<string, Finding[]>()
  for (const agent of agents) {
    const prepared = await runtime.prepare(agent, { reach: false, memoryScope: 'check' })
    for (const fault of prepared.ok ? [] : faultsOf(prepared.error)) {
      // Any export of a module may be a tool.
      const isOpen = fault.code === 'unbound_tool' && own(bindings, 'module') !== undefined
      if (!certain.has(fault.code) || isOpen) continue
      const { source, finding } = locateFault(fault, agent)
      const existing = findings.get(source) ?? []
      // Several agents may share a sub-agent.
      if (existing.some(({ code, message }) => code === finding.code && message === finding.message)) continue
      findings.set(source, [...existing, { ...finding, severity }])
    }
  }
  await runtime.close()
  return findings
}

function placeholders(bindings: Value | undefined): RuntimeOptions {
  const names = (section: string) => {
    const entries = own(bindings, section)
    return isRecord(entries) ? Object.keys(entries) : []
  }
  const under = <T>(section: string, thing: T) => Object.fromEntries(names(section).map((name) => [name, thing]))
  const connect = () => Promise.reject(new Error('nothing is connected'))
  return {
    tools: under('tools', { call: () => null }),
    mcpServers: under('mcp_servers', { connect }),
    remoteAgents: under('remote_agents', { connect }),
    transforms: under('transforms', () => null),
    policies: under('policies', async () => null),
  }
}

/** Opens the registry if it is a folder. Stand-ins replace the memory and any other registry. */
async function hostParts(bindings: Value | undefined, home: string): Promise<Partial<RuntimeOptions>> {
  const { createInMemory, folderRegistry } = await import('@joust/runtime')
  const governance = own(bindings, 'governance')
  const folder = own(governance, 'folder')
  const registry =
    typeof folder === 'string' && !folder.includes('${')
      ? folderRegistry({ folder: resolve(home, folder) })
      : { resolve: (id: string) => ({ id }) }
  return {
    ...(own(bindings, 'memory') !== undefined && { memory: createInMemory() }),
    ...(governance !== undefined && { governance: registry }),
  }
}
