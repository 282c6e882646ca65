import type { ReadTraceOptions, Redacted, Results, TraceItem } from '@joust/results'

/** Redacted results, the input of every report. */
export type ReportInput = Redacted<Results>

/** Opens the trace of a trial. `of` are the results that contain it; `on` receives its model calls and last line. */
export type OpenTrace = (
  trace: string,
  of: ReportInput,
  on: Pick<ReadTraceOptions, 'onModel' | 'onEnding'>,
) => AsyncIterable<TraceItem>
