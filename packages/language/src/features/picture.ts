/** Creates the diagram of a document, with the text range of each element. */
import { type GraphEdge, type GraphNode, graph } from '@joust/agentformat'
import {
  type ActorSite,
  crossActorReference,
  type PhaseSite,
  type Plants,
  plantsIn,
  type Walk,
  walkValue,
} from '@joust/oatf/vocabulary'
import { defined, isRecord, own, ownText, type Path, type Span } from '@joust/source'
import { type Context, extentOf } from '../context.ts'
import { loadGraph } from '../documents/agent-files.ts'
import { extractorNames, triggerText } from '../documents/attack-parts.ts'
import { startsWith } from '../text/entry.ts'
import { itemsAt, textAt } from '../text/reading.ts'

/** An attack diagram: one lane per actor, with its phases as bands. */
export interface AttackPicture {
  readonly kind: 'attack'
  readonly title: string
  readonly lanes: readonly Lane[]
  readonly indicators: readonly IndicatorMark[]
  /** Values that one phase extracts and a different phase uses. */
  readonly flows: readonly Flow[]
}

export interface Lane {
  readonly actor: string
  readonly mode: string
  readonly range: Span
  readonly bands: readonly Band[]
}

export interface Band {
  readonly name: string
  readonly range: Span
  /** The trigger that ends the phase; absent if the phase has none. */
  readonly trigger?: { readonly label: string; readonly range: Span }
  readonly state: readonly string[]
  /** The methods of messages that are sent on phase entry. */
  readonly sends: readonly string[]
  readonly extractors: readonly string[]
  readonly baits: readonly { readonly path: string; readonly range: Span }[]
}

export interface IndicatorMark {
  readonly label: string
  readonly range: Span
  /** The actor whose messages the indicator examines; absent for all actors. */
  readonly actor?: string
  readonly surface?: string
  readonly target?: string
  readonly tier?: string
}

export interface Flow {
  readonly name: string
  readonly from: { readonly lane: number; readonly band: number }
  readonly to: { readonly lane: number; readonly band: number }
}

export interface AgentPicture {
  readonly kind: 'agent'
  readonly nodes: readonly (GraphNode & { readonly file?: string; readonly range?: Span })[]
  readonly edges: readonly GraphEdge[]
}

/** Returns the diagram of a file; undefined if an agent cannot be loaded. */
export async function picture(context: Context): Promise<AttackPicture | AgentPicture | undefined> {
  if (context.kind === 'oatf') return ofAttack(context)
  return context.kind === 'agent' ? ofAgent(context) : undefined
}

function ofAttack(context: Context): AttackPicture {
  const walk = walkValue(context.reading.value)
  const plants = plantsIn(walk)
  return {
    kind: 'attack',
    title: ownText(walk.attack, 'name') ?? ownText(walk.attack, 'id') ?? context.file.name,
    lanes: walk.actors.map((actor) => laneOf(context, actor, plants)),
    indicators: walk.indicators.map(({ path, value }, index) => {
      const label = ownText(value, 'id') ?? `indicator ${index + 1}`
      const [actor, surface, target, tier] = ['actor', 'surface', 'target', 'tier'].map((key) => ownText(value, key))
      return defined({ label, range: rangeOf(context, path), actor, surface, target, tier })
    }),
    flows: flowsOf(walk),
  }
}

function laneOf(context: Context, actor: ActorSite, plants: Plants): Lane {
  const bands = actor.phases.map((phase) => bandOf(context, phase, plants))
  return { actor: actor.name ?? '', mode: actor.mode ?? '', range: rangeOf(context, actor.path), bands }
}

function bandOf(context: Context, { path, value, index }: PhaseSite, plants: Plants): Band {
  const state = own(value, 'state')
  const label = triggerText({ value })
  const items = plants.baits.flatMap((bait) => bait.items)
  return defined({
    name: ownText(value, 'name') ?? `phase ${index + 1}`,
    range: rangeOf(context, path),
    trigger: label === undefined ? undefined : { label, range: rangeOf(context, [...path, 'trigger']) },
    state: isRecord(state) ? Object.keys(state) : [],
    sends: itemsAt(value, ['on_enter']).flatMap((action) => textAt(action, ['send', 'method']) ?? []),
    extractors: extractorNames({ value }),
    baits: items
      .filter(({ at }) => startsWith(at, path))
      .map((item) => ({ path: item.path, range: rangeOf(context, item.at) })),
  })
}

function flowsOf({ actors, templates }: Walk): Flow[] {
  const flows = new Map<string, Flow>()
  for (const { actor, path, parts } of templates) {
    const lane = actors.indexOf(actor)
    const band = actor.phases.findIndex((phase) => startsWith(path, phase.path))
    for (const part of parts) {
      if (part.kind !== 'reference') continue
      const cross = crossActorReference(part.name)
      const owner = cross === undefined ? lane : actors.findIndex(({ name }) => name === cross.actor)
      const name = cross?.extractor ?? part.name
      const from = (actors[owner]?.phases ?? []).findIndex((phase) => extractorNames(phase).includes(name))
      if (from < 0 || band < 0) continue
      const flow = { name, from: { lane: owner, band: from }, to: { lane, band } }
      flows.set(JSON.stringify(flow), flow)
    }
  }
  return [...flows.values()]
}

function rangeOf(context: Context, path: Path): Span {
  return extentOf(context, path) ?? { start: 0, end: 0 }
}

const callables: { readonly [kind in GraphNode['kind']]?: string } = {
  tool: 'local_tools',
  mcp_server: 'mcp_servers',
  remote_agent: 'remote_agents',
}

async function ofAgent(context: Context): Promise<AgentPicture | undefined> {
  const loaded = await loadGraph(context)
  if (!loaded.ok) return undefined
  const { nodes, edges } = graph(loaded.value.agent)
  return { kind: 'agent', edges, nodes: nodes.map((node) => ({ ...node, ...placeOf(context, node) })) }
}

function placeOf(context: Context, { id, kind, label }: GraphNode): { readonly file?: string; readonly range?: Span } {
  const file = /^agent (.*)$/.exec(id)?.[1]
  if (file !== undefined) return file === context.file.name ? { file, range: rangeOf(context, ['metadata']) } : { file }
  if (!id.endsWith(` of agent ${context.file.name}`)) return {}
  const list = callables[kind] ?? ''
  const entry = context.reading.entries.find(
    ({ path }) =>
      path.length === 4 && path[1] === list && path[3] === 'alias' && textAt(context.reading.value, path) === label,
  )
  return entry === undefined ? {} : { file: context.file.name, range: rangeOf(context, entry.path.slice(0, 3)) }
}
