/** The options for targets that are started or called: `--exec`, `--acp`, `http` and `module`. */
import type { Pasteable, RequestPart } from '@joust/targets'
import { type OptionTable, option, type TargetedTable, targeted } from './option.ts'
import { address, commandLine, commaSeparated, text, texts, toggle } from './values.ts'

const command = ['command'] as const
const started = ['command', 'acp'] as const
const called = [...started, 'function'] as const
const served = ['http', 'endpoint'] as const
/** Kinds of targets whose model proxy can have a fixed address; `none` means unknown clients of listening actors. */
const running = [...served, 'none'] as const
const requestParts = [
  'history',
  'context',
  'state',
  'metadata',
  'forwarded_props',
  'parts',
  'fields',
] as const satisfies readonly RequestPart[]
const pasteable = ['context', 'history', 'metadata', 'state'] as const satisfies readonly Pasteable[]

// biome-ignore format: a row is a line
export const commandOptions = {
  execNext: targeted({ group: 'Target', identity: 'fingerprint', value: commandLine, default: undefined, targets: command, conflicts: ['jsonLines'], help: 'command for the second and later messages of a conversation; {session} in --exec serves the same purpose' }),
  execModel: targeted({ group: 'Target', identity: 'value', value: text('name'), default: undefined, targets: started, help: 'model for a preset, by the name that the agent uses for it' }),
  jsonLines: targeted({ group: 'Target', identity: 'value', value: toggle, default: false, targets: command, help: 'run the command once per conversation; it reads a line {"prompt","input",…} for each message and writes a line for each answer' }),
  answerPath: targeted({ group: 'Target', identity: 'value', value: text('path'), default: undefined, targets: command, help: 'path to the answer in the JSON (or the last JSON line) that the command prints, for example result.text' }),
  carries: targeted({ group: 'Target', identity: 'value', value: commaSeparated('parts', requestParts), default: [], targets: ['command', 'function'], help: 'parts of a request that the agent reads in addition to the prompt; attacks that need other parts do not apply' }),
  paste: targeted({ group: 'Target', identity: 'value', value: commaSeparated('parts', pasteable), default: [], targets: [...started, 'http', 'function'], help: 'paste these parts of a request into the prompt, for an agent that accepts only a prompt; noted in the results' }),
  passEnv: targeted({ group: 'Target', identity: 'value', value: texts('name'), default: [], targets: [...started, 'endpoint'], help: 'environment variables to pass to a command in addition to PATH and the locale' }),
  useHome: targeted({ group: 'Target', identity: 'value', value: toggle, default: false, targets: [...started, 'endpoint'], help: 'let a command use your real home folder, with your logins, instead of an empty one' }),
  mcpStdio: targeted({ group: 'Target', identity: 'value', value: toggle, default: false, targets: ['command', ...served], help: 'write MCP servers as commands into {mcp_config}, for an agent that supports only servers over standard input and output' }),
  modelEnv: targeted({ group: 'Target', identity: 'value', fileKey: 'model_proxy.env', value: texts('name'), default: [], targets: [...called, ...served], help: 'environment variables of the agent to set to the address of the model proxy, such as OPENAI_BASE_URL; presets set their own variables; an http or endpoint target needs serve' }),
  modelUpstream: targeted({ group: 'Target', identity: 'fingerprint', fileKey: 'model_proxy.upstream', value: text('url'), default: undefined, targets: [...called, ...running], help: 'model API behind the model proxy; by default the value of the environment variable (see --model-env), or the URL of the provider; {model_url} stands for the address of the proxy' }),
  modelListen: targeted({ group: 'Target', identity: 'given', fileKey: 'model_proxy.listen', value: address, default: undefined, targets: running, help: 'fixed address of the model proxy on loopback, such as 127.0.0.1:7001, for the configuration of a running agent or of an agent that connects to --listen' }),
  noModelProxy: targeted({ group: 'Target', identity: 'value', value: toggle, default: false, targets: [...called, ...served], conflicts: ['withModel', 'modelListen'], help: 'let the agent call its model directly; its model calls are then neither observed nor counted' }),
  withModel: targeted({ group: 'Target', identity: 'value', value: text('provider/model'), default: undefined, targets: [...called, ...running], help: "answer the agent's model calls with this model, such as sim/credulous, which needs no key; it calls only tools that the attack provides" }),
  ownTools: targeted({ group: 'Target', identity: 'value', value: toggle, default: false, targets: [...called, ...running], needs: ['withModel'], help: 'let the model of --with-model call all tools of the agent, even a shell' }),
} satisfies TargetedTable

export const presetListOptions = {
  json: option({ value: toggle, default: false, help: 'print the list as JSON' }),
} satisfies OptionTable
