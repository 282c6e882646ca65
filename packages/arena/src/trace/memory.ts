/** A trace in memory, for whoever keeps it elsewhere than in a file. */
import { type ArenaError, toArenaError } from '../model/errors.ts'
import type { TraceWriter } from './file.ts'
import { endLine, versionLine } from './header.ts'
import { traceLine } from './write.ts'

/** A trace that grows in memory. */
export interface MemoryTrace extends TraceWriter {
  /** Everything written so far, as a file would hold it. */
  text(): string
}

/** Begins a trace; more than `most` characters are a fault, as a full disk is. */
export function memoryTrace(most: number): MemoryTrace {
  const lines = [versionLine()]
  let length = 0
  let fault: ArenaError | undefined
  let closed = false
  const put = (line: string) => {
    if (fault !== undefined || closed) return
    length += line.length + 1
    if (length <= most) lines.push(line)
    else fault = toArenaError('trace_failed', 'the trace could not be kept', `it has more than ${most} characters`)
  }
  return {
    write: (entry) => put(traceLine(entry)),
    fault: () => fault,
    async close(ending) {
      put(endLine({ ended: 'done', ...ending, entries: lines.length - 1 }))
      closed = true
      if (fault !== undefined) throw fault
    },
    text: () => `${lines.join('\n')}\n`,
  }
}
