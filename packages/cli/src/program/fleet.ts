/** `joust worker` and `joust campaign`. */
import { campaignDeleteOptions, campaignOptions, campaignResultsOptions, workerOptions } from '../options/fleet.ts'
import { type ArgumentRow, type CommandGroup, command } from './command.ts'

const URL = 'postgres://joust@db.example/joust?sslmode=verify-full'

export const worker = command({
  name: 'worker',
  summary: 'do the runs of campaigns',
  description:
    'Takes runs of all campaigns in a database, does them on this machine and records the results. Keys and tokens ' +
    'come from the environment of the worker; targets whose keys it lacks are left to other workers, and it names them.',
  arguments: {},
  options: workerOptions,
  after: `
Nothing is lost when a worker dies: its runs are handed out again. A run on which three workers died is
inconclusive. Ctrl-C finishes what is under way.
`,
  examples: [`joust worker --queue ${URL}`, `joust worker --queue ${URL} --concurrency 16 --allow-exec`],
  run: async (_, options, io) => (await import('../commands/worker.ts')).worker(options, io),
})

const NAME = {
  count: 'one',
  help: 'the name of a campaign; joust campaign list shows all',
} as const satisfies ArgumentRow

const list = command({
  name: 'list',
  summary: 'all campaigns',
  description: 'Prints a line for each campaign, the newest first.',
  arguments: {},
  options: campaignOptions,
  run: async (_, options, io) => (await import('../commands/campaign/look.ts')).list(options, io),
})

const status = command({
  name: 'status',
  summary: 'the state of a campaign',
  description:
    'Prints how many runs are done and with which outcome, how many are under way, came late or were repeated, and what they cost.',
  arguments: { campaign: NAME },
  options: campaignOptions,
  run: async ({ campaign: name }, options, io) =>
    (await import('../commands/campaign/look.ts')).status(name, options, io),
})

const watch = command({
  name: 'watch',
  summary: 'follow a campaign until it is over',
  description: 'Shows a live line with rate, outcomes and time left, and at the end the state of the campaign.',
  arguments: { campaign: NAME },
  options: campaignOptions,
  run: async ({ campaign: name }, options, io) =>
    (await import('../commands/campaign/look.ts')).watch(name, options, io),
})

const cancel = command({
  name: 'cancel',
  summary: 'hand out no more runs',
  description: 'Ends a campaign. Runs that are under way are finished and recorded; existing results stay.',
  arguments: { campaign: NAME },
  options: { queue: campaignOptions.queue },
  run: async ({ campaign: name }, options, io) =>
    (await import('../commands/campaign/end.ts')).cancel(name, options, io),
})

const remove = command({
  name: 'delete',
  summary: 'delete a campaign, or its old traces',
  description: 'Deletes a campaign with its results and traces, or, with --traces-older-than, only traces.',
  arguments: { campaign: NAME },
  options: campaignDeleteOptions,
  run: async ({ campaign: name }, options, io) =>
    (await import('../commands/campaign/end.ts')).remove(name, options, io),
})

const results = command({
  name: 'results',
  summary: 'the results of the runs',
  description:
    'Prints results from the database, without loading traces; with --out writes a folder that report, diff and ' +
    '--baseline read.',
  arguments: { campaign: NAME },
  options: campaignResultsOptions,
  examples: [
    `joust campaign results nightly --queue ${URL} --outcome exploited --severity critical,high --since 24h`,
    `joust campaign results nightly --queue ${URL} --out joust-results/nightly`,
  ],
  run: async ({ campaign: name }, options, io) =>
    (await import('../commands/campaign/results.ts')).results(name, options, io),
})

export const campaign: CommandGroup = {
  name: 'campaign',
  summary: 'look at, stop and export campaigns',
  description: 'Works with the campaigns that joust run --queue has submitted.',
  commands: [list, status, watch, cancel, remove, results],
  examples: [`joust campaign list --queue ${URL}`, `joust campaign watch nightly --queue ${URL}`],
}
