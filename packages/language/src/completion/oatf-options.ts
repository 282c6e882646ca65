/** What the bindings let stand at a place of an attack, beyond its shape. */
import { frameworks, knownModes, knownProtocols } from '@joust/oatf'
import {
  BAIT,
  entryKeys,
  eventPaths,
  extractProtocol,
  findMode,
  type IndicatorSite,
  indicatorSites,
  messageAt,
  type PhaseSite,
  plantsIn,
  requestPaths,
  surfacesOf,
  TASK,
  targetsFor,
  type Walk,
} from '@joust/oatf/vocabulary'
import { isRecord, own, type Path } from '@joust/source'
import { isSchema, messageText, SCHEMA_KEYS } from '../grammar/message-texts.ts'
import { stateText } from '../grammar/state-texts.ts'
import { samePath, startsWith } from '../text/entry.ts'
import { textAt } from '../text/reading.ts'
import { type Option, optionsOf } from './option.ts'
import { jsonTypes, schemaOptions } from './schema-options.ts'

/** Values for a place. */
export function oatfValues(walk: Walk, path: Path): Option[] {
  const key = path.at(-1)
  if (path.length === 1) return key === 'oatf' ? optionsOf(['0.1'], 'value') : []
  if (path[1] === BAIT && path.length === 3) return baits(walk)
  const indicator = indicatorOf(walk, path)
  if (indicator !== undefined) return indicatorValues(walk, indicator, path.slice(indicator.path.length))
  const phase = phaseOf(walk, path)
  const below = phase === undefined ? [] : path.slice(phase.path.length)
  if (key === 'mode' && (phase === undefined || below.length === 1)) return optionsOf(knownModes(), 'value')
  if (phase !== undefined) return phaseValues(phase, below)
  return key === 'framework' ? optionsOf(frameworks, 'value') : []
}

/** Keys for a mapping. */
export function oatfKeys(walk: Walk, path: Path): Option[] {
  const phase = phaseOf(walk, path)
  const mode = phase?.mode
  if (phase === undefined || mode === undefined) return []
  const below = path.slice(phase.path.length)
  const [section, ...more] = below
  if (section === 'trigger' && samePath(more, ['match'])) {
    const event = textAt(phase.value, ['trigger', 'event'])
    return event === undefined ? [] : optionsOf(eventPaths(mode, event), 'path', `in ${event}`)
  }
  if (section === 'on_enter' && more.length === 1) return optionsOf(findMode(mode)?.entryActions ?? [], 'key', mode)
  const known = section === 'state' ? stateKeys(mode, more) : []
  const taken = new Set(known.map(({ label }) => label))
  return [...known, ...messageKeys(phase, mode, below).filter(({ label }) => !taken.has(label))]
}

/** What templates of an actor can name. */
export function templateOptions(walk: Walk, path: Path): Option[] {
  const actor = walk.actors.find((one) => startsWith(path, one.path) && phaseIn(one.phases, path) !== undefined)
  const phase = phaseOf(walk, path)
  const names = walk.actors.flatMap(({ name, phases }) =>
    phases.flatMap(({ value }) => extractorNames(value.extractors)).map((extractor) => ({ name, extractor })),
  )
  const seen = new Set<string>()
  const extractors = names.flatMap(({ name, extractor }): Option[] => {
    const label = name === actor?.name ? extractor : `${name}.${extractor}`
    if (seen.has(label)) return []
    seen.add(label)
    return [{ label, kind: 'name', detail: `extractor of ${name}` }]
  })
  const keys = phase === undefined ? [] : path.slice(phase.path.length + 1)
  const request = phase?.mode === undefined ? [] : requestPaths(phase.mode, keys)
  return [
    ...extractors,
    ...optionsOf(
      request.map((one) => `request.${one}`),
      'path',
      'of the request at hand',
    ),
  ]
}

function extractorNames(extractors: unknown): string[] {
  if (!Array.isArray(extractors)) return []
  return extractors.flatMap((one) => (isRecord(one) && typeof one.name === 'string' ? [one.name] : []))
}

function baits(walk: Walk): Option[] {
  return plantsIn(walk).planted.map(({ path, kind, actor }) => ({
    label: path,
    kind: 'path',
    detail: `${kind} of ${actor}`,
  }))
}

/** The phase that a path leads into; of the single-phase form, the execution itself. */
export function phaseOf(walk: Walk, path: Path): PhaseSite | undefined {
  return phaseIn(walk.phases, path) ?? beingWritten(walk, path)
}

function phaseIn(phases: readonly PhaseSite[], path: Path): PhaseSite | undefined {
  return phases.find((phase) => startsWith(path, phase.path) && (path.includes('phases') || path[2] === 'state'))
}

