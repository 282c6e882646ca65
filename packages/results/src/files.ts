/** Reads and writes results and traces on disk (`@joust/results/files`). Requires Node.js. */

export { createFileNames, markedName } from './files/file-names.ts'
export {
  loadResults,
  openTrace,
  RESULTS_FILE,
  RESULTS_HOME,
  RESULTS_MARK,
  type StoredResults,
  saveResults,
  scanResults,
  writtenEntries,
} from './files/folder.ts'
export { loadPackedResults } from './files/packed.ts'
export { type MemoryTrace, memoryTrace, readTrace, type TraceItems, writeTrace } from './files/trace-file.ts'
