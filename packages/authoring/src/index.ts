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
export { type RecordedAgent, startAgent } from './record/agent-process.ts'
export { type ReplacedConfig, recoverConfig, replaceConfig } from './record/config-file.ts'
export type { Peer } from './record/dialogue.ts'
export { type RecorderOptions, type Recording, SESSION_FILE, startRecorder, TRACE_FILE } from './record/recorder.ts'
export { rewriteConfig } from './session/config/entries.ts'
export type { ServerEntry } from './session/config/server-entry.ts'
export type { Session, SessionCall, SessionServer, SessionTool } from './session/session.ts'
export { SESSION_MARK, writeSession } from './session/write-session.ts'
