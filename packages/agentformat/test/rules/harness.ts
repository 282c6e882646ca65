import { messageWithHint } from '@joust/source'
import { describe, expect, test } from 'vitest'
import type { Agent } from '../../src/model/agent.ts'
import { checkAgent } from '../../src/parse-agent.ts'
import { runRules } from '../../src/rules/run.ts'
import { agentRules } from '../../src/rules/table.ts'

/** The relevant parts of a document, each in YAML flow style; the others have defaults. */
export interface Parts {
  readonly input?: string
  readonly output?: string
  readonly policy?: string
  readonly space?: string
  readonly constraints?: string
  readonly memory?: string
  /** Sub-agents by alias. Without `space` they are listed in `local_agents`. */
  readonly agents?: { readonly [alias: string]: Parts }
}

const REACT = '{ id: agf.react, config: { instructions: Help., model: any } }'

/** A document as text. */
export function agentText(parts: Parts): string {
  const aliases = Object.keys(parts.agents ?? {})
  const entries = aliases.map((alias) => `{ alias: ${alias}, source: ./${alias}.agf.yaml }`)
  const space = parts.space ?? (aliases.length === 0 ? undefined : `{ local_agents: [${entries.join(', ')}] }`)
  const lines = [
    'schema_version: "1.0.0"',
    'metadata: { id: tested, name: Tested, version: "1", description: For a test. }',
    `interface: { input: ${parts.input ?? '{ type: object }'}, output: ${parts.output ?? '{ type: object }'} }`,
    `execution_policy: ${parts.policy ?? REACT}`,
  ]
  for (const [key, text] of [
    ['action_space', space],
    ['constraints', parts.constraints],
    ['memory', parts.memory],
  ] as const) {
    if (text !== undefined) lines.push(`${key}: ${text}`)
  }
  return `${lines.join('\n')}\n`
}

/** An agent with its sub-agents, linked without a reader. */
export function agentOf(parts: Parts, source = 'tested.agf.yaml'): Agent {
  const { document, diagnostics } = checkAgent(agentText(parts), { file: source })
  if (document === undefined) throw new Error(`${diagnostics[0]?.path}: ${diagnostics[0]?.message}`)
  const agents = Object.entries(parts.agents ?? {}).map(([alias, part]) => [alias, agentOf(part, alias)] as const)
  return { source, document, agents: new Map(agents) }
}

interface RuleCases {
  /** Documents without a finding of this check. */
  readonly valid: readonly Parts[]
  /** Documents with the paths of all findings of this check, in order. */
  readonly invalid: readonly (readonly [parts: Parts, ...paths: string[]])[]
  /** A part of the message of the first invalid document. */
  readonly message: string
  /** The severity of every finding, if it is not an error. */
  readonly severity?: 'warning'
}

/** Tests the checks of one rule and code alone. */
export function testRule(rule: string, code: string, cases: RuleCases): void {
  describe(`${rule} ${code}`, () => {
    test.each(cases.valid.map((parts) => [parts]))('accepts %#', (parts) => {
      expect(findings(rule, code, parts)).toEqual([])
    })
    test.each(cases.invalid.map(([parts, ...paths]) => [parts, paths] as const))('reports %#', (parts, paths) => {
      const diagnostics = findings(rule, code, parts)
      expect(diagnostics.map(({ path }) => path)).toEqual(paths)
      for (const { severity } of diagnostics) expect(severity).toBe(cases.severity ?? 'error')
    })
    test('has a message, a file, a rule and a position', () => {
      const [parts = {}] = cases.invalid[0] ?? []
      const [finding] = findings(rule, code, parts)
      expect(finding && messageWithHint(finding)).toContain(cases.message)
      expect(finding).toMatchObject({ rule, code, file: 'tested.agf.yaml' })
      expect(finding?.line).toBeGreaterThan(0)
    })
  })
}

/** The findings of one rule and code. */
export function findings(rule: string, code: string, parts: Parts, strict = false) {
  const rows = agentRules.filter((row) => row.rule === rule && row.code === code)
  if (rows.length === 0) throw new Error(`no row ${rule} ${code} in the table`)
  return runRules(rows, agentOf(parts), { strict })
}

/** An object schema: `object('a: string, b: integer', 'a')`. */
export function object(properties: string, required = ''): string {
  const fields = properties.split(',').map((field) => {
    const [name = '', type = ''] = field.split(':').map((word) => word.trim())
    return `${name}: { type: ${type} }`
  })
  return `{ type: object, properties: { ${properties === '' ? '' : fields.join(', ')} }, required: [${required}] }`
}

/** A policy with steps: `steps('sequential', ['a', 'b <- x: parent.input.x'])`. */
export function steps(id: 'sequential' | 'loop' | 'parallel', list: readonly string[], rest = ''): string {
  const key = id === 'parallel' ? 'agents' : 'steps'
  const entries = list.map((step) => {
    const [alias, mapping] = step.split('<-').map((word) => word.trim())
    return mapping === undefined ? `{ agent: ${alias} }` : `{ agent: ${alias}, input_mapping: { ${mapping} } }`
  })
  return `{ id: agf.${id}, config: { ${key}: [${entries.join(', ')}]${rest === '' ? '' : `, ${rest}`} } }`
}
