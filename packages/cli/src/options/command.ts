/** How a command is attacked: options beside `--exec`. */
import type { InRequest, Pasteable } from '@joust/arena'
import { type OptionTable, option, type TargetedTable, targeted } from './option.ts'
import { commandLine, commaSeparated, text, texts, toggle } from './values.ts'

const command = ['command'] as const
const started = ['command', 'acp'] as const
const inRequest = [
  'history',
  'context',
  'state',
  'metadata',
  'forwarded_props',
  'parts',
  'fields',
] as const satisfies readonly InRequest[]
const pasteable = ['context', 'history', 'metadata', 'state'] as const satisfies readonly Pasteable[]

// biome-ignore format: a row is a line
export const commandOptions = {
  execNext: targeted({ group: 'Target', value: commandLine, default: undefined, targets: command, conflicts: ['jsonLines'], help: 'the command for later messages of a conversation; {session} in --exec does it too' }),
  execModel: targeted({ group: 'Target', value: text('name'), default: undefined, targets: started, help: 'the model of a preset, as the agent calls it' }),
  jsonLines: targeted({ group: 'Target', value: toggle, default: false, targets: command, help: 'the command is one process for a conversation: a line {"prompt","input",…} in, a line out' }),
  answerPath: targeted({ group: 'Target', value: text('path'), default: undefined, targets: command, help: 'where the answer is in the JSON, or the last of the JSON lines, that the command prints, for example result.text' }),
  carries: targeted({ group: 'Target', value: commaSeparated('parts', inRequest), default: [], targets: ['command', 'function'], help: 'parts of a request that the agent looks at beside the prompt, where it gets the whole request; attacks that need others do not apply' }),
  paste: targeted({ group: 'Target', value: commaSeparated('parts', pasteable), default: [], targets: [...started, 'http', 'function'], help: 'put these parts of a request into the prompt, where the agent takes nothing else; the results say so' }),
  passEnv: targeted({ group: 'Target', value: texts('name'), default: [], targets: [...started, 'endpoint'], help: 'variables that a command gets beside PATH and the locale' }),
  useHome: targeted({ group: 'Target', value: toggle, default: false, targets: [...started, 'endpoint'], help: 'let a command use your own home, with your logins, and not an empty one' }),
} satisfies TargetedTable

export const presetListOptions = {
  json: option({ value: toggle, default: false, help: 'print the list as JSON' }),
} satisfies OptionTable
