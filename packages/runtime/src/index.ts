/** Runs Agent Format agents with execution policies, hard limits, approvals, memory and governance. */

export type { AccessOptions, Clock } from '@joust/io'
export type { ConfigCode, ConfigDiagnostic } from './config/findings.ts'
export { type BindingOptions, loadBindings } from './config/load-bindings.ts'
export type { ModelPrice } from './config/read-host.ts'
export { type FolderRegistry, folderRegistry, type HttpRegistry, httpRegistry } from './config/registry.ts'
export { mcpTransport } from './connectors/mcp-binding.ts'
export { EVENTS_VERSION, type EventFile, jsonLines, openEventFile } from './events/jsonl.ts'
export { createSpanExporter, type SpanExporter, type SpanExporterOptions } from './events/otlp.ts'
export { lock as lockFile } from './journal/lock.ts'
export { createInMemory, type InMemoryOptions } from './memory/memory.ts'
export { createMemoryFile, type MemoryFileOptions } from './memory/memory-file.ts'
export type { ApprovalAnswer, ApprovalRequest, Approver } from './model/approval.ts'
export type {
  CommandBinding,
  LocalTool,
  McpBinding,
  RemoteAgentBinding,
  ToolContext,
  ToolFunction,
  UrlBinding,
} from './model/bindings.ts'
export type {
  McpConnection,
  McpHandlers,
  McpTool,
  Observation,
  RemoteAgentConnection,
  RemoteRequest,
  RemoteSkill,
  RemoteThread,
} from './model/connection.ts'
export type { ClientTool, ClientToolCall, ConversationMessage } from './model/conversation.ts'
export { type RunCode, type RunError, RunFailure } from './model/errors.ts'
export type {
  ApprovalKind,
  CallableKind,
  EventListener,
  PolicyPlace,
  RequestedCall,
  RunEvent,
  TokenUsage,
  Usage,
  WarningCode,
} from './model/events.ts'
export type {
  GovernanceApproval,
  GovernancePolicy,
  GovernanceProvider,
  Guardrail,
  GuardrailAnswer,
  GuardrailSubject,
} from './model/governance.ts'
export type { JournalOptions } from './model/journal.ts'
export type { EarlierLanguageModel, LanguageModel } from './model/language-model.ts'
export type { MemoryProvider, MemoryTurn } from './model/memory.ts'
export type {
  FinishedModelCall,
  McpRequestHandler,
  ModelBinding,
  ModelResolver,
  ModelTransport,
  RunOptions,
  RunResult,
  RuntimeOptions,
  RunWarning,
  ServedModel,
  ServedResult,
  Timeouts,
  Transform,
  TransformInput,
  VendorCall,
  VendorPolicy,
} from './model/options.ts'
export { outputText } from './model/output-text.ts'
export { type InferOutput, type StandardSchema, type ToolOptions, tool } from './model/tool.ts'
export { type ModelRefusal, probeModel } from './models/probe-model.ts'
export { addressVariables, keyVariables, modelBeginnings } from './models/providers.ts'
export { type Environment, type ModelProblem, resolveModel } from './models/resolve-model.ts'
export { createRuntime, type PlainRunOptions, type Runtime } from './runtime.ts'
export type { ServedAll, ServedProtocol } from './serve/all.ts'
export { createAnswerText } from './serve/answer-text.ts'
export type { Served, ServeOptions } from './serve/http.ts'
export type { ServedStdio, StdioOptions } from './serve/mcp-stdio.ts'
export { serveA2a, serveAgUi, serveAll, serveMcp, serveMcpStdio } from './serve/on-demand.ts'
export { inputFromText } from './serve/text.ts'