/** Where a key without a value hides the phase from the walk. */
function beingWritten({ actors }: Walk, path: Path): PhaseSite | undefined {
  const at = path.lastIndexOf('phases')
  const index = path[at + 1]
  if (at < 0 || typeof index !== 'number') return undefined
  const owner = actors.find((actor) => startsWith(path.slice(0, at), actor.path))
  return { path: path.slice(0, at + 2), value: {}, index, mode: owner?.mode }
}

function phaseValues({ mode, value }: PhaseSite, below: Path): Option[] {
  const [section, key] = below
  if (mode === undefined) return []
  if (section === 'trigger' && key === 'event')
    return optionsOf(findMode(mode)?.events ?? [], 'value', `event of ${mode}`)
  const schema = below.findIndex((one) => SCHEMA_KEYS.has(one))
  if (schema >= 0) return below.at(-1) === 'type' ? optionsOf(jsonTypes, 'value') : []
  const choices = messageAt(mode, value, below.slice(0, -1))?.fields.find(({ name }) => name === below.at(-1))?.choices
  if (choices !== undefined && choices.length > 0) return optionsOf(choices, 'value', extractProtocol(mode))
  const isMethod = below.at(-1) === 'method' && (section === 'on_enter' || key === 'actions')
  return isMethod ? optionsOf(surfacesOf(extractProtocol(mode)), 'value', extractProtocol(mode)) : []
}

/** What the messages of the protocol may hold there, and the schemas in them. */
function messageKeys({ value }: PhaseSite, mode: string, below: Path): Option[] {
  const schema = below.findIndex((key) => SCHEMA_KEYS.has(key))
  if (schema >= 0) return isSchema(below.slice(schema + 1)) ? schemaOptions() : []
  const fields = messageAt(mode, value, below)?.fields ?? []
  return [...fields.filter(({ required }) => required), ...fields.filter(({ required }) => !required)].map(
    ({ name, type, required }): Option => {
      const about = messageText(extractProtocol(mode), name)
      const detail = `${type}${required ? ' · required' : ''}`
      return { label: name, kind: 'key', detail, ...(about === '' ? {} : { about }) }
    },
  )
}

function stateKeys(mode: string, below: Path): Option[] {
  const [key, index, part] = below
  const told = (names: readonly string[], detail?: string): Option[] =>
    optionsOf(names, 'key', detail).map((option) => {
      const about = stateText(mode, [...below, option.label])?.text
      return about === undefined ? option : { ...option, about }
    })
  if (below.length === 0) return told(findMode(mode)?.stateKeys ?? [], mode)
  if (below.at(-1) === 'when') return optionsOf(requestPaths(mode, below), 'path', 'of the request')
  const isEntry = below.length === 2 && typeof index === 'number'
  if (isEntry || (below.length === 1 && key === 'run_agent_input')) return told(entryKeys(mode, String(key)))
  const isResponse = part === 'responses' ? below.length === 4 : isEntry && /_responses$/.test(String(key))
  return isResponse ? told(['when', 'content', 'x-joust-during']) : []
}

function indicatorOf(walk: Walk, path: Path): IndicatorSite | undefined {
  const task = own(walk.attack, TASK)
  const all = [...walk.indicators, ...(isRecord(task) ? indicatorSites(task, walk.execution, ['attack', TASK]) : [])]
  const found = all.find((indicator) => startsWith(path, indicator.path))
  if (found === undefined) return undefined
  // Where the document has actors, an indicator of only one protocol can mean no other.
  const protocols = protocolsOf(walk, found)
  return found.protocol === undefined && protocols.length === 1 ? { ...found, protocol: protocols[0] } : found
}

function protocolsOf({ actors }: Walk, { value }: IndicatorSite): string[] {
  const wanted = own(value, 'actor')
  const modes = actors.filter(({ name }) => wanted === undefined || name === wanted).flatMap(({ mode }) => mode ?? [])
  return [...new Set(modes.map(extractProtocol))]
}

function indicatorValues(walk: Walk, indicator: IndicatorSite, below: Path): Option[] {
  const key = below.at(-1)
  if (key === 'actor')
    return walk.actors.flatMap(({ name, mode }) =>
      name === undefined ? [] : [{ label: name, kind: 'name' as const, detail: mode ?? '' }],
    )
  if (key === 'protocol') return optionsOf(knownProtocols(), 'value')
  if (key === 'surface') {
    const protocols = indicator.protocol === undefined ? protocolsOf(walk, indicator) : [indicator.protocol]
    return protocols.flatMap((protocol) => optionsOf(surfacesOf(protocol), 'value', protocol))
  }
  if (key !== 'target' && below.at(-2) !== 'variables') return []
  const targets = targetsFor(walk, indicator)
  return [...targets.filter(({ isText }) => isText), ...targets.filter(({ isText }) => !isText)].map(
    ({ path, surface, direction, fromAgent }) => ({
      label: path,
      kind: 'path',
      detail: `${direction} of ${surface}, ${fromAgent ? 'from the agent' : 'from the attacker'}`,
    }),
  )
}
