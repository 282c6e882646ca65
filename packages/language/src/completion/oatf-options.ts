/** Completions for attacks that are not in the schema, from the protocol bindings. */
import { frameworks, knownModes, knownProtocols } from '@joust/oatf'
import {
  type ActorSite,
  BAIT,
  CANARIES,
  eventPaths,
  extractProtocol,
  FLOW,
  findMode,
  flowOrigins,
  type IndicatorSite,
  messageAt,
  OVERLAY,
  type PhaseSite,
  PLACEBO,
  plantsIn,
  possibleCanaries,
  requestPaths,
  stateKeysAt,
  surfaceFacts,
  surfacesOf,
  targetsFor,
  type Walk,
} from '@joust/oatf/vocabulary'
import { own, type Path, type Value, valueAt } from '@joust/source'
import { argumentNames, declaredArguments, extractorNames, indicatorsOf, phaseOf } from '../documents/attack-parts.ts'
import { belowSchema, isSchema, jsonTypes } from '../grammar/json-schema.ts'
import { startsWith } from '../text/entry.ts'
import { textAt } from '../text/reading.ts'
import { distinct, keyOption, type Option, optionsOf, schemaOptions } from './option.ts'

export function oatfValues(walk: Walk, path: Path): Option[] {
  const key = path.at(-1)
  if (path.length === 1) return key === 'oatf' ? optionsOf(['0.1'], 'value') : []
  if (path[1] === BAIT && path.length === 3) return baits(walk)
  if (path[1] === CANARIES && path.length === 3) return optionsOf(possibleCanaries(walk), 'value', 'of an indicator')
  const indicator = indicatorOf(walk, path)
  if (indicator !== undefined) return indicatorValues(walk, indicator, path.slice(indicator.path.length))
  const phase = phaseOf(walk, path)
  const below = phase === undefined ? [] : path.slice(phase.path.length)
  if (key === 'mode' && (phase === undefined || below.length === 1)) return optionsOf(knownModes(), 'value')
  if (phase !== undefined) return phaseValues(phase, below)
  return key === 'framework' ? optionsOf(frameworks, 'value') : []
}

export function oatfKeys(walk: Walk, path: Path): Option[] {
  if (path[1] === PLACEBO && path.length === 2) {
    const places = plantsIn(walk).baits.map((bait) => bait.path)
    return optionsOf(places, 'path', 'of the bait')
  }
  const phase = phaseOf(walk, path)
  const mode = phase?.mode
  if (phase === undefined || mode === undefined) return []
  const below = path.slice(phase.path.length)
  const [section, ...more] = below
  if (section === 'trigger' && more.length === 1 && more[0] === 'match') return matchedPaths(walk, phase, mode)
  if (section === 'on_enter' && more.length === 1) return optionsOf(findMode(mode)?.entryActions ?? [], 'key', mode)
  if (section === 'state' && more.at(-1) === 'when')
    return optionsOf(requestOf(phase, mode, more), 'path', 'of the request')
  const schema = belowSchema(below)
  if (schema !== undefined) return isSchema(schema) ? schemaOptions() : []
  const fields = messageKeys(mode, phase.value, below)
  const usual = section === 'state' ? stateKeys(mode, more, fields !== undefined) : []
  return distinct([...usual.map((key) => fields?.find(({ label }) => label === key.label) ?? key), ...(fields ?? [])])
}

function matchedPaths(walk: Walk, phase: PhaseSite, mode: string): Option[] {
  const event = textAt(phase.value, ['trigger', 'event'])
  if (event === undefined) return []
  // A phase without a state keeps the previous state.
  const phases = ownerOf(walk, phase)?.phases ?? []
  return optionsOf(withArguments(eventPaths(mode, event), argumentNames(phases, event)), 'path', `in ${event}`)
}

/** Returns the paths in the request that a state entry responds to, including declared tool or prompt arguments. */
function requestOf({ value }: PhaseSite, mode: string, keys: Path): readonly string[] {
  return withArguments(requestPaths(mode, keys), declaredArguments(valueAt(value, ['state', ...keys.slice(0, 2)])))
}

function withArguments(paths: readonly string[], names: readonly string[]): readonly string[] {
  return paths.flatMap((path) => (path === 'arguments' ? [path, ...names.map((name) => `${path}.${name}`)] : [path]))
}

function ownerOf({ actors }: Walk, phase: PhaseSite): ActorSite | undefined {
  return actors.find(({ phases }) => phases.some(({ path }) => path === phase.path))
}

/** Returns completions for a template in a state or entry action. Extractors of the same actor come first. */
export function templateOptions(walk: Walk, path: Path, typed: string): Option[] {
  const phase = phaseOf(walk, path)
  const section = phase === undefined ? undefined : path[phase.path.length]
  if (phase === undefined || (section !== 'state' && section !== 'on_enter')) return []
  const own = ownerOf(walk, phase)
  const actors = walk.actors.toSorted((a, b) => Number(b === own) - Number(a === own))
  const extractors = actors.flatMap((actor) =>
    actor.phases.flatMap(extractorNames).map((extractor): Option => {
      const label = actor === own && !typed.includes('.') ? extractor : `${actor.name}.${extractor}`
      return { label, kind: 'name', detail: `extractor of ${actor.name}` }
    }),
  )
  const keys = path.slice(phase.path.length + 1)
  const request = phase.mode === undefined ? [] : requestOf(phase, phase.mode, keys).map((field) => `request.${field}`)
  return distinct([...extractors, ...optionsOf(request, 'path', 'in the current request')])
}

