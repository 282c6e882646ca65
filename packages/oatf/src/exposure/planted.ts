/** Every text that the attacker wrote, and where: what may reach the agent. */
import { formatPath, isList, isRecord, own, ownText, type Path, type Value, valueAt } from '@joust/source'
import { type Role, roleOf } from '../bindings/binding.ts'
import { findMode } from '../bindings/table.ts'
import {
  type ActorSite,
  type PhaseSite,
  phaseName,
  type Site,
  siteAt,
  sitesAt,
  type Walk,
  without,
} from '../rules/walk.ts'
import { type Mark, markOf } from './marks.ts'

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
  readonly methods?: readonly string[]
  /** What of it goes on the wire, each in a message of its own, where this is not the value as it is. */
  readonly sent?: readonly SentPart[]
  /** What it is a part of, where the document names just a part. */
  readonly whole?: Planted
}

type SentPart = Pick<Planted, 'at' | 'value'>
type Piece = Pick<Planted, 'at' | 'value' | 'kind' | 'sent' | 'methods'> & { readonly owner?: string | undefined }

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
      // An empty thing is nothing that could be sent; an answer that sends nothing is one that nobody has written.
      const pieces = read(phase).filter(({ value, sent }) => sent?.length === 0 || markOf(value) !== undefined)
      return pieces.map(({ owner, ...piece }) => ({
        ...piece,
        ...common,
        path: formatPath(piece.at),
        ...(owner === undefined ? {} : { owner }),
      }))
    }),
  )
}

/** How a thing is recognized on the wire: one mark for each message that brings it. */
export function marksOf(item: Planted): Mark[] {
  const whole = item.whole ?? item
  const sent = whole.sent ?? [{ at: whole.at, value: whole.value }]
  return sent.flatMap(({ at, value }) => {
    const isInside = isPrefix(at, item.at)
    if (!isInside && !isPrefix(item.at, at)) return []
    const key = at.findLast((step) => typeof step === 'string')
    return markOf(value, String(key), isInside ? item.at.slice(at.length) : []) ?? []
  })
}

/** Whether a path leads to another, or below it. */
export function isPrefix(prefix: Path, path: Path): boolean {
  return prefix.length <= path.length && prefix.every((step, index) => step === path[index])
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
  const sent = entries.map(entryPiece)
  return state === undefined ? sent : [...statePieces(state), ...sent]
}

function entryPiece(entry: Site): Piece {
  const sent = [...partsAt(entry, 'send', 'params'), ...partsAt(entry, 'send_push_notification', 'payload')]
  return { ...pieceOf(entry, 'message'), ...methodsIn([entry.value]), ...(sent.length > 0 && { sent }) }
}

function methodsIn(steps: readonly Value[]): Pick<Planted, 'methods'> {
  const methods = steps.flatMap((step) => ownText(own(step, 'send'), 'method') ?? [])
  return methods.length === 0 ? {} : { methods }
}

/** What a thing has at a path below it. */
function partsAt({ path, value }: Site, ...below: Path): SentPart[] {
  const found = valueAt(value, below)
  return found === undefined ? [] : [{ at: [...path, ...below], value: found }]
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
    if (key === 'elicitations') return sitesAt(state, key).map(elicitationPiece)
    if (key === 'actions') return sitesAt(state, key).map(actionPiece)
    return key === 'run_agent_input' && isRecord(value) ? inputPieces({ path: at, value }) : []
  })
}

/** What a listing shows of an entry, and what the agent gets when it asks for it. */
function listedPieces(entry: Site): Piece[] {
  const { path, value } = entry
  const owner = ownText(value, 'name') ?? ownText(value, 'uri')
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
  const entry = { path, value: without(value, 'when', 'synthesize', 'x-joust-during') }
  // Of a prompt that has both, the messages are sent.
  const [said] = [...partsAt(entry, 'messages'), ...partsAt(entry, 'content')]
  const sent = said === undefined || markOf(said.value) === undefined ? [] : [said]
  const isSaid = sent.length > 0 || own(value, 'synthesize') !== undefined
  const answer: Piece = { ...pieceOf(entry, 'answer', owner), ...(isSaid && { sent }) }
  if (!isList(during)) return [answer]
  const at = [...path, 'x-joust-during']
  const steps = during.flatMap((step, index) => (isRecord(step) ? [{ path: [...at, index], value: step }] : []))
  // Requests, if there are any: progress is reported only to those who want it.
  const requests = steps.filter(({ value: step }) => !String(valueAt(step, ['send', 'method'])).startsWith('notif'))
  const parts = (requests.length > 0 ? requests : steps).flatMap((step) => partsAt(step, 'send', 'params'))
  const question: Piece = { at, value: during, kind: 'question', owner, sent: parts, ...methodsIn(during) }
  return parts.length === 0 ? [answer] : [answer, question]
}

/** Each mode of an elicitation has keys of its own. */
function elicitationPiece({ path, value }: Site): Piece {
  const others = own(value, 'mode') === 'url' ? ['requestedSchema'] : ['url', 'elicitationId']
  const sent = [{ at: path, value: without(value, 'when', ...others) }]
  return { ...pieceOf({ path, value }, 'question'), sent, methods: ['elicitation/create'] }
}

/** What an action says is in its params. */
function actionPiece({ path, value }: Site): Piece {
  const params = own(value, 'params') ?? {}
  return { at: path, value: params, kind: 'message', sent: [{ at: [...path, 'params'], value: params }] }
}

function inputPieces(input: Site): Piece[] {
  return Object.entries(input.value).flatMap(([key, value]): Piece[] => {
    if (INPUT_LISTS.includes(key)) return sitesAt(input, key).map((entry) => pieceOf(entry, 'message'))
    const isData = key === 'state' || key === 'forwardedProps'
    return isData ? [{ at: [...input.path, key], value, kind: 'message' }] : []
  })
}
