/** Records sessions, writes attacks on the recorded tools, and imports benchmarks. */

export type { ClassifiedTool, Finding, Label } from '@joust/arena/inventory'
export { type Aimed, type AimOptions, aimAttacks, type Rejected } from './aim/aim.ts'
export type { AimedDocument } from './aim/document/document.ts'
export type { TechniqueName } from './aim/document/techniques.ts'
export { effectOf, type FlowFormat, type FlowMap, flowMapText } from './aim/flow-map.ts'
export { type Flow, type FlowList, findFlows, key as toolKey, type ToolPlace } from './aim/flows.ts'
export {
  type AskModel,
  type Corrections,
  classifySession,
  corrected,
  refineInventory,
  unknownCorrections,
} from './aim/inventory/inventory.ts'
export { type ListedServer, type Listing, type ListOptions, listServers } from './aim/listing/list-servers.ts'
export { readToolsFile } from './aim/listing/tools-file.ts'
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
export { type RuleMatch, type RuleText, readRuleTexts, readTextRules } from './import/text-rules.ts'
export { type RecordedAgent, startAgent } from './record/agent-process.ts'
export { type ReplacedConfig, recoverConfig, replaceConfig } from './record/config-file.ts'
export type { Peer } from './record/dialogue.ts'
export { type RecorderOptions, type Recording, SESSION_FILE, startRecorder, TRACE_FILE } from './record/recorder.ts'
export { rewriteConfig } from './session/config/entries.ts'
export { fillEntry } from './session/config/fill.ts'
export { configSecrets } from './session/config/secrets.ts'
export type { ServerEntry } from './session/config/server-entry.ts'
export { createSecretHider, type SecretHider } from './session/placeholders.ts'
export { readSession } from './session/read-session.ts'
export type { Session, SessionCall, SessionServer, SessionTool } from './session/session.ts'
export { SESSION_MARK, writeSession } from './session/write-session.ts'
