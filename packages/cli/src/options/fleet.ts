/** The options for campaigns of `joust run`, `joust worker` and `joust campaign`. */

import { severityLevels } from '@joust/oatf/enumerations'
import { outcomes } from '@joust/results/outcomes'
import { type OptionsOf, type OptionTable, option, REQUIRED, type TargetedTable, targeted } from './option.ts'
import { commaSeparated, count, duration, seconds, text, toggle } from './values.ts'

/** Options that campaigns do not support, because campaigns run on other machines. */
const unsupported = ['listen', 'wire', 'through', 'record', 'replay', 'resume', 'showSecrets']

// biome-ignore format: a row is a line
export const queueOptions = {
  queue: targeted({ group: 'Campaign', identity: 'none', value: text('url'), default: undefined, targets: 'all', conflicts: unsupported, help: 'queue the runs for workers in this PostgreSQL database: postgres://…' }),
  name: targeted({ group: 'Campaign', identity: 'none', value: text('name'), default: undefined, targets: 'all', needs: ['queue'], help: 'name of the campaign, by default the time; the name of an existing campaign continues it' }),
  detach: targeted({ group: 'Campaign', identity: 'none', value: toggle, default: false, targets: 'all', needs: ['queue'], help: 'submit the campaign and exit; follow it later with joust campaign watch' }),
} satisfies TargetedTable

const queue = option({
  value: text('url'),
  default: REQUIRED,
  help: 'PostgreSQL database with the campaigns: postgres://…',
})
const json = option({ value: toggle, default: false, help: 'print JSON' })

// biome-ignore format: a row is a line
export const workerOptions = {
  queue,
  concurrency: option({ value: count(), default: 4, help: 'number of concurrent runs of this worker' }),
  allowExec: option({ value: toggle, default: false, help: 'also attack targets that start commands or load modules on this machine' }),
  name: option({ value: text('name'), default: undefined, help: 'name of this worker in the records; host name and process id by default' }),
  drain: option({ value: toggle, default: false, help: 'exit once the queue is empty' }),
  lease: option({ value: seconds, default: undefined, help: 'give a run to another worker if this one sends no heartbeat for this long; 30s by default' }),
  quiet: option({ short: 'q', value: toggle, default: false, help: 'print problems only' }),
} satisfies OptionTable

export const campaignOptions = { queue, json } satisfies OptionTable

// biome-ignore format: a row is a line
export const campaignResultsOptions = {
  queue,
  out: option({ short: 'o', value: text('folder'), default: undefined, conflicts: ['outcome', 'severity', 'since', 'json'], help: 'write results.json and the traces into this folder, for report, diff and --baseline' }),
  outcome: option({ value: commaSeparated('outcomes', outcomes), default: undefined, help: 'only results with these outcomes, separated by commas' }),
  severity: option({ value: commaSeparated('levels', severityLevels), default: undefined, help: 'only attacks of these severities, separated by commas' }),
  since: option({ value: duration, default: undefined, help: 'only results at most this old, for example 2h' }),
  json,
} satisfies OptionTable

// biome-ignore format: a row is a line
export const campaignDeleteOptions = {
  queue,
  tracesOlderThan: option({ value: duration, default: undefined, help: 'delete only traces that are older than this, and keep the results' }),
} satisfies OptionTable

export type WorkerOptions = OptionsOf<typeof workerOptions>
export type CampaignOptions = OptionsOf<typeof campaignOptions>
export type CampaignResultsOptions = OptionsOf<typeof campaignResultsOptions>
export type CampaignDeleteOptions = OptionsOf<typeof campaignDeleteOptions>
