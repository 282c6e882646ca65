/** What is certain to fail when an agent is run by this command as it is bound; nothing is started or loaded. */
import type { Agent } from '@joust/agentformat'
import type { RunCode, RuntimeOptions } from '@joust/runtime'
import { isRecord, own, type Value } from '@joust/source'
import type { Finding } from '../input/file-report.ts'
import { faultsOf, locateFault } from './run-faults.ts'

/** What does not depend on the environment, on a key or on an option of the run. */
const certain: ReadonlySet<string> = new Set<RunCode>([
  'unbound_tool',
  'unmapped_server',
  'memory_required',
  'policy_unresolved',
  'unknown_transform',
  'unsupported_policy',
])

/**
 * The findings by file. They are errors where a project file binds agents; where none does, a program may bind what is
 * missing, and they are warnings.
 */
export async function checkBindings(
  agents: readonly Agent[],
  bindings: Value | undefined,
): Promise<ReadonlyMap<string, readonly Finding[]>> {
  const { createRuntime } = await import('@joust/runtime')
  const { scriptedModel } = await import('@joust/sim')
  const runtime = createRuntime({ ...placeholders(bindings), models: () => scriptedModel([]) })
  const severity = bindings === undefined ? 'warning' : 'error'
  const findings = new Map<string, Finding[]>()
  for (const agent of agents) {
    const error = await runtime.prepare(agent, { reach: false })
    for (const fault of faultsOf(error)) {
      // Every export of a module can be a tool.
      const isOpen = fault.code === 'unbound_tool' && own(bindings, 'module') !== undefined
      if (!certain.has(fault.code) || isOpen) continue
      const { source, finding } = locateFault(fault, agent)
      const known = findings.get(source) ?? []
      // Several agents may lead to one.
      if (known.some(({ code, message }) => code === finding.code && message === finding.message)) continue
      findings.set(source, [...known, { ...finding, severity }])
    }
  }
  await runtime.close()
  return findings
}

/** Something under every name that is bound. */
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
  }
}
