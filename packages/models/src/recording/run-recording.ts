/** Records or replays the model calls of one run. */
import { messageOf } from '@joust/source'
import { openLocalRun } from '../local-run.ts'
import type { Exchange } from '../model/call.ts'
import { ModelsError } from '../model/errors.ts'
import type { AnswerSource } from '../proxy.ts'
import {
  openRecording,
  type Recording,
  type RecordingOptions,
  type RecordingScope,
  readRecording,
} from './recording.ts'
import { createReplay } from './replay.ts'

export interface RunRecording {
  readonly mode: 'record' | 'replay'
  /** The fresh canaries, by the token they replace: in a replay those in the recording, otherwise those of `scope`. */
  readonly canaries: NonNullable<RecordingScope['canaries']>
  /** Returns the source of answers for the proxy: in a replay the recording, otherwise `live`. */
  source(live: AnswerSource): AnswerSource
  /** Records an exchange. No effect in a replay. */
  readonly onExchange: (exchange: Exchange) => void
  /** A `fetch` for models in this process that records requests, or replays their answers without the network. */
  readonly fetch: typeof fetch
  /** Describes requests missing from the recording, or calls that could not be recorded. */
  problems(): readonly string[]
  close(): void
}

/** Options for {@link openRunRecording}. */
export interface RunRecordingOptions extends Pick<RecordingOptions, 'append' | 'redact'> {
  /** @default the global function */
  readonly fetch?: typeof fetch
}

/**
 * Opens the recording of a run. Throws a `ModelsError`, for example if the recording belongs to a different run.
 *
 * @example
 * const recording = openRunRecording('recordings/mine.jsonl', 'replay', { attack: 'mine', trial: 1 })
 */
export function openRunRecording(
  path: string,
  mode: RunRecording['mode'],
  scope: RecordingScope,
  options: RunRecordingOptions = {},
): RunRecording {
  if (mode === 'record') return recorded(path, scope, options)
  const recording = readRecording(path)
  refuseOthers(path, recording, scope)
  const replay = createReplay(recording.exchanges, options)
  const local = openLocalRun({ answer: replay.answer })
  return {
    mode,
    canaries: recording.scopes.at(-1)?.canaries ?? {},
    source: () => ({ answer: replay.answer }),
    onExchange() {},
    fetch: local.fetch,
    problems: () => replay.missed().map((message) => `replay: ${message}`),
    close: local.close,
  }
}

function recorded(path: string, scope: RecordingScope, options: RunRecordingOptions): RunRecording {
  const { fetch: live = fetch, ...writing } = options
  const writer = openRecording(path, { ...writing, scope })
  const problems: string[] = []
  let isClosed = false
  const onExchange = (exchange: Exchange) => {
    // The agent repeats a call without a response, and the repetition is recorded.
    if (isClosed || exchange.end === 'unanswered') return
    try {
      if (!writer.write(exchange)) problems.push(`a call to ${exchange.path} was not recorded: ${reasonOf(exchange)}`)
    } catch (thrown) {
      problems.push(`a call to ${exchange.path} was not recorded: ${messageOf(thrown)}`)
    }
  }
  const local = openLocalRun({ fetch: live, onExchange })
  return {
    mode: 'record',
    canaries: scope.canaries ?? {},
    source: (source) => source,
    onExchange,
    fetch: local.fetch,
    problems: () => problems,
    close() {
      if (isClosed) return
      local.close()
      isClosed = true
      writer.close()
    },
  }
}

function reasonOf({ diagnostics, end }: Exchange): string {
  if (diagnostics.length > 0) return diagnostics.map(({ message }) => message).join('; ')
  return end === 'left' ? 'the agent disconnected before its request was complete' : 'its content cannot be read'
}

function refuseOthers(path: string, { scopes }: Recording, scope: RecordingScope): void {
  const { attack, trial, fingerprint } = scope
  for (const other of scopes) {
    if (other.attack !== attack || other.trial !== trial)
      throw new ModelsError('recording_failed', `${path} was recorded for ${textOf(other)}, not for ${textOf(scope)}`)
    if (other.fingerprint !== fingerprint)
      throw new ModelsError('recording_failed', `${path} was recorded for another version of ${attack}; record again`)
  }
}

function textOf({ attack = 'no attack', trial }: Partial<RecordingScope>): string {
  return trial === undefined ? attack : `${attack}, trial ${trial}`
}
