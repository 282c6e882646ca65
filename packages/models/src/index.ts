/** Model services: a proxy between agents and their models, wire formats, simulated models and recordings. */

export { bodyText } from './http/body.ts'
export type { Capture } from './http/capture.ts'
export type { ReceivedRequest, Responder } from './http/respond.ts'
export { createUpstreamPool, type UpstreamPool } from './http/upstream.ts'
export { type LocalRun, type LocalRunOptions, type LocalSource, openLocalRun } from './local-run.ts'
export type {
  AnswerCall,
  Exchange,
  ExchangeEnd,
  Finish,
  HeaderList,
  ModelAnswer,
  ModelCall,
  ModelRequest,
  OfferedTool,
  PromptMessage,
  ToolChoice,
  Usage,
  Wire,
} from './model/call.ts'
export { type ModelDiagnostic, type ModelDiagnosticCode, modelDiagnostics } from './model/diagnostics.ts'
export { ModelsError, type ModelsErrorCode } from './model/errors.ts'
export {
  type AnswerSource,
  type ModelProxy,
  type ModelProxyOptions,
  type ModelRun,
  type RunOptions,
  startModelProxy,
} from './proxy.ts'
export { createReader, type Reading } from './reading.ts'
export {
  openRecording,
  type RecordedExchange,
  type Recording,
  type RecordingOptions,
  type RecordingScope,
  type RecordingWriter,
  readRecording,
} from './recording/recording.ts'
export { createReplay, type Replay } from './recording/replay.ts'
export { openRunRecording, type RunRecording, type RunRecordingOptions } from './recording/run-recording.ts'
export { type SimulatedOptions, simulated } from './simulated.ts'
export { readCall } from './wire/read-call.ts'
export { wireOf } from './wire/table.ts'
export type { WireError, WriteOptions } from './wire/wire.ts'
export { type AnsweredRequest, type Reply, writeAnswer, writeError } from './wire/write-answer.ts'
