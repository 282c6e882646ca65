/** The web application of joust, and the server on loopback behind it. */
export type {
  ProjectAttack,
  ProjectInfo,
  ProjectTarget,
  ProofText,
  RunPlace,
  RunRequest,
  SuiteEnd,
  SuiteEvent,
} from './model/api.ts'
export type { StudioWork } from './server/routes.ts'
export { openStudio, type Studio, type StudioOptions } from './server/server.ts'
export type { RunSuite } from './server/suites.ts'
