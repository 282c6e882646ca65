/** Agents for tests of targets. */
import { readFileSync } from 'node:fs'
import { type Agent, loadAgent } from '@joust/agentformat'
import { type LoadedAttack, load } from '@joust/oatf'
import { writeYaml } from '@joust/source'

/** An agent document as plain data; tests write only what they are about. */
export function agentDocument(parts: Record<string, unknown>): Record<string, unknown> {
  return {
    schema_version: '1.0.0',
    metadata: { id: 'desk', name: 'Desk', version: '1.0.0', description: 'Helps.' },
    interface: { input: { type: 'string' }, output: { type: 'string' } },
    execution_policy: react('sim/credulous'),
    ...parts,
  }
}

/** A policy with a model. */
export function react(model: string) {
  return { id: 'agf.react', config: { model, instructions: 'You help at a desk.', max_steps: 20 } }
}

/** Loads agents by file name, the first one being the root; throws when they are not valid. */
export async function agentOf(...documents: readonly Record<string, unknown>[]): Promise<Agent> {
  const files = new Map(documents.map((document, index) => [`agent-${index}.yaml`, writeYaml(document as never)]))
  const read = async ({ source }: { readonly source: string }) => files.get(source.replace('./', '')) ?? ''
  const loaded = await loadAgent('agent-0.yaml', { read })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  return loaded.value.agent
}

/** An attack document from the repository. */
export function readAttack(path: string): LoadedAttack {
  const loaded = load(readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8'))
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  return loaded.value
}
