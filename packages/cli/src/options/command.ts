/** How a command is attacked: options beside `--exec`. */
import type { Pasteable } from '@joust/arena'
import { type OptionTable, option, type TargetedTable, targeted } from './option.ts'
import { commandLine, commaSeparated, text, texts, toggle } from './values.ts'

const command = ['command'] as const
const pasteable = ['context', 'history', 'metadata', 'state'] as const satisfies readonly Pasteable[]

// biome-ignore format: a row is a line
export const commandOptions = {
  execNext: targeted({ group: 'Target', value: commandLine, default: undefined, targets: command, conflicts: ['jsonLines'], help: 'the command for later messages of a conversation; {session} in --exec does it too' }),
  execModel: targeted({ group: 'Target', value: text('name'), default: undefined, targets: command, help: 'the model of a preset, as the agent calls it' }),
  jsonLines: targeted({ group: 'Target', value: toggle, default: false, targets: command, help: 'the command is one process for a conversation: a line {"prompt","input",…} in, a line out' }),
  answerPath: targeted({ group: 'Target', value: text('path'), default: undefined, targets: command, help: 'where the answer is in the JSON, or the last of the JSON lines, that the command prints, for example result.text' }),
  paste: targeted({ group: 'Target', value: commaSeparated('parts', pasteable), default: [], targets: ['command', 'http', 'function'], help: 'put these parts of a request into the prompt, where the agent takes nothing else; the results say so' }),
  passEnv: targeted({ group: 'Target', value: texts('name'), default: [], targets: ['command', 'endpoint'], help: 'variables that a command gets beside PATH and the locale' }),
  useHome: targeted({ group: 'Target', value: toggle, default: false, targets: ['command', 'endpoint'], help: 'let a command use your own home, with your logins, and not an empty one' }),
} satisfies TargetedTable

export const presetListOptions = {
  json: option({ value: toggle, default: false, help: 'print the list as JSON' }),
} satisfies OptionTable
