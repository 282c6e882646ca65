/** Campaigns distributed over many machines through PostgreSQL. */

export type {
  CampaignAttack,
  CampaignPlan,
  CampaignSpec,
  CampaignState,
  CampaignStatus,
  CampaignTarget,
  TargetRefusal,
  TargetStatus,
} from './campaign.ts'
export type { CampaignRow } from './campaigns.ts'
export { type DatabaseOptions, databaseLabel, isUnencrypted } from './database.ts'
export { FleetError, type FleetErrorCode } from './errors.ts'
export { type Fleet, openFleet } from './fleet.ts'
export type { Watch, WatchedRun } from './live.ts'
export { type DatabaseMemory, openDatabaseMemory } from './memory.ts'
export type { ResultFilter, ResultRow } from './status.ts'
export type { FinishedRun } from './worker.ts'
export type { LocalJudge, LocalTarget, WorkOptions } from './worker-target.ts'
