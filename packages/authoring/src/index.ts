/** Writes attacks: recorded sessions, attacks aimed at real tools, imported benchmarks. */

export type {
  BenchmarkFolder,
  Imported,
  ImportedDocument,
  ImportedTrace,
  Importer,
  ImportFault,
  ImportOptions,
  SkippedCase,
} from './import/importer.ts'
export { importers } from './import/table.ts'
export type { Session, SessionCall, SessionServer, SessionTool } from './session/session.ts'
