/** The options of campaigns: of `joust run` for handing it to other machines, `joust worker` and `joust campaign`. */
import { outcomes } from '@joust/arena/outcomes'
import { severityLevels } from '@joust/oatf/enumerations'
import { type OptionsOf, type OptionTable, option, REQUIRED, type TargetedTable, targeted } from './option.ts'
import { commaSeparated, count, duration, seconds, text, toggle } from './values.ts'

/** Options that a campaign cannot have: the machine that submits it is not the one that runs it. */
const here = ['listen', 'wire', 'record', 'replay', 'resume', 'showSecrets']

// biome-ignore format: a row is a line
export const queueOptions = {
  queue: targeted({ group: 'Campaign', identity: 'none', value: text('url'), default: undefined, targets: 'all', conflicts: here, help: 'leave the runs to workers: the PostgreSQL database they watch, postgres://…' }),
  name: targeted({ group: 'Campaign', identity: 'none', value: text('name'), default: undefined, targets: 'all', needs: ['queue'], help: 'the name of the campaign, by default the time; using a name again continues that campaign' }),
  detach: targeted({ group: 'Campaign', identity: 'none', value: toggle, default: false, targets: 'all', needs: ['queue'], help: 'submit and exit; joust campaign watch follows it later' }),
} satisfies TargetedTable

const queue = option({
  value: text('url'),
  default: REQUIRED,
  help: 'the PostgreSQL database of the campaigns, postgres://…',
})
const json = option({ value: toggle, default: false, help: 'print JSON' })

// biome-ignore format: a row is a line
export const workerOptions = {
  queue,
  concurrency: option({ value: count(), default: 4, help: 'how many runs this worker does at a time' }),
  allowExec: option({ value: toggle, default: false, help: 'also attack targets that start commands or load modules on this machine' }),
  name: option({ value: text('name'), default: undefined, help: 'the name under which this worker is recorded; host and process by default' }),
  drain: option({ value: toggle, default: false, help: 'exit once there is nothing left to do' }),
  lease: option({ value: seconds, default: undefined, help: 'hand a run to another worker after this one has been silent this long; 30s by default' }),
  quiet: option({ short: 'q', value: toggle, default: false, help: 'print problems only' }),
} satisfies OptionTable

export const campaignOptions = { queue, json } satisfies OptionTable

// biome-ignore format: a row is a line
export const campaignResultsOptions = {
  queue,
  out: option({ short: 'o', value: text('folder'), default: undefined, conflicts: ['outcome', 'severity', 'since', 'json'], help: 'write results.json and the traces into this folder, for report, diff and --baseline' }),
  outcome: option({ value: commaSeparated('outcomes', outcomes), default: undefined, help: 'only these, separated by commas' }),
  severity: option({ value: commaSeparated('levels', severityLevels), default: undefined, help: 'only attacks of these severities, separated by commas' }),
  since: option({ value: duration, default: undefined, help: 'only results that are at most this old, for example 2h' }),
  json,
} satisfies OptionTable

// biome-ignore format: a row is a line
export const campaignDeleteOptions = {
  queue,
  tracesOlderThan: option({ value: duration, default: undefined, help: 'delete only traces that are older than this; results stay' }),
} satisfies OptionTable

export type WorkerOptions = OptionsOf<typeof workerOptions>
export type CampaignOptions = OptionsOf<typeof campaignOptions>
export type CampaignResultsOptions = OptionsOf<typeof campaignResultsOptions>
export type CampaignDeleteOptions = OptionsOf<typeof campaignDeleteOptions>
