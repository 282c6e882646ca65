/** Finds paths through an agent's tools: untrusted text, optionally private data, then an action. */
import { argumentsOf, type ClassifiedTool, featuresOf, type Label } from '@joust/arena/inventory'
import type { SeverityLevel } from '@joust/oatf/enumerations'
import { compareCodePoints } from '@joust/source'
import type { Session, SessionServer, SessionTool } from '../session/session.ts'
import { type SinkKind, sinkKinds, sinkRules } from './inventory/sinks.ts'
import { aimLimits } from './limits.ts'
import { carrierOf } from './values.ts'

/** A tool and its server. */
export interface ToolPlace {
  readonly server: string
  readonly tool: string
}

/** A path from a source to a sink. */
export interface Flow {
  /** The steps as `server/tool`, joined by ` > `. */
  readonly id: string
  readonly source: ToolPlace
  readonly private?: ToolPlace
  readonly sink: ToolPlace
  readonly kind: SinkKind
  /** The harm of the flow as a number, for sorting. */
  readonly cost: number
  readonly severity: SeverityLevel
}

/** The flows of a session. */
export interface FlowList {
  /** Flows, most harmful first. */
  readonly flows: readonly Flow[]
  /** The total number of flows, including omitted ones. */
  readonly total: number
}

interface Step extends ToolPlace {
  readonly definition: SessionTool
  /** The first verb in the tool name, which determines the kind of a sink. */
  readonly verb: string
  readonly words: readonly string[]
  readonly openness: number
}

/** Finds all paths from a source to a sink, directly or through one private tool. */
export function findFlows(session: Session, inventory: readonly ClassifiedTool[]): FlowList {
  const steps = stepsOf(session)
  const having = (label: Label): Step[] =>
    inventory.flatMap(({ server, tool, labels }) => {
      const step = labels.some((one) => one.label === label) ? steps.get(key({ server, tool })) : undefined
      return step === undefined ? [] : [step]
    })
  const unsure = new Set(inventory.filter((one) => one.unsure).map(key))
  const all = { source: having('source'), private: having('private'), sink: having('sink') }
  const sinks = all.sink
    .map((step) => ({ step, kind: unsure.has(key(step)) ? ('unsure' as const) : kindOf(step) }))
    .sort((a, b) => sinkKinds[b.kind].cost - sinkKinds[a.kind].cost || byKey(a.step, b.step))
  const sources = all.source.toSorted((a, b) => b.openness - a.openness || byKey(a, b)).slice(0, aimLimits.stepTools)
  const middles = all.private.toSorted(byKey).slice(0, aimLimits.stepTools)
  const flows = sinks.slice(0, aimLimits.stepTools).flatMap(({ step: sink, kind }) => {
    const carries = sinkKinds[kind].carries && carrierOf(sink.definition) !== undefined
    return sources
      .filter((source) => key(source) !== key(sink) || isTwofold(sink))
      .flatMap((source) => {
        const between = carries ? middles.filter((one) => key(one) !== key(sink) && one.tool !== source.tool) : []
        return [flowOf(source, undefined, sink, kind), ...between.map((one) => flowOf(source, one, sink, kind))]
      })
  })
  const sourceKeys = new Set(all.source.map(key))
  const total = sinks.reduce((sum, { step, kind }) => {
    const carries = sinkKinds[kind].carries && carrierOf(step.definition) !== undefined
    const others = all.source.length - (sourceKeys.has(key(step)) && !isTwofold(step) ? 1 : 0)
    return sum + others * (carries ? 1 + Math.max(0, all.private.length - 1) : 1)
  }, 0)
  const ranked = flows.sort(byCost)
  // Private tools multiply the number of flows, so half of the list is reserved for direct flows.
  const half = aimLimits.flows / 2
  const parts = [ranked.filter((flow) => flow.private), ranked.filter((flow) => !flow.private)]
  const sorted = ranked.length <= aimLimits.flows ? ranked : parts.flatMap((part) => part.slice(0, half)).sort(byCost)
  return { flows: sorted, total: Math.max(total, sorted.length) }
}

/** True if an argument can distinguish a second call from the first, so that a source can also be the sink. */
function isTwofold({ definition }: Step): boolean {
  return carrierOf(definition, false) !== undefined
}

function stepsOf({ servers }: Session): ReadonlyMap<string, Step> {
  return new Map(
    servers.flatMap((server) => {
      const features = featuresOf(server.tools)
      return server.tools.map((definition, index): [string, Step] => {
        const { verb = [], object = [], argument = [] } = features[index] ?? {}
        const openness = object.some((word) => OPEN.has(word)) || argument.includes('=url') ? 1 : 0
        const step = {
          server: server.name,
          tool: definition.name,
          definition,
          verb: verb[0] ?? '',
          words: [...verb, ...object],
          openness,
        }
        return [key(step), step]
      })
    }),
  )
}

/** Words for content that anyone can send or publish. */
const OPEN = new Set(
  'email mail inbox web page website webpage url html issue comment message news review post'.split(' '),
)

function kindOf({ verb, words, definition }: Step): SinkKind {
  const names = argumentsOf(definition).map(({ name }) => name.toLowerCase())
  const rule = sinkRules.find(
    ({ verbs, arguments: wanted }) =>
      verbs.has(verb) || words.some((word) => verbs.has(word)) || names.some((name) => wanted.has(name)),
  )
  return rule?.kind ?? 'writes'
}

function flowOf(source: Step, middle: Step | undefined, sink: Step, kind: SinkKind): Flow {
  const place = ({ server, tool }: ToolPlace): ToolPlace => ({ server, tool })
  const { cost, severity } = sinkKinds[kind]
  return {
    id: [source, ...(middle === undefined ? [] : [middle]), sink].map(key).join(' > '),
    source: place(source),
    ...(middle && { private: place(middle) }),
    sink: place(sink),
    kind,
    cost: cost + source.openness + (middle !== undefined && sinkKinds[kind].leaves ? 2 : 0),
    severity: middle === undefined || !sinkKinds[kind].leaves ? severity : 'critical',
  }
}

/** Returns the name of a tool in the project file and in output: `server/tool`. */
export function key({ server, tool }: ToolPlace): string {
  return `${server}/${tool}`
}

function byCost(a: Flow, b: Flow): number {
  return b.cost - a.cost || compareCodePoints(a.id, b.id)
}

function byKey(a: ToolPlace, b: ToolPlace): number {
  return compareCodePoints(key(a), key(b))
}

/** Returns the server and definition of a tool. */
export function toolAt(
  session: Session,
  { server, tool }: ToolPlace,
): { server: SessionServer; tool: SessionTool } | undefined {
  const place = session.servers.find(({ name }) => name === server)
  const definition = place?.tools.find(({ name }) => name === tool)
  return place === undefined || definition === undefined ? undefined : { server: place, tool: definition }
}

/** Groups flows by a key. Groups are in the order of the first flow in each. */
export function groupFlows(flows: readonly Flow[], by: (flow: Flow) => string): Map<string, Flow[]> {
  const groups = new Map<string, Flow[]>()
  for (const flow of flows) {
    const name = by(flow)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [flow])
    else group.push(flow)
  }
  return groups
}
