/** Every text that the attacker wrote, and where: what may reach the agent. */
import { formatPath, isList, isRecord, own, ownText, type Path, type Value } from '@joust/source'
import { type Role, roleOf } from '../bindings/binding.ts'
import { findMode } from '../bindings/table.ts'
import {
  type ActorSite,
  type PhaseSite,
  phaseName,
  type Site,
  siteAt,
  sitesAt,
  textOf,
  type Walk,
  without,
} from '../rules/walk.ts'
import { markOf } from './marks.ts'

/**
 * How the agent gets it: with a listing, by asking for just this, because it is asked something, or because a client
 * says it; never, where the mode of the actor has no such key (`idle`).
 */
export type PlantKind = 'listing' | 'answer' | 'question' | 'message' | 'idle'

/** Whether the agent gets a thing only by its own action, not with what everybody is told. */
export function isFetched({ kind }: Pick<Planted, 'kind'>): boolean {
  return kind === 'answer' || kind === 'question'
}

/** One thing that the attacker wrote. */
export interface Planted {
  /** In the document as written. */
  readonly path: string
  readonly at: Path
  readonly value: Value
  readonly kind: PlantKind
  readonly actor: string
  readonly role: Role
  /** The names of the phases in which it is in force: that of its state, and those after it that have none. */
  readonly phases: readonly string[]
  /** The tool, resource or prompt that it belongs to. */
  readonly owner?: string
  /** The methods by which it is sent without being asked for: a question, a notification. */
  readonly sent?: readonly string[]
}

type Piece = Pick<Planted, 'at' | 'value' | 'kind' | 'sent'> & { readonly owner?: string | undefined }

/** Everything planted, in the order of the document. */
export function plantedIn(walk: Pick<Walk, 'actors'>): Planted[] {
  return collect(walk, piecesOf)
}

/** What a state has under a key that its mode does not know: meant to be found, but never sent. */
export function idleIn(walk: Pick<Walk, 'actors'>): Planted[] {
  return collect(walk, idlePieces)
}

function collect({ actors }: Pick<Walk, 'actors'>, read: (phase: PhaseSite) => Piece[]): Planted[] {
  return actors.flatMap((actor) =>
    actor.phases.flatMap((phase, index) => {
      const common = { actor: actor.name ?? 'default', role: roleOf(actor.mode ?? ''), phases: inForce(actor, index) }
      // An empty thing is nothing that could be sent.
      const pieces = read(phase).filter(({ value }) => markOf(value) !== undefined)
      return pieces.map(({ owner, ...piece }) => ({
        ...piece,
        ...common,
        path: formatPath(piece.at),
        ...(owner === undefined ? {} : { owner }),
      }))
    }),
  )
}

function inForce({ phases }: ActorSite, from: number): string[] {
  const later = phases.slice(from + 1)
  const next = later.findIndex((phase) => own(phase.value, 'state') !== undefined)
  return [phases[from], ...(next < 0 ? later : later.slice(0, next))].flatMap((phase) =>
    phase === undefined ? [] : [phaseName(phase)],
  )
}

function piecesOf(phase: PhaseSite): Piece[] {
  const state = siteAt(phase, 'state')
  const entries = sitesAt(phase, 'on_enter').filter(({ value }) => own(value, 'log') === undefined)
  const sent = entries.map((entry) => ({ ...pieceOf(entry, 'message'), ...methodsIn([entry.value]) }))
  return state === undefined ? sent : [...statePieces(state), ...sent]
}

function methodsIn(entries: readonly Value[]): Pick<Planted, 'sent'> {
  const sent = entries.flatMap((entry) => ownText(own(entry, 'send'), 'method') ?? [])
  return sent.length === 0 ? {} : { sent }
}

function pieceOf({ path, value }: Site, kind: PlantKind, owner?: string): Piece {
  return { at: path, value, kind, owner }
}

function idlePieces(phase: PhaseSite): Piece[] {
  const state = siteAt(phase, 'state')
  const mode = findMode(phase.mode ?? '')
  if (mode === undefined || state === undefined) return []
  const idle = Object.entries(state.value).filter(([key]) => !key.startsWith('x-') && !mode.stateKeys.includes(key))
  return idle.map(([key, value]) => ({ at: [...state.path, key], value, kind: 'idle' }))
}

/** Keys of a state whose entries are shown in a listing. */
const LISTED = ['tools', 'resources', 'resource_templates', 'prompts']
/** Keys of a state that are told to whoever connects or looks. */
const TOLD = ['instructions', 'server_info', 'capabilities', 'agent_card']
/** Lists of a state that answer requests of the agent. */
const ANSWERING = ['task_responses', 'tool_responses', 'sampling_responses', 'elicitation_responses']
/** Parts of an agent's input whose entries each count as a thing of their own. */
const INPUT_LISTS = ['messages', 'tools', 'context']

function statePieces(state: Site): Piece[] {
  return Object.entries(state.value).flatMap(([key, value]): Piece[] => {
    const at = [...state.path, key]
    if (TOLD.includes(key)) return [{ at, value, kind: 'listing' }]
    if (LISTED.includes(key)) return sitesAt(state, key).flatMap(listedPieces)
    if (ANSWERING.includes(key)) return sitesAt(state, key).flatMap((entry) => answerPieces(entry))
    if (key === 'elicitations')
      return sitesAt(state, key).map((entry) => ({ ...pieceOf(entry, 'question'), sent: ['elicitation/create'] }))
    if (key === 'actions') return sitesAt(state, key).map(actionPiece)
    return key === 'run_agent_input' && isRecord(value) ? inputPieces({ path: at, value }) : []
  })
}

/** What a listing shows of an entry, and what the agent gets when it asks for it. */
function listedPieces(entry: Site): Piece[] {
  const { path, value } = entry
  const owner = textOf(value, 'name') ?? textOf(value, 'uri')
  const content = own(value, 'content')
  return [
    { at: path, value: without(value, 'responses', 'content'), kind: 'listing', owner },
    ...sitesAt(entry, 'responses').flatMap((response) => answerPieces(response, owner)),
    ...(content === undefined ? [] : [{ at: [...path, 'content'], value: content, kind: 'answer' as const, owner }]),
  ]
}

/** An answer, and what is asked or sent while it is made. */
function answerPieces({ path, value }: Site, owner?: string): Piece[] {
  const during = own(value, 'x-joust-during')
  const answer = pieceOf({ path, value: without(value, 'when', 'synthesize', 'x-joust-during') }, 'answer', owner)
  if (during === undefined) return [answer]
  const entries = isList(during) ? during : []
  return [answer, { at: [...path, 'x-joust-during'], value: during, kind: 'question', owner, ...methodsIn(entries) }]
}

/** What an action says is in its params. */
function actionPiece({ path, value }: Site): Piece {
  return { at: path, value: own(value, 'params') ?? {}, kind: 'message' }
}

function inputPieces(input: Site): Piece[] {
  return Object.entries(input.value).flatMap(([key, value]): Piece[] => {
    if (INPUT_LISTS.includes(key)) return sitesAt(input, key).map((entry) => pieceOf(entry, 'message'))
    const isData = key === 'state' || key === 'forwardedProps'
    return isData ? [{ at: [...input.path, key], value, kind: 'message' }] : []
  })
}
