/** Runs one OATF attack over real protocols and judges it. */

export type { Clock } from '@joust/io'
export { type Assessed, type Assessor, createAssessor } from './judge/assess.ts'
export { baitChannels } from './judge/channel.ts'
export { judgeEachMessage } from './judge/each-message.ts'
export { errorAnswer } from './judge/error-answer.ts'
export { type ClientMessage, finalAnswer } from './judge/final-answer.ts'
export { errorAlong, textsAt } from './judge/json-failure.ts'
export { createJudge, type Judge, type JudgeOptions, judge } from './judge/judge.ts'
export { mainCallsIn } from './judge/main-calls.ts'
export { type Decision, type OutcomeFacts, outcomeOf, unknownFacts } from './judge/outcome.ts'
export { hasWord, newWord } from './judge/postflight.ts'
export { actorNameOf, RECORDED_PHASE, recordedActors } from './judge/recorded-actors.ts'
export { type AvailableEvaluators, shortfallsOf, skippedIndicators } from './judge/shortfalls.ts'
export { leftSentence, PREFLIGHT_TOOL, watchHandshakes } from './judge/untested.ts'
export { ArenaError, type ArenaErrorCode, codeOfStatus, toArenaError, unwrapWiring } from './model/errors.ts'
export { arenaLimits, defaultRunLimits, forgetOldest, type RunLimits } from './model/limits.ts'
export { type Need, type NeedName, needTable, textOfParts } from './model/needs/need.ts'
export {
  type Abilities,
  type ActorNeeds,
  type AttackNeeds,
  lackingOf,
  lackingOfServed,
  needsOf,
} from './model/needs.ts'
export type { AttackOptions, CallUsage, RunEvent, Turn } from './model/options.ts'
export type {
  AppEvent,
  AskedApproval,
  ClientActor,
  FolderEvent,
  LastError,
  ListedTool,
  ModelObservation,
  ObservedCall,
  ServerActor,
  Target,
  TargetArena,
  TargetSession,
} from './model/target.ts'
export type { RealServer, RealTool, RecordedAnswer, Through, ToolDecision } from './model/through.ts'
export type { ClientEnd, ClientMode, Connect, Listen, Pipe, ServerMode } from './model/wiring.ts'
export { type AttackRun, runAttack } from './run.ts'
export { runEvents } from './run-events.ts'
export { decideTools } from './through/decide.ts'
export { modelCallsOf } from './trace/model-entries.ts'
