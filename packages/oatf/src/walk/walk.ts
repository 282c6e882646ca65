/** All elements of a document with their paths, in any execution form. Never throws, even on an invalid value. */
import { isList, isRecord, own, ownText, type Path, type Source, type Value, type ValueRecord } from '@joust/source'
import { findBinding, findMode } from '../bindings/table.ts'
import type { Document } from '../model/document.ts'
import { responseListKeys } from '../model/enumerations.ts'
import { originOf } from '../model/origin.ts'
import { extractProtocol } from '../primitives/extract-protocol.ts'
import { findTemplates, type Template } from './templates.ts'

/** A mapping in the document and its path. */
export interface Site {
  readonly path: Path
  readonly value: ValueRecord
}

export interface ActorSite extends Site {
  /** The actor name; `default` in forms that have no actors. */
  readonly name: string | undefined
  readonly mode: string | undefined
  /** The path of the phase list; undefined in the single-phase form. */
  readonly phasesPath: Path | undefined
  readonly phases: readonly PhaseSite[]
  readonly form: 'state' | 'phases' | 'actors'
}

export interface PhaseSite extends Site {
  readonly index: number
  /** The phase's own mode, or the inherited mode. */
  readonly mode: string | undefined
}

export interface IndicatorSite extends Site {
  /** The indicator's own protocol, or the protocol of `execution.mode`. */
  readonly protocol: string | undefined
}

interface StateSite {
  readonly path: Path
  readonly value: Value
  readonly actor: ActorSite
  readonly phase: PhaseSite
}

/** A string with `{{` in a state or entry action, and the actor that fills it. */
export interface TemplateSite extends Template {
  readonly actor: ActorSite
  readonly phase: PhaseSite
}

interface PredicateSite extends Site {
  readonly phase: PhaseSite
}

interface ResponseListSite {
  readonly path: Path
  readonly phase: PhaseSite
  readonly entries: readonly Value[]
  /** True if the binding of the mode defines the list. Otherwise the form of its entries is unknown. */
  readonly isDefined: boolean
}

export interface Walk {
  readonly document: ValueRecord
  readonly attack: ValueRecord
  readonly execution: ValueRecord
  readonly source: Source | undefined
  readonly actors: readonly ActorSite[]
  readonly phases: readonly PhaseSite[]
  readonly triggers: readonly Site[]
  readonly extractors: readonly Site[]
  /** The entry actions (`on_enter`) of all phases. */
  readonly actions: readonly Site[]
  readonly indicators: readonly IndicatorSite[]
  readonly states: readonly StateSite[]
  readonly responseLists: readonly ResponseListSite[]
  readonly templates: readonly TemplateSite[]
  /** `trigger.match`, and every `when` of a response entry or elicitation that a binding defines. */
  readonly predicates: readonly PredicateSite[]
}

const EXECUTION: Path = ['attack', 'execution']

export function walkDocument(document: Document): Walk {
  const root = isRecord(document) ? document : {}
  const attack = recordAt(root, 'attack')
  const execution = recordAt(attack, 'execution')
  const actors = actorSites(execution)
  const phases = actors.flatMap((actor) => actor.phases)
  const states = actors.flatMap(statesOf)
  const responseLists = states.flatMap(responseListsOf)
  return {
    document: root,
    attack,
    execution,
    source: originOf(document),
    actors,
    phases,
    triggers: phases.flatMap((phase) => siteAt(phase, 'trigger') ?? []),
    extractors: phases.flatMap((phase) => sitesAt(phase, 'extractors')),
    actions: phases.flatMap((phase) => sitesAt(phase, 'on_enter')),
    indicators: indicatorSites(attack, execution),
    states,
    responseLists,
    templates: actors.flatMap(templatesOf),
    predicates: [
      ...phases.flatMap(matches),
      ...responseLists.flatMap(whens),
      ...states.flatMap(elicitationsOf).flatMap(whens),
    ],
  }
}

/**
 * True if the binding of a mode defines a state key, on either side. If there is no mode, any binding may apply. States
 * of other bindings are unrestricted ([OATF §5.1](https://oatf.io/specification/execution-profile/)).
 */
export function isStateKey(mode: string | undefined, key: string): boolean {
  if (mode === undefined) return true
  const binding = findMode(mode) && findBinding(extractProtocol(mode))
  return binding?.modes.some(({ stateKeys }) => stateKeys.includes(key)) === true
}

/** Copies a mapping without the given keys. */
export function without(record: ValueRecord, ...keys: readonly string[]): ValueRecord {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)))
}

/** Returns the mapping at a key in any value; empty if there is none. */
export function recordAt(value: unknown, key: string): ValueRecord {
  const child = own(value, key)
  return isRecord(child) ? child : {}
}

export function siteAt({ path, value }: Site, key: string): Site | undefined {
  const child = own(value, key)
  return isRecord(child) ? { path: [...path, key], value: child } : undefined
}

