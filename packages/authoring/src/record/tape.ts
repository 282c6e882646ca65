/** Numbers and redacts recorded messages, and writes each message to the trace before it is passed on. */
import { modelCallsOf, RECORDED_PHASE } from '@joust/arena'
import type { Clock } from '@joust/io'
import type { ModelCall } from '@joust/models'
import {
  type EndReason,
  type ModelEntry,
  type Redacted,
  type Redactor,
  redactEnding,
  redactEntry,
  redactingSink,
  type TraceEntry,
} from '@joust/results'
import { writeTrace } from '@joust/results/files'
import { recordLimits } from './limits.ts'

/** A message to record, without number and time. */
export type RecordedMessage = Omit<TraceEntry, 'seq' | 'at' | 'elapsed_ms' | 'phase'>

interface TapeOptions {
  /**
   * Finds secrets that are split over the deltas of a stream. Entries are then held back for a while, and lost if
   * the recorder is killed.
   * @default false
   */
  readonly hasDeltas?: boolean
  /** Called with each entry as it is written. */
  readonly onWritten?: (entry: Redacted<TraceEntry>) => void
  readonly onModelWritten?: (entry: Redacted<ModelEntry>) => void
  /** Called with each entry before redaction. */
  readonly onEntry?: (entry: TraceEntry) => void
  /** Called once if the trace can no longer be written. Later messages are not recorded. */
  readonly onFault?: (fault: Error) => void
}

/** A recording in progress. */
export interface Tape {
  record(message: RecordedMessage): void
  recordModel(call: ModelCall): void
  /** Returns the number of recorded messages and of model calls. */
  counts(): { readonly messages: number; readonly calls: number }
  fault(): Error | undefined
  /** Writes the last line. Rejects if the trace could not be written. */
  close(ended: EndReason): Promise<void>
}

/** Creates a trace file and its tape. */
export function createTape(path: string, clock: Clock, redactor: Redactor, options: TapeOptions = {}): Tape {
  const { hasDeltas = false, onWritten, onModelWritten, onEntry, onFault } = options
  const started = clock.now()
  const writer = writeTrace(path, { started_at: new Date(started).toISOString() })
  const put = {
    write(entry: Redacted<TraceEntry>) {
      writer.write(entry)
      onWritten?.(entry)
    },
    writeModel(entry: Redacted<ModelEntry>) {
      writer.writeModel(entry)
      onModelWritten?.(entry)
    },
    fault: writer.fault,
  }
  const sink = redactingSink(put, redactor)
  const write = hasDeltas ? sink.write : (entry: TraceEntry) => put.write(redactEntry(entry, redactor))
  let [messages, calls] = [0, 0]
  let fault: Error | undefined
  let isClosed = false
  const check = () => {
    const problem = messages >= recordLimits.messages ? new Error(FULL) : writer.fault()
    if (fault !== undefined || problem === undefined) return
    fault = problem
    onFault?.(problem)
  }
  check()
  return {
    record(message) {
      if (isClosed || fault !== undefined) return
      messages += 1
      const now = clock.now()
      const times = { seq: messages, at: new Date(now).toISOString(), elapsed_ms: now - started }
      const entry: TraceEntry = { ...times, phase: RECORDED_PHASE, ...message }
      write(entry)
      onEntry?.(entry)
      check()
    },
    recordModel(call) {
      if (isClosed || fault !== undefined) return
      const [seen] = modelCallsOf({ calls: () => [call], missed: () => 0 }, started)
      if (seen === undefined) return
      calls += 1
      sink.writeModel({ ...seen.entry, model: calls })
      check()
    },
    counts: () => ({ messages, calls }),
    fault: () => fault,
    async close(ended) {
      if (isClosed) return
      isClosed = true
      sink.flush()
      const model = calls === 0 ? {} : { model: { calls, missed: 0, read: {} } }
      await writer.close(redactEnding({ ended, ...model }, redactor))
      if (fault !== undefined) throw fault
    },
  }
}

const FULL = `the recording has reached its maximum of ${recordLimits.messages} messages`
