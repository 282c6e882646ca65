/** The web application of Joust and its server on loopback. */
export type {
  AimDocuments,
  AimInput,
  AimRequest,
  CampaignInfo,
  CampaignRun,
  JudgeTrace,
  OpenTrace,
  ProjectAttack,
  ProjectInfo,
  ProofText,
  RunPlace,
  RunRequest,
  SetUp,
  StudioTarget,
  SuiteEnd,
  SuiteEvent,
  ToolMap,
  WatchedRun,
} from './model/api.ts'
export type { CampaignWork } from './server/campaigns.ts'
export type { StudioWork } from './server/routes.ts'
export { openStudio, type Studio, type StudioOptions } from './server/server.ts'
export type { RunSuite } from './server/suites.ts'