function baits(walk: Walk): Option[] {
  return plantsIn(walk).planted.flatMap(({ path, kind, actor }) => optionsOf([path], 'path', `${kind} of ${actor}`))
}

function phaseValues({ mode, value }: PhaseSite, below: Path): Option[] {
  const [section, key] = below
  if (mode === undefined) return []
  if (section === 'trigger' && key === 'event')
    return optionsOf(findMode(mode)?.events ?? [], 'value', `event of ${mode}`)
  if (below.at(-1) === OVERLAY) return optionsOf(['append', 'replace', 'field '], 'value', 'real response')
  if (belowSchema(below) !== undefined) return below.at(-1) === 'type' ? optionsOf(jsonTypes, 'value') : []
  const choices = messageAt(mode, value, below.slice(0, -1))?.fields.find(({ name }) => name === below.at(-1))?.choices
  const protocol = extractProtocol(mode)
  if (choices !== undefined && choices.length > 0) return optionsOf(choices, 'value', protocol)
  const isSender = section === 'on_enter' || key === 'actions' || below.includes('x-joust-during')
  if (below.at(-1) !== 'method' || !isSender) return []
  // Suggests only messages that the attacker sends.
  const senders = ['either', findMode(mode)?.role, undefined]
  const methods = surfacesOf(protocol).filter((surface) => senders.includes(surfaceFacts(protocol, surface)?.by))
  return optionsOf(methods, 'value', protocol)
}

/** Returns the message fields at a path; undefined outside messages. */
function messageKeys(mode: string, phase: Value, below: Path): Option[] | undefined {
  const fields = messageAt(mode, phase, below)?.fields
  return fields
    ?.toSorted((a, b) => Number(b.required) - Number(a.required))
    .map(({ name, type, required, about }) => keyOption(name, `${type}${required ? ' · required' : ''}`, about))
}

function stateKeys(mode: string, below: Path, isMapping: boolean): Option[] {
  if (below.length > 0 && typeof below.at(-1) !== 'number' && !isMapping) return []
  const keys = [...stateKeysAt(mode, below)].map(([label, about]) => keyOption(label, mode, about))
  // A prompt response is itself a message. `content` also works, but is not suggested.
  return below[0] === 'prompts' ? keys.filter(({ label }) => label !== 'content') : keys
}

function indicatorOf(walk: Walk, path: Path): IndicatorSite | undefined {
  const indicator = indicatorsOf(walk).find((candidate) => startsWith(path, candidate.path))
  if (indicator === undefined) return undefined
  // If all watched actors use the same protocol, the indicator uses it as well.
  const protocols = protocolsOf(walk, indicator)
  const [protocol] = protocols
  return indicator.protocol === undefined && protocols.length === 1 ? { ...indicator, protocol } : indicator
}

function protocolsOf(walk: Walk, indicator: IndicatorSite): string[] {
  const modes = watchedBy(walk, indicator).flatMap(({ mode }) => mode ?? [])
  return [...new Set(modes.map(extractProtocol))]
}

function watchedBy({ actors }: Walk, { value }: IndicatorSite): readonly ActorSite[] {
  const actor = own(value, 'actor')
  return actor === undefined ? actors : actors.filter(({ name }) => name === actor)
}

function flowPlaces(walk: Walk, isOrigin: boolean): Option[] {
  const owners = plantsIn(walk).planted.flatMap(({ owner }) => owner ?? [])
  const tools = optionsOf([...new Set(owners)], 'name', 'tool in the document')
  return isOrigin ? [...optionsOf(flowOrigins, 'value', 'origin'), ...tools] : tools
}

function indicatorValues(walk: Walk, indicator: IndicatorSite, below: Path): Option[] {
  const key = below.at(-1)
  if (key === 'actor')
    return walk.actors.flatMap(({ name, mode }) => (name === undefined ? [] : optionsOf([name], 'name', mode ?? '')))
  if (key === 'protocol') return optionsOf(knownProtocols(), 'value')
  if (below.at(-2) === FLOW) return flowPlaces(walk, key === 'from')
  if (key === 'surface') {
    const protocols = indicator.protocol === undefined ? protocolsOf(walk, indicator) : [indicator.protocol]
    return protocols.flatMap((protocol) => optionsOf(surfacesOf(protocol), 'value', protocol))
  }
  if (key !== 'target' && below.at(-2) !== 'variables') return []
  const targets = targetsFor(walk, indicator)
  const phases = watchedBy(walk, indicator).flatMap((actor) => actor.phases)
  const textsFirst = targets.toSorted((a, b) => Number(b.isText) - Number(a.isText))
  return textsFirst.flatMap(({ path, surface, direction, fromAgent }) => {
    const detail = `${direction} of ${surface}, ${fromAgent ? 'from the agent' : 'from the attacker'}`
    return optionsOf(withArguments([path], argumentNames(phases, surface)), 'path', detail)
  })
}
