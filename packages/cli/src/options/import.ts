/** The options of `joust import`. */
import { type OptionsOf, type OptionTable, option } from './option.ts'
import { path, texts, toggle } from './values.ts'

// biome-ignore format: a row is a line
export const importOptions = {
  out: option({ short: 'o', value: path('folder'), default: undefined, help: 'folder for the documents; those that exist with the same content stay' }),
  set: option({ value: texts('name'), default: [], help: 'parts of the benchmark; injecagent: base, enhanced, test; agentdojo: workspace, travel, banking, slack; codeipi: issue_text, code_comment, readme, config_file; agentthreatbench: memory_poison, autonomy_hijack, data_exfil' }),
  script: option({ value: toggle, default: false, conflicts: ['out', 'set', 'results', 'json'], help: 'print the script that writes the data of agentdojo, for Python' }),
  results: option({ value: toggle, default: false, help: 'also import recorded outputs of models, or replays, as traces for joust evaluate' }),
  json: option({ value: toggle, default: false, help: 'print the summary as JSON' }),
} satisfies OptionTable

export type ImportOptions = OptionsOf<typeof importOptions>
