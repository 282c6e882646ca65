/** `joust import`. */
import { importOptions } from '../options/import.ts'
import { command } from './command.ts'

export const importBenchmark = command({
  name: 'import',
  summary: 'convert a public benchmark into attack documents',
  description:
    'Converts the cases of a benchmark that you have downloaded into attack documents, each with its task, bait, placebo and ' +
    'origin. The same input gives the same files. Cases without an equivalent are listed with the reason. Exits 1 if a file ' +
    'does not have the expected layout.',
  arguments: {
    format: {
      count: 'one',
      help: 'the benchmark',
      choices: ['injecagent', 'agentdojo', 'codeipi', 'agentthreatbench'],
    },
    path: {
      count: 'optional',
      help: 'its folder; for agentdojo, one with agentdojo.json; for codeipi and agentthreatbench, the package inspect_evals',
    },
  },
  options: importOptions,
  examples: [
    'joust import injecagent InjecAgent --out injecagent',
    'joust import injecagent xInjectAgent --results --set base --out injecagent',
    'joust import agentdojo --script > agentdojo-dump.py',
    'joust import agentdojo dojo --out agentdojo',
    'joust import codeipi inspect_evals --out codeipi',
  ],
  run: async ({ format, path }, options, io) =>
    (await import('../commands/import.ts')).importBenchmark(format, path, options, io),
})
