import type { Agent, InterfaceSchema } from '@joust/agentformat'
import { isRecord, own, type Value, type ValueRecord, writeJson } from '@joust/source'
import { actOf, type Evidence, isAbuse, type SeenInput } from '../evidence.ts'
import type { Basis, Restraint, RestraintRow } from '../restraint.ts'
import { keywordsFor } from '../values.ts'

/** A restriction of an agent's input schema, so that the schema rejects the attack's input. */
export const interfaceSchema: RestraintRow = {
  name: 'interface-schema',
  summary: 'restrict the input schema of an agent',
  propose: (basis) =>
    basis.through.flatMap((evidence) =>
      evidence.inputs
        .filter((input) => isAbused(evidence, input))
        .flatMap((input) => {
          const agent = agentAt(basis, input)
          return agent === undefined ? [] : tightened(basis, agent, input)
        }),
    ),
}

/**
 * True if the attack's call belongs to this input. If several runs are active, the call belongs to the one whose input
 * values occur in the call's arguments.
 */
function isAbused(evidence: Evidence, input: SeenInput): boolean {
  const abused = evidence.calls.filter((call) => isAbuse(evidence, call))
  return abused.some((call) => {
    const active = actOf(evidence, call)?.during.filter(({ path }) => path.join('/') === input.path.join('/')) ?? []
    const containing = active.filter((one) => contains(call.args, one.input))
    return (containing.length === 0 ? active : containing).includes(input)
  })
}

function contains(args: ValueRecord, input: Value): boolean {
  const text = writeJson(args)
  const values = isRecord(input) ? Object.values(input) : [input]
  return values.every((value) => text.includes(writeJson(value).replaceAll(/^"|"$/g, '')))
}

function agentAt({ agents: [root] }: Basis, { path }: SeenInput): Agent | undefined {
  return path.reduce<Agent | undefined>((agent, alias) => agent?.agents.get(alias), root)
}

function tightened(basis: Basis, agent: Agent, { input: abused }: SeenInput): Restraint[] {
  const others = basis.all.flatMap((evidence) =>
    evidence.inputs
      .filter((one) => !isAbused(evidence, one) && agentAt(basis, one) === agent)
      .map(({ input }) => input),
  )
  // Free text cannot be restricted.
  if (!isRecord(abused)) return []
  return Object.entries(abused).flatMap(([field, value]) => {
    const benign = others.map((one) => own(one, field))
    const present = benign.filter((one) => one !== undefined)
    return present.length < benign.length
      ? []
      : keywordsFor({ abused: value, benign: present }).map((more) => restraint(agent, field, more))
  })
}

function restraint({ source, document: { metadata } }: Agent, field: string, more: ValueRecord): Restraint {
  const words = Object.entries(more).map(([keyword, value]) => `${keyword} ${writeJson(value)}`)
  return {
    kind: interfaceSchema.name,
    source,
    text: `restrict the input ${field} of ${metadata.id} to ${words.join(', ')}`,
    apply: (document) => {
      const input = withField(document.interface.input, field, more)
      return { ...document, interface: { ...document.interface, input } }
    },
  }
}

function withField(input: InterfaceSchema, field: string, more: ValueRecord): InterfaceSchema {
  const properties = own(input, 'properties')
  const fields: ValueRecord = isRecord(properties) ? properties : {}
  const schema: Value = own(fields, field) ?? {}
  return { ...input, properties: { ...fields, [field]: { ...(isRecord(schema) ? schema : {}), ...more } } }
}
