/** Cassettes: recorded calls of models and endpoints for one trial of one attack, and their replay. */
import type { LanguageModel } from '@joust/runtime'
import type { HttpSend } from '../model/http.ts'
import type { Target } from '../model/target.ts'
import { createHttpSend } from '../transport/http-client.ts'
import { type CassetteScope, openLines, readLines } from './file.ts'
import { recordHttp, replayHttp } from './http.ts'
import { recordModel, replayModel } from './model.ts'
import { createReplay } from './replay.ts'
import { createTape, type Redact } from './tape.ts'

/** A cassette in record or replay mode. */
export interface Cassette {
  readonly mode: 'record' | 'replay'
  /** Wraps a model to record its calls; in a replay, returns a model that repeats them. */
  model(model: LanguageModel, name?: string): LanguageModel
  /** In a replay, the model recorded under a name; otherwise undefined. */
  recorded(name: string): LanguageModel | undefined
  /** Wraps a transport, by default sockets, to record requests; in a replay, answers them without network access. */
  http(send?: HttpSend): HttpSend
  /** Messages about replayed calls that were not recorded. The calls failed, but the agent may have continued. */
  missed(): readonly string[]
  /** Ends a recording; pending calls are written as far as received. */
  close(): void
}

/** Options of a cassette. */
export interface CassetteOptions {
  /** Applied to recorded values and to lookups; a replay needs the same function. */
  readonly redact?: Redact
  /** Texts to redact even if split across the events of a stream. */
  readonly secrets?: readonly string[]
  /**
   * Continue an existing recording instead of replacing it.
   * @default false
   */
  readonly append?: boolean
}

/** Opens the cassette of a run. Throws an `ArenaError` when it cannot be written or read. */
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
      const model = replay.model(name)
      return model === undefined ? undefined : replayModel(model, replay)
    },
    http: () => replayHttp(replay),
    missed: replay.missed,
    close() {},
  }
}

function nameOf({ provider, modelId }: LanguageModel): string {
  return `${provider}/${modelId}`
}

/** A target whose faults include calls that were not recorded, since an agent may ignore such an error. */
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
