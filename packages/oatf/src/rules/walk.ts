/** Every part of a document with its path, whatever execution form it uses. Built for any value: nothing here throws. */
import { isList, isRecord, own, type Path, type Source, type Value, type ValueRecord } from '@joust/source'
import type { Document } from '../model/document.ts'
import { responseListKeys } from '../model/enumerations.ts'
import { originOf } from '../model/origin.ts'
import { extractProtocol } from '../primitives/extract-protocol.ts'
import type { Syntax } from './syntax.ts'
import { findTemplates, type Template } from './templates.ts'

/** A mapping of the document and where it stands. */
export interface Site {
  readonly path: Path
  readonly value: ValueRecord
}

export interface ActorSite extends Site {
  /** `default` in the forms that have no actors. */
  readonly name: string | undefined
  readonly mode: string | undefined
  /** Where the list of phases stands; undefined in the single-phase form. */
  readonly phasesPath: Path | undefined
  readonly phases: readonly PhaseSite[]
  readonly form: 'state' | 'phases' | 'actors'
}

export interface PhaseSite extends Site {
  readonly index: number
  /** The phase's own mode, or the one it inherits. */
  readonly mode: string | undefined
}

export interface IndicatorSite extends Site {
  /** Its own protocol, or that of `execution.mode`. */
  readonly protocol: string | undefined
}

/** A state and the actor it belongs to. */
interface StateSite {
  readonly path: Path
  readonly value: Value
  readonly actor: ActorSite
}

/** A string with `{{` in a state or an entry action, and the actor that fills it. */
export interface TemplateSite extends Template {
  readonly actor: ActorSite
}

/** A list of response entries in a state. */
interface ResponseListSite {
  readonly path: Path
  readonly entries: readonly Value[]
}

export interface Walk {
  readonly document: ValueRecord
  readonly attack: ValueRecord
  readonly execution: ValueRecord
  readonly source: Source | undefined
  readonly syntax: Syntax
  readonly actors: readonly ActorSite[]
  readonly phases: readonly PhaseSite[]
  readonly triggers: readonly Site[]
  readonly extractors: readonly Site[]
  /** `on_enter` entries. */
  readonly actions: readonly Site[]
  readonly indicators: readonly IndicatorSite[]
  readonly states: readonly StateSite[]
  readonly responseLists: readonly ResponseListSite[]
  readonly templates: readonly TemplateSite[]
  /** `trigger.match` and every `when` of a response entry or elicitation. */
  readonly predicates: readonly Site[]
}

const EXECUTION: Path = ['attack', 'execution']

/** Walks a document once. */
export function walkDocument(document: Document, syntax: Syntax): Walk {
  const root = recordOf(document)
  const attack = recordOf(own(root, 'attack'))
  const execution = recordOf(own(attack, 'execution'))
  const actors = actorSites(execution)
  const phases = actors.flatMap((actor) => actor.phases)
  const triggers = phases.flatMap((phase) => sites([...phase.path, 'trigger'], own(phase.value, 'trigger')))
  const states = actors.flatMap(statesOf)
  const responseLists = states.flatMap(responseListsOf)
  return {
    document: root,
    attack,
    execution,
    source: originOf(document),
    syntax,
    actors,
    phases,
    triggers,
    extractors: phases.flatMap((phase) => listSites([...phase.path, 'extractors'], own(phase.value, 'extractors'))),
    actions: phases.flatMap((phase) => listSites([...phase.path, 'on_enter'], own(phase.value, 'on_enter'))),
    indicators: indicatorSites(attack, execution),
    states,
    responseLists,
    templates: actors.flatMap(templatesOf),
    predicates: [
      ...triggers.flatMap((trigger) => sites([...trigger.path, 'match'], own(trigger.value, 'match'))),
      ...responseLists.flatMap((list) => whens(list.path, list.entries)),
      ...states.flatMap(elicitationsOf).flatMap((list) => whens(list.path, list.entries)),
    ],
  }
}

/** The text of a field, or undefined when it is absent or something else. */
export function textOf(record: ValueRecord, key: string): string | undefined {
  const value = own(record, key)
  return typeof value === 'string' ? value : undefined
}

function recordOf(value: unknown): ValueRecord {
  return isRecord(value) ? value : {}
}

function sites(path: Path, value: Value | undefined): Site[] {
  return isRecord(value) ? [{ path, value }] : []
}

