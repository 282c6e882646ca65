/** Campaigns over many machines, on PostgreSQL. */

export type {
  CampaignAttack,
  CampaignPlan,
  CampaignSpec,
  CampaignState,
  CampaignStatus,
  CampaignTarget,
  LeftTarget,
  TargetStatus,
} from './campaign.ts'
export type { CampaignRow } from './campaigns.ts'
export { type DatabaseOptions, isInTheClear, placeOf } from './database.ts'
export { FleetError, type FleetErrorCode } from './errors.ts'
export { type Fleet, openFleet } from './fleet.ts'
export type { Watch, WatchedRun } from './live.ts'
export type { ResultFilter, ResultRow } from './status.ts'
export type { WorkedRun } from './worker.ts'
export type { PreparedJudge, PreparedTarget, WorkOptions } from './worker-target.ts'
