/** Cassettes: calls of models and endpoints, kept for one trial of one attack, and played back without calling any. */
import type { LanguageModel } from '@joust/runtime'
import type { HttpSend } from '../model/http.ts'
import type { Target } from '../model/target.ts'
import { createHttpSend } from '../transport/http-client.ts'
import { type CassetteScope, openLines, readLines } from './file.ts'
import { recordHttp, replayHttp } from './http.ts'
import { recordModel, replayModel } from './model.ts'
import { createReplay } from './replay.ts'
import { createTape, type Redact } from './tape.ts'

/** A recording that is being made or played. */
export interface Cassette {
  readonly mode: 'record' | 'replay'
  /** The model with its calls recorded; in a replay, one that repeats them and never calls it. */
  model(model: LanguageModel, name?: string): LanguageModel
  /** In a replay, the model that was recorded under a name; undefined while recording, or when there is none. */
  recorded(name: string): LanguageModel | undefined
  /** Requests, by default over sockets, recorded; in a replay they reach nobody. */
  http(send?: HttpSend): HttpSend
  /** Calls of a replay that were not recorded. Each has failed; an agent may have continued anyway. */
  missed(): readonly string[]
  /** Ends a recording; calls still under way are kept as far as they have come. */
  close(): void
}

/** Options of a cassette. */
export interface CassetteOptions {
  /** Applied to everything before it is written, and to what is looked up: a replay needs the same function. */
  readonly redact?: Redact
  /** Texts that are hidden even where a stream of events spells one out in pieces. */
  readonly secrets?: readonly string[]
  /** Whether to continue an existing recording instead of starting over. */
  readonly append?: boolean
}

/** Opens the cassette of a run. Throws an `ArenaError` when it cannot be written, or is not there to be played. */
export function openCassette(
  folder: string,
  mode: Cassette['mode'],
  scope: CassetteScope,
  { redact = (value) => value, secrets = [], append = false }: CassetteOptions = {},
): Cassette {
  if (mode === 'record') {
    const tape = createTape(openLines(folder, scope, append), redact, secrets)
    return {
      mode,
      model: (model, name = nameOf(model)) => recordModel(model, name, tape),
      recorded: () => undefined,
      http: (send = createHttpSend()) => recordHttp(send, tape),
      missed: () => [],
      close: tape.close,
    }
  }
  const replay = createReplay(readLines(folder, scope), redact)
  return {
    mode,
    model: (model, name = nameOf(model)) =>
      replayModel({ name, provider: model.provider, model_id: model.modelId }, replay),
    recorded(name) {
      const known = replay.model(name)
      return known === undefined ? undefined : replayModel(known, replay)
    },
    http: () => replayHttp(replay),
    missed: replay.missed,
    close() {},
  }
}

function nameOf({ provider, modelId }: LanguageModel): string {
  return `${provider}/${modelId}`
}

/** A target whose faults include calls that were not recorded: an agent may swallow one and carry on regardless. */
export function replayedTarget(target: Target, cassette: Cassette): Target {
  return {
    ...target,
    async start(arena) {
      const session = await target.start(arena)
      const faults = () => [...(session.faults?.() ?? []), ...cassette.missed().map((miss) => `replay: ${miss}`)]
      return { ...session, faults }
    },
  }
}
