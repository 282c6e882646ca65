import type { Redacted, Results, TraceItem } from '@joust/arena'

/** What every report on results is made from. */
export type ReportInput = Redacted<Results>

/** Opens the trace of a trial; `of` says whose it is when there are several results. */
export type OpenTrace = (trace: string, of: ReportInput) => AsyncIterable<TraceItem>