export function sitesAt({ path, value }: Site, key: string): Site[] {
  const child = own(value, key)
  if (!isList(child)) return []
  return child.flatMap((item, index) => (isRecord(item) ? [{ path: [...path, key, index], value: item }] : []))
}

/** Returns the messages sent on phase entry (`on_enter: send`). */
export function sendsOf(phase: Site): Site[] {
  return sitesAt(phase, 'on_enter').flatMap((action) => siteAt(action, 'send') ?? [])
}

/** Returns the name of a phase, or the name that normalization would generate. */
export function phaseName({ value, index }: PhaseSite): string {
  return ownText(value, 'name') ?? `phase-${index + 1}`
}

export function actorSites(execution: ValueRecord): ActorSite[] {
  const actors: ActorSite[] = []
  const mode = ownText(execution, 'mode')
  const site = { path: EXECUTION, value: execution }
  const base = { ...site, name: 'default', mode }
  if (own(execution, 'state') !== undefined)
    actors.push({ ...base, phasesPath: undefined, phases: [{ ...site, index: 0, mode }], form: 'state' })
  if (isList(own(execution, 'phases')))
    actors.push({ ...base, phasesPath: [...EXECUTION, 'phases'], phases: phaseSites(site, mode), form: 'phases' })
  for (const actor of sitesAt(site, 'actors')) {
    const actorMode = ownText(actor.value, 'mode')
    const phasesPath = [...actor.path, 'phases']
    const phases = phaseSites(actor, actorMode)
    actors.push({ ...actor, name: ownText(actor.value, 'name'), mode: actorMode, phasesPath, phases, form: 'actors' })
  }
  return actors
}

function phaseSites(holder: Site, inherited: string | undefined): PhaseSite[] {
  return sitesAt(holder, 'phases').map((phase) => {
    return { ...phase, index: Number(phase.path.at(-1)), mode: ownText(phase.value, 'mode') ?? inherited }
  })
}

/** Returns the indicators of an attack or, at a different path, of a similar mapping such as a task. */
export function indicatorSites(attack: ValueRecord, execution: ValueRecord, at: Path = ['attack']): IndicatorSite[] {
  const mode = ownText(execution, 'mode')
  const inherited = mode === undefined ? undefined : extractProtocol(mode)
  return sitesAt({ path: at, value: attack }, 'indicators').map((site) => {
    return { ...site, protocol: ownText(site.value, 'protocol') ?? inherited }
  })
}

function statesOf(actor: ActorSite): StateSite[] {
  return actor.phases.flatMap((phase) => {
    const value = own(phase.value, 'state')
    return value === undefined ? [] : [{ path: [...phase.path, 'state'], value, actor, phase }]
  })
}

function templatesOf(actor: ActorSite): TemplateSite[] {
  return actor.phases.flatMap((phase) =>
    ['state', 'on_enter'].flatMap((key) => {
      const value = own(phase.value, key)
      const templates = value === undefined ? [] : findTemplates(value, [...phase.path, key])
      return templates.map((template) => ({ ...template, actor, phase }))
    }),
  )
}

/** Returns the dispatch lists at the top level of a state, and the `responses` of its tools and prompts. */
function responseListsOf({ path, value: state, phase }: StateSite): ResponseListSite[] {
  if (!isRecord(state)) return []
  return Object.entries(state).flatMap(([key, value]) => {
    const isDefined = isStateKey(phase.mode, key)
    const isDispatch = isList(value) && (responseListKeys as readonly string[]).includes(key)
    const below = sitesAt({ path, value: state }, key).flatMap((entry) => listAt(entry, 'responses', phase, isDefined))
    return isDispatch ? [{ path: [...path, key], phase, entries: value, isDefined }, ...below] : below
  })
}

function elicitationsOf({ path, value, phase }: StateSite): ResponseListSite[] {
  const isDefined = isStateKey(phase.mode, 'elicitations')
  return isRecord(value) ? listAt({ path, value }, 'elicitations', phase, isDefined) : []
}

function listAt({ path, value }: Site, key: string, phase: PhaseSite, isDefined: boolean): ResponseListSite[] {
  const entries = own(value, key)
  return isList(entries) ? [{ path: [...path, key], phase, entries, isDefined }] : []
}

function matches(phase: PhaseSite): PredicateSite[] {
  const trigger = siteAt(phase, 'trigger')
  const match = trigger && siteAt(trigger, 'match')
  return match === undefined ? [] : [{ ...match, phase }]
}

function whens({ path, phase, entries, isDefined }: ResponseListSite): PredicateSite[] {
  if (!isDefined) return []
  return entries.flatMap((entry, index) => {
    const when = isRecord(entry) ? siteAt({ path: [...path, index], value: entry }, 'when') : undefined
    return when === undefined ? [] : [{ ...when, phase }]
  })
}

export function variableSites(walk: Walk): { path: Path; variables: Value }[] {
  return walk.indicators.flatMap((indicator) => {
    const variables = own(own(indicator.value, 'expression'), 'variables')
    return variables === undefined ? [] : [{ path: [...indicator.path, 'expression', 'variables'], variables }]
  })
}