function listSites(path: Path, value: Value | undefined): Site[] {
  return isList(value) ? value.flatMap((item, index) => sites([...path, index], item)) : []
}

/** The actors of an execution, whatever its form. */
export function actorSites(execution: ValueRecord): ActorSite[] {
  const found: ActorSite[] = []
  const mode = textOf(execution, 'mode')
  const base = { path: EXECUTION, value: execution, name: 'default', mode }
  if (own(execution, 'state') !== undefined) {
    const phase = { path: EXECUTION, value: execution, index: 0, mode }
    found.push({ ...base, phasesPath: undefined, phases: [phase], form: 'state' })
  }
  const phases = own(execution, 'phases')
  if (isList(phases)) {
    const phasesPath = [...EXECUTION, 'phases']
    found.push({ ...base, phasesPath, phases: phaseSites(phasesPath, phases, mode), form: 'phases' })
  }
  for (const actor of listSites([...EXECUTION, 'actors'], own(execution, 'actors'))) {
    const ownPhases = own(actor.value, 'phases')
    const actorMode = textOf(actor.value, 'mode')
    const phasesPath = [...actor.path, 'phases']
    found.push({
      ...actor,
      name: textOf(actor.value, 'name'),
      mode: actorMode,
      phasesPath,
      phases: isList(ownPhases) ? phaseSites(phasesPath, ownPhases, actorMode) : [],
      form: 'actors',
    })
  }
  return found
}

function phaseSites(path: Path, phases: readonly Value[], inherited: string | undefined): PhaseSite[] {
  return phases.flatMap((phase, index) =>
    isRecord(phase) ? [{ path: [...path, index], value: phase, index, mode: textOf(phase, 'mode') ?? inherited }] : [],
  )
}

/** The indicators of an attack, or of what stands for one at a path of its own. */
export function indicatorSites(attack: ValueRecord, execution: ValueRecord, at: Path = ['attack']): IndicatorSite[] {
  const mode = textOf(execution, 'mode')
  const inherited = mode === undefined ? undefined : extractProtocol(mode)
  return listSites([...at, 'indicators'], own(attack, 'indicators')).map((site) => ({
    ...site,
    protocol: textOf(site.value, 'protocol') ?? inherited,
  }))
}

function statesOf(actor: ActorSite): StateSite[] {
  return actor.phases.flatMap((phase) => {
    const value = own(phase.value, 'state')
    return value === undefined ? [] : [{ path: [...phase.path, 'state'], value, actor }]
  })
}

function templatesOf(actor: ActorSite): TemplateSite[] {
  return actor.phases.flatMap((phase) =>
    ['state', 'on_enter'].flatMap((key) => {
      const value = own(phase.value, key)
      const found = value === undefined ? [] : findTemplates(value, [...phase.path, key])
      return found.map((template) => ({ ...template, actor }))
    }),
  )
}

/** Dispatch lists at the top of a state, and `responses` of the entries of its lists (tools, prompts). */
function responseListsOf(state: StateSite): ResponseListSite[] {
  if (!isRecord(state.value)) return []
  const found: ResponseListSite[] = []
  for (const [key, value] of Object.entries(state.value)) {
    if (!isList(value)) continue
    const path = [...state.path, key]
    if ((responseListKeys as readonly string[]).includes(key)) found.push({ path, entries: value })
    value.forEach((item, index) => {
      const responses = isRecord(item) ? own(item, 'responses') : undefined
      if (isList(responses)) found.push({ path: [...path, index, 'responses'], entries: responses })
    })
  }
  return found
}

function elicitationsOf(state: StateSite): ResponseListSite[] {
  const entries = isRecord(state.value) ? own(state.value, 'elicitations') : undefined
  return isList(entries) ? [{ path: [...state.path, 'elicitations'], entries }] : []
}

function whens(path: Path, entries: readonly Value[]): Site[] {
  return entries.flatMap((entry, index) => (isRecord(entry) ? sites([...path, index, 'when'], own(entry, 'when')) : []))
}

/** Finds the phase that a path leads into. */
export function phaseFinder(walk: Walk): (path: Path) => PhaseSite | undefined {
  const byPath = new Map(walk.phases.map((phase) => [JSON.stringify(phase.path), phase]))
  const lengths = [...new Set(walk.phases.map((phase) => phase.path.length))]
  return (path) => {
    for (const length of lengths) {
      const found = byPath.get(JSON.stringify(path.slice(0, length)))
      if (found !== undefined) return found
    }
    return undefined
  }
}
