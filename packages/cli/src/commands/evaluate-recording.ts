/** `joust evaluate ATTACK… --trace PATH`: a trace, a folder of traces, or OpenTelemetry spans. */
import { resolve } from 'node:path'
import { isDirectory } from '../input/discover.ts'
import { STDIN } from '../input/read.ts'
import type { EvaluateOptions } from '../options/results.ts'
import type { Io } from '../terminal/io.ts'
import { isSpanFile } from './span-file.ts'

export async function evaluateRecording(
  paths: readonly string[],
  options: EvaluateOptions & { readonly trace: string },
  io: Io,
): Promise<number> {
  const path = resolve(io.cwd, options.trace)
  if (options.trace !== STDIN && isDirectory(path))
    return (await import('./evaluate-folder.ts')).evaluateFolder(paths, options, io)
  if (options.trace !== STDIN && isSpanFile(path))
    return (await import('./evaluate-production.ts')).evaluateProduction(paths, options, io)
  return (await import('./evaluate-trace.ts')).evaluateTrace(paths, options, io)
}
