/** The frameworks whose techniques `joust coverage` knows. */
import { atlasRows } from './atlas.ts'
import type { Framework } from './framework.ts'

export const frameworks: readonly Framework[] = [
  {
    name: 'owasp_agentic',
    title: 'OWASP Top 10 for Agentic Applications',
    version: '2026',
    aliases: ['owasp_asi', 'asi', 'agentic'],
    rows: [
      ['ASI01', 'Agent Goal Hijack'],
      ['ASI02', 'Tool Misuse and Exploitation'],
      ['ASI03', 'Identity and Privilege Abuse'],
      ['ASI04', 'Agentic Supply Chain Vulnerabilities'],
      ['ASI05', 'Unexpected Code Execution (RCE)'],
      ['ASI06', 'Memory & Context Poisoning'],
      ['ASI07', 'Insecure Inter-Agent Communication'],
      ['ASI08', 'Cascading Failures'],
      ['ASI09', 'Human-Agent Trust Exploitation'],
      ['ASI10', 'Rogue Agents'],
    ],
  },
  {
    name: 'owasp_mcp',
    title: 'OWASP MCP Top 10',
    version: '2025',
    aliases: ['mcp_top_10', 'mcp_top10'],
    rows: [
      ['MCP01', 'Token Mismanagement & Secret Exposure'],
      ['MCP02', 'Privilege Escalation via Scope Creep'],
      ['MCP03', 'Tool Poisoning'],
      ['MCP04', 'Software Supply Chain Attacks & Dependency Tampering'],
      ['MCP05', 'Command Injection & Execution'],
      ['MCP06', 'Intent Flow Subversion'],
      ['MCP07', 'Insufficient Authentication & Authorization'],
      ['MCP08', 'Lack of Audit and Telemetry'],
      ['MCP09', 'Shadow MCP Servers'],
      ['MCP10', 'Context Injection & Over-Sharing'],
    ],
  },
  {
    name: 'atlas',
    title: 'MITRE ATLAS',
    version: '5.6.0 (April 2026)',
    aliases: ['mitre_atlas', 'mitre'],
    rows: atlasRows,
  },
]

/** Returns the framework name used in documents for a name from user input. Unknown names are only normalized. */
export function frameworkName(word: string): string {
  const name = word.toLowerCase().replaceAll('-', '_')
  return frameworks.find((one) => one.name === name || one.aliases.includes(name))?.name ?? name
}
