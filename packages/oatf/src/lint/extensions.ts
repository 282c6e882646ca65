/** Finds all `x-joust-` keys in a document, with the extensions that are valid at the location of each. */
import { isList, isRecord, own, type Path, type Value } from '@joust/source'
import type { BindingMode } from '../bindings/binding.ts'
import { HEADERS } from '../bindings/http-parts.ts'
import { OVERLAY } from '../bindings/overlay.ts'
import { findMode } from '../bindings/table.ts'
import { FILES } from '../bindings/workspace.ts'
import { VERBATIM } from '../dialects/places.ts'
import { BAIT } from '../exposure/bait.ts'
import { CANARIES } from '../exposure/canaries.ts'
import { PLACEBO } from '../exposure/placebo.ts'
import { CVSS } from '../model/cvss.ts'
import { DURING } from '../model/extension-shapes.ts'
import { FLOW } from '../model/flow-pattern.ts'
import { MUTATIONS, PARENT } from '../model/lineage.ts'
import { REMEDIATION } from '../model/remediation.ts'
import { TASK } from '../rules/task.ts'
import { type ActorSite, type PhaseSite, siteAt, sitesAt, type Walk } from '../walk/walk.ts'

const PREFIX = 'x-joust-'

interface ExtensionSite {
  readonly path: Path
  readonly key: string
  /** The key, or only its first step if the key is a path, such as `x-joust-headers.authorization`. */
  readonly name: string
  readonly value: Value
  /** A noun for the mapping that contains the key. */
  readonly place: string
  /** The extensions that have an effect in this mapping. */
  readonly known: readonly string[]
  /** The mode; set only for state keys. */
  readonly mode?: BindingMode
}

type Place = Omit<ExtensionSite, 'path' | 'key' | 'name' | 'value'>

const attack: Place = {
  place: 'an attack',
  known: [BAIT, CANARIES, CVSS, FILES, PLACEBO, REMEDIATION, TASK, VERBATIM, MUTATIONS, PARENT],
}
const execution: Place = { place: 'an execution', known: [] }
const indicator: Place = { place: 'an indicator', known: [FLOW] }
const actor: Place = { place: 'an actor', known: [] }
const phase: Place = { place: 'a phase', known: [] }
const condition: Place = { place: 'a condition', known: [HEADERS] }
const request: Place = { place: 'an action', known: [HEADERS] }
const message: Place = { place: 'a message', known: [] }

const parts: readonly { readonly path: RegExp; readonly is: Place }[] = [
  { path: /(^|\.)when$/, is: condition },
  { path: /^actions\.\*$/, is: request },
  { path: /^on_enter\.\*\.send_push_notification$/, is: request },
  { path: /^tools\.\*\.responses\.\*$/, is: { place: 'a response', known: [DURING, OVERLAY] } },
  { path: /^prompts\.\*\.responses\.\*$/, is: { place: 'a prompt response', known: [DURING] } },
]
/** Finds extensions in all modes that a binding defines, and keys that resemble extensions. */
export function extensionSites(walk: Walk): readonly ExtensionSite[] {
  return [
    ...keysOf(walk.attack, ['attack'], attack),
    ...keysOf(walk.execution, ['attack', 'execution'], execution),
    ...walk.indicators.flatMap(({ value, path }) => keysOf(value, path, indicator)),
    ...walk.actors.flatMap(actorSites),
  ]
}

function actorSites({ form, value, path, phases }: ActorSite): readonly ExtensionSite[] {
  return [
    ...(form === 'actors' ? keysOf(value, path, actor) : []),
    ...phases.flatMap((site) => [
      ...(form === 'state' ? [] : keysOf(site.value, site.path, phase)),
      ...phaseSites(site),
    ]),
  ]
}

function phaseSites(site: PhaseSite): readonly ExtensionSite[] {
  const mode = site.mode === undefined ? undefined : findMode(site.mode)
  if (mode === undefined) return []
  const state = siteAt(site, 'state')
  const trigger = siteAt(site, 'trigger')
  const match = trigger && siteAt(trigger, 'match')
  const known = mode.stateKeys.filter((key) => key.startsWith(PREFIX))
  return [
    ...(match === undefined ? [] : keysOf(match.value, match.path, condition)),
    ...(state === undefined ? [] : keysOf(state.value, state.path, { place: `a state of ${mode.mode}`, known, mode })),
    ...(state === undefined ? [] : belowSites(state.value, state.path, '')),
    ...sitesAt(site, 'on_enter').flatMap(({ value, path }) => [
      ...keysOf(value, path, hasRequest(value, mode) ? request : message),
      ...belowSites(value, path, 'on_enter.*'),
    ]),
  ]
}

/** True for an entry action that sends a separate request. Other messages from a server are part of a response. */
function hasRequest(action: Value, { role }: BindingMode): boolean {
  return own(action, 'send_push_notification') !== undefined || (role === 'client' && own(action, 'send') !== undefined)
}

/** Finds extensions. `at` is the path in the state or, for entry actions, in the phase, with `*` for list positions. */
function partSites(value: Value, path: Path, at: string): readonly ExtensionSite[] {
  const is = parts.find((part) => part.path.test(at))?.is ?? message
  return [...keysOf(value, path, is), ...belowSites(value, path, at)]
}

function belowSites(value: Value, path: Path, at: string): readonly ExtensionSite[] {
  if (isList(value)) return value.flatMap((item, index) => partSites(item, [...path, index], `${at}.*`))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, item]) =>
    partSites(item, [...path, key], at === '' ? key : `${at}.${key}`),
  )
}

function keysOf(mapping: Value, path: Path, is: Place): readonly ExtensionSite[] {
  if (!isRecord(mapping)) return []
  return Object.entries(mapping).flatMap(([key, value]) => {
    if (!key.startsWith(PREFIX)) return []
    const name = is === condition ? (key.split('.')[0] ?? key) : key
    return [{ ...is, path: [...path, key], key, name, value }]
  })
}
