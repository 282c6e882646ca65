/** The stage of an actor: handles messages from arrival to trigger. */
import {
  contentRoot,
  evaluateExtractor,
  evaluatePredicate,
  extractProtocol,
  interpolateValue,
  type MatchPredicate,
  type Phase,
  type PrimitiveOptions,
  type ResponseEntry,
  selectResponse,
} from '@joust/oatf'
import { isList, isRecord, messageOf, type Value, type ValueRecord } from '@joust/source'
import type { Incoming, Message, Scene, Stage } from '../drivers/driver.ts'
import type { Recorded, Recorder } from '../trace/recorder.ts'

interface StageOptions {
  readonly actor: string
  readonly mode: string
  readonly verbatim: boolean
  readonly strict: boolean
  /** True if the document reads `x-joust-headers`; otherwise headers are not recorded. */
  readonly readsHeaders: boolean
  readonly recorder: Recorder
  readonly values: CapturedValues
  readonly phases: readonly Phase[]
  readonly scene: () => Scene
  /** Resolves when the entry messages of the phase have been sent; undefined afterwards. */
  readonly entering: () => Promise<void> | undefined
  /** True once the run has ended; later messages are not recorded. */
  readonly over: () => boolean
  readonly count: (scene: Scene, surface: string, content: Value) => void
  readonly report: Stage['report']
}

export function createStage(options: StageOptions): Stage {
  const { actor, mode, strict, verbatim, scene: sceneNow, values, report, count } = options
  const protocol = extractProtocol(mode)
  const primitive: PrimitiveOptions = { onError: (error) => report('expression-failed', error.message) }
  const captured = values.visibleTo(actor)
  const roots = createRoots(options.phases, { actor, protocol })

  const recorded = ({ phase }: Scene, { headers, ...message }: Message): Recorded => {
    return { actor, mode, protocol, phase, ...message, ...(options.readsHeaders && headers && { headers }) }
  }
  const record = (scene: Scene, message: Message) => {
    if (!options.over()) options.recorder.record(recorded(scene, message))
  }
  const extract = (scene: Scene, message: Message) => {
    const isExcluded = message.malformed !== undefined || (strict && message.derived === true)
    if (options.over() || isExcluded) return
    for (const { extractor, root } of roots.extracted(scene, message)) {
      const value = evaluateExtractor(extractor, root, message.direction, primitive)
      if (value !== undefined) values.capture(actor, extractor.name, value)
    }
  }
  const fill = (value: Value, request?: Value, response?: Value): Value => {
    const filled = interpolateValue(value, captured, request, response)
    for (const { message } of filled.diagnostics) report('template-empty', message)
    return filled.value
  }

  return {
    ...{ actor, mode, strict, verbatim, scene: sceneNow },
    async receive({ also = [], counts = true, ...incoming }: Incoming, answer) {
      // The next phase may be entered meanwhile, with its own entry messages.
      for (let entering = options.entering(); entering !== undefined; entering = options.entering()) await entering
      if (options.over()) return
      const scene = options.scene()
      const message: Message = { ...incoming, flow: 'in' }
      const surfaces = [message.surface, ...also]
      for (const surface of surfaces) record(scene, { ...message, surface })
      extract(scene, message)
      try {
        await answer?.(scene)
      } catch (thrown) {
        report('content-malformed', `failed to answer ${message.surface}: ${messageOf(thrown)}`)
      }
      if (counts) for (const surface of surfaces) count(scene, surface, roots.matched(scene, { ...message, surface }))
    },
    record(scene, message) {
      record(scene, message)
      extract(scene, message)
    },
    send(scene, message) {
      if (options.over()) return { arrived() {}, lost() {} }
      const held = options.recorder.hold(recorded(scene, message))
      extract(scene, message)
      return held
    },
    count,
    fill,
    withHeaders: (request, headers) => (options.readsHeaders ? headersRoot({ headers, content: request }) : request),
    ...responseChoice(fill, primitive, report),
    report,
  }
}

const headersRoot = contentRoot(['x-joust-headers'])

/** Content roots for triggers and extractors ([OATF §5.3](https://oatf.io/specification/execution-profile/)). */
function createRoots(phases: readonly Phase[], of: Pick<Recorded, 'actor' | 'protocol'>) {
  const rows = phases.map(({ trigger, extractors }) => ({
    match: contentRoot(Object.keys(trigger?.match ?? {})),
    extractors: (extractors ?? []).map((extractor) => {
      return { extractor, rootOf: contentRoot(extractor.type === 'json_path' ? [extractor.selector] : []) }
    }),
  }))
  return {
    matched({ index }: Scene, message: Message): Value {
      const row = rows[index]
      return row === undefined ? message.content : row.match({ ...of, ...message })
    },
    extracted({ index }: Scene, message: Message) {
      const row = rows[index]?.extractors ?? []
      return row.map(({ extractor, rootOf }) => ({ extractor, root: rootOf({ ...of, ...message }) }))
    },
  }
}

function responseChoice(
  fill: Stage['fill'],
  primitive: PrimitiveOptions,
  report: Stage['report'],
): Pick<Stage, 'choose' | 'holds'> {
  /** Fills the templates in a condition before comparison (OATF §5.7). */
  const withWhen = (entry: ValueRecord, request: Value): ValueRecord =>
    entry.when === undefined ? entry : { ...entry, when: fill(entry.when, request) }
  return {
    choose(entries, request, path) {
      const resolved = isList(entries) ? entries.filter(isRecord).map((entry) => withWhen(entry, request)) : []
      const match = selectResponse(resolved, request, primitive)
      if (entries !== undefined && !isList(entries)) report('state-malformed', `${path} is not a list`, path)
      if (match?.synthesize !== undefined) {
        const none = 'synthesize is reserved, and the entry has no static content: the response was empty'
        if (isWritten(match)) report('synthesize-reserved', 'synthesize is reserved; the static content was used', path)
        else report('answer-unwritten', none, path)
      }
      return match satisfies ResponseEntry | undefined
    },
    holds(when, request) {
      if (when === undefined) return true
      // The type does not say that a predicate is plain data.
      const resolved = fill(when as Value, request)
      return isPredicate(resolved) && evaluatePredicate(resolved, request, primitive)
    },
  }
}

function isWritten(entry: ResponseEntry): boolean {
  return Object.keys(entry).some((key) => key !== 'when' && key !== 'synthesize' && !key.startsWith('x-'))
}

function isPredicate(when: unknown): when is MatchPredicate {
  return isRecord(when)
}

export interface CapturedValues {
  /** Returns a live map of values for an actor: its own by name, and those of every actor as `actor.name`. */
  visibleTo(actor: string): ReadonlyMap<string, string>
  capture(actor: string, name: string, value: string): void
}

export function createCapturedValues(actors: readonly string[]): CapturedValues {
  const views = new Map(actors.map((actor) => [actor, new Map<string, string>()]))
  return {
    visibleTo: (actor) => views.get(actor) ?? new Map(),
    capture(actor, name, value) {
      views.get(actor)?.set(name, value)
      for (const view of views.values()) view.set(`${actor}.${name}`, value)
    },
  }
}
