import type { ReadTraceOptions, Redacted, Results, TraceItem } from '@joust/results'

/** Redacted results, the input for every report. */
export type ReportInput = Redacted<Results>

/** Opens the trace of a trial. `of` contains the trial. `on` receives the trace's model calls and last line. */
export type OpenTrace = (
  trace: string,
  of: ReportInput,
  on: Pick<ReadTraceOptions, 'onModel' | 'onEnding'>,
) => AsyncIterable<TraceItem>
