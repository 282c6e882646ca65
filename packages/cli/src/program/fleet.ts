/** `joust worker` and `joust campaign`. */
import { campaignDeleteOptions, campaignOptions, campaignResultsOptions, workerOptions } from '../options/fleet.ts'
import { type ArgumentRow, type CommandGroup, command } from './command.ts'

const URL = 'postgres://joust@db.example/joust?sslmode=verify-full'

export const worker = command({
  name: 'worker',
  summary: 'run jobs from a campaign queue',
  description:
    'Takes runs from all campaigns in a database, executes them on this machine and records the results. Keys and tokens ' +
    'come from the environment of the worker; targets whose keys are missing are listed and left to other workers.',
  arguments: {},
  options: workerOptions,
  after: `
Nothing is lost if a worker dies: other workers take over its runs. A run on which three workers have died is
inconclusive. Ctrl-C stops the worker after its current runs.
`,
  examples: [`joust worker --queue ${URL}`, `joust worker --queue ${URL} --concurrency 16 --allow-exec`],
  run: async (_, options, io) => (await import('../commands/worker.ts')).worker(options, io),
})

const NAME = { count: 'one', help: 'name of a campaign; joust campaign list shows all' } as const satisfies ArgumentRow

const list = command({
  name: 'list',
  summary: 'list all campaigns',
  description: 'Prints one line per campaign, newest first.',
  arguments: {},
  options: campaignOptions,
  run: async (_, options, io) => (await import('../commands/campaign/look.ts')).list(options, io),
})

const status = command({
  name: 'status',
  summary: 'print the progress and cost of a campaign',
  description:
    'Prints the number of finished runs by outcome, the numbers of running, late and repeated runs, and the cost.',
  arguments: { campaign: NAME },
  options: campaignOptions,
  run: async ({ campaign: name }, options, io) =>
    (await import('../commands/campaign/look.ts')).status(name, options, io),
})

const watch = command({
  name: 'watch',
  summary: 'follow a campaign until it has finished',
  description:
    'Shows the rate, the outcomes and the remaining time in a live line, and at the end the state of the campaign.',
  arguments: { campaign: NAME },
  options: campaignOptions,
  run: async ({ campaign: name }, options, io) =>
    (await import('../commands/campaign/look.ts')).watch(name, options, io),
})

const cancel = command({
  name: 'cancel',
  summary: 'cancel a campaign',
  description: 'Cancels a campaign. Runs in progress are finished and recorded; existing results are kept.',
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
  summary: 'print or export the results of a campaign',
  description:
    'Prints results from the database, without loading traces; with --out, writes a folder for report, diff and ' +
    '--baseline.',
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
  summary: 'list, follow, stop and export campaigns (runs on several machines)',
  description: 'Lists, follows, stops and exports the campaigns that joust run --queue has submitted.',
  commands: [list, status, watch, cancel, remove, results],
  examples: [`joust campaign list --queue ${URL}`, `joust campaign watch nightly --queue ${URL}`],
}
