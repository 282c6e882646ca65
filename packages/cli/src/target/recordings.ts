/** `--record` and `--replay`: a recording for each run, one for the judge and one for the attacker. */
import { join, resolve } from 'node:path'
import type { AttackOptions } from '@joust/arena'
import { openRunRecording, type RunRecording } from '@joust/models'
import { type Redactor, redactBody } from '@joust/results'
import { markedName } from '@joust/results/files'
import type { ModelTransport } from '@joust/runtime'
import { defined, err, ok, type Result } from '@joust/source'
import { armSuffix, type SuiteRun } from '@joust/trials'
import { isDirectory } from '../input/discover.ts'
import type { RunOptions } from '../options/run.ts'
import type { Io } from '../terminal/io.ts'

type RecordedRun = Pick<SuiteRun, 'file' | 'arm' | 'trial'>

export interface Recordings {
  readonly mode: RunRecording['mode']
  /** Opens the recording of a run. Throws a `ModelsError` if that fails. */
  open(run: RecordedRun & Pick<SuiteRun, 'attack' | 'canaries'>): RunRecording
  close(run: RecordedRun): void
  /** Opens the recording of the judge, which all runs share. */
  judge(): RunRecording
  attacker(): RunRecording
}

/** Reads `--record` and `--replay`; undefined without either. */
export function planRecordings(
  { record, replay, resume }: RunOptions,
  under: string,
  redactor: Redactor,
  io: Io,
): Result<Recordings | undefined, string> {
  const mode = record === undefined ? 'replay' : 'record'
  const word = record ?? replay
  if (word === undefined) return ok(undefined)
  // Each of several targets has its own folder.
  const folder = join(resolve(io.cwd, word), under)
  if (mode === 'replay' && !isDirectory(folder)) return err(`--replay ${word}: no such folder`)
  const open = new Map<string, RunRecording>()
  const redact = (text: string) => redactBody(text, redactor)
  // Resumed runs have already been judged. No attack file has these names.
  const shared = (attack: string) => {
    const options = { redact, append: resume !== undefined }
    return openRunRecording(join(folder, `${markedName(attack)}.jsonl`), mode, { attack, trial: 0 }, options)
  }
  return ok({
    mode,
    open({ file, arm, trial, attack: { fingerprint }, canaries }) {
      const attack = `${file}${armSuffix(arm)}`
      const path = join(folder, `${markedName(file)}${armSuffix(arm)}.${trial}.jsonl`)
      const recording = openRunRecording(path, mode, defined({ attack, trial, fingerprint, canaries }), { redact })
      // A retry replaces the recording of the run.
      open.get(path)?.close()
      open.set(path, recording)
      return recording
    },
    close({ file, arm, trial }) {
      const path = join(folder, `${markedName(file)}${armSuffix(arm)}.${trial}.jsonl`)
      open.get(path)?.close()
      open.delete(path)
    },
    judge: () => shared(':judge'),
    attacker: () => shared(':attacker'),
  })
}

/** Returns the transport of models in this process. Simulated models do not use recordings and are run again. */
export function transportOf({ fetch, mode }: RunRecording): ModelTransport {
  return { fetch, isLive: mode === 'record' }
}

/** Adds a recording to a run. If recording fails, the target fails, because an agent may ignore the error. */
export function withRecording(options: AttackOptions, recording: RunRecording | undefined): AttackOptions {
  const { target } = options
  if (target === undefined || recording === undefined) return options
  return {
    ...options,
    target: {
      ...target,
      async start(arena) {
        const session = await target.start(arena)
        return { ...session, faults: () => [...(session.faults?.() ?? []), ...recording.problems()] }
      },
    },
  }
}
