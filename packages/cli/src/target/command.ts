/** Commands as targets: `--exec`, `--acp` and their options. */

import type { ResultTarget } from '@joust/results'
import { defined, didYouMean, err, ok, type Value, withoutVariables } from '@joust/source'
import type { CommandTargetOptions, ModelHooks, Preset, PresetFile } from '@joust/targets'
import { readApprovals } from '../agent/approvals.ts'
import type { RunOptions } from '../options/run.ts'
import type { ChosenTarget } from '../project/choose.ts'
import { isOnPath } from '../terminal/find-program.ts'
import { type Io, tell } from '../terminal/io.ts'
import { commandLimits } from '../terminal/limits.ts'
import { planGateway } from './gateway.ts'
import { openModelOption, type PlannedAccess, planModelAccess } from './model-access.ts'
import { withoutSecretValues } from './shown-command.ts'
import { type Planned, servedPlan } from './target-plan.ts'

/** Returns a turn timeout slightly below that of the run, so that the failure reason includes the command's output. */
export function turnLimit({ replyTimeout, maxDuration }: RunOptions): { readonly timeoutMs?: number } {
  const ahead = maxDuration && Math.max(maxDuration - commandLimits.aheadMs, maxDuration / 2)
  const limits = [replyTimeout, ahead].flatMap((limit) => limit || [])
  return limits.length === 0 ? {} : { timeoutMs: Math.min(...limits) }
}

/** Plans a command or, if the command is the name of a preset in the project file or built in, that preset. */
export async function planCommand(options: RunOptions, target: ChosenTarget, io: Io): Planned {
  const { exec = '', execNext: next, answerPath: answer, jsonLines: lines, carries } = options
  const { findPreset } = await import('@joust/targets')
  const preset = target.project?.presets.get(exec.trim()) ?? findPreset(exec.trim())
  if (preset !== undefined) {
    const own = { '--exec-next': next, '--answer-path': answer, '--json-lines': lines, '--carries': carries[0] }
    const conflicting = Object.entries(own).find(([, value]) => value !== undefined && value !== false)
    if (conflicting !== undefined)
      return err(
        `${conflicting[0]} cannot be used with the preset ${preset.name}, which continues conversations itself`,
      )
    return planPreset('command', preset, options, commonOf(options, target, io), target, io)
  }
  const faults = [await commandFault('--exec', exec, options, target, io)]
  if (next !== undefined) faults.push(await commandFault('--exec-next', next, options, target, io))
  const fault = faults.find((one) => one !== undefined)
  if (fault !== undefined) return err(fault)
  if (options.execModel !== undefined) return err(NO_PRESET)
  if (carries.length > 0 && !lines) return err(NO_REQUEST)
  const more = { ...(next && { next }), ...(answer && { answer }), carries }
  const command = { command: exec, lines, cwd: target.home, ...more }
  const about = { kind: 'command', name: withoutSecretValues(exec) } as const
  const access = await planModelAccess(options, { ...target, texts: [exec, next ?? ''] }, io)
  return access.ok ? planned({ ...commonOf(options, target, io), ...command }, about, access.value, options) : access
}

export async function planAcp(options: RunOptions, target: ChosenTarget, io: Io): Planned {
  const { acp = '' } = options
  const approve = await readApprovals(options.approve, io)
  if (!approve.ok) return approve
  const { findPreset } = await import('@joust/targets')
  const common = { ...commonOf(options, target, io), acp: true, approve: approve.value }
  const preset = target.project?.presets.get(acp.trim()) ?? findPreset(acp.trim())
  if (preset !== undefined && preset.acp === undefined)
    return err(`--acp: ${preset.name} does not speak the Agent Client Protocol; use --exec ${preset.name}`)
  if (preset !== undefined) return planPreset('acp', preset, options, common, target, io)
  const fault = await commandFault('--acp', acp, options, target, io)
  if (fault !== undefined) return err(fault)
  if (options.execModel !== undefined) return err(NO_PRESET)
  const access = await planModelAccess(options, { ...target, texts: [acp] }, io)
  if (!access.ok) return access
  const about = { kind: 'acp', name: withoutSecretValues(acp) } as const
  return planned({ ...common, command: acp, cwd: target.home }, about, access.value, options)
}

const NO_REQUEST =
  '--carries can only be used with --json-lines: other commands get the whole request with {input}, or only its text'

async function commandFault(
  option: string,
  text: string,
  { dryRun }: RunOptions,
  { project }: ChosenTarget,
  io: Io,
): Promise<string | undefined> {
  const { checkPlaceholders, presets, splitCommand } = await import('@joust/targets')
  const argv = splitCommand(text)
  if (!argv.ok) return `${option}: ${argv.error}`
  const [program = ''] = argv.value
  const variable = /^(\w+)=/.exec(program)?.[1]
  if (variable !== undefined)
    return `${option}: the command is not run by a shell, so it cannot begin with ${variable}=…; set ${variable} and use --pass-env ${variable}`
  // A dry run does not expand variables.
  const checked = checkPlaceholders(dryRun ? argv.value.map(withoutVariables) : argv.value)
  if (!checked.ok) return `${option}: ${checked.error}`
  // A dry run may not have the program; a path is checked when the command is started.
  const isElsewhere = dryRun || /[\\/{]/.test(program) || io.env.PATH === undefined || process.platform === 'win32'
  if (isElsewhere || (await isOnPath(program, io))) return undefined
  const names = [...(project?.presets.keys() ?? []), ...presets.map(({ name }) => name)]
  return `${option} ${withoutSecretValues(program)}: program not found on PATH.${didYouMean(program, names)}`
}

const NO_PRESET = '--exec-model can only be used with a preset; run joust presets list for the list'

function commonOf(options: RunOptions, { env }: ChosenTarget, io: Io): Omit<CommandTargetOptions, 'command'> {
  const { execModel: model, prompt, paste, passEnv, useHome } = options
  return {
    ...{ paste, passEnv, useHome, environment: io.env },
    ...(prompt && { prompt }),
    ...(env && { env }),
    ...(model && { model }),
    ...turnLimit(options),
  }
}

async function planPreset(
  kind: 'command' | 'acp',
  preset: Preset,
  options: RunOptions,
  common: Omit<CommandTargetOptions, 'command'>,
  target: ChosenTarget,
  io: Io,
): Planned {
  const { name, tried } = preset
  const { checkPlaceholders, installedVersion, isTried } = await import('@joust/targets')
  const words = [...preset.command, ...(preset.next ?? []), ...(preset.acp ?? [])]
  const checked = checkPlaceholders(words, common.model === undefined && preset.model === undefined ? [] : ['model'])
  if (!checked.ok) return err(`preset ${name}: ${checked.error}`)
  const version = options.dryRun ? ok(undefined) : await installedVersion(preset, io.env)
  const option = kind === 'acp' ? '--acp' : '--exec'
  if (!version.ok)
    return err(`${option} ${name}: ${version.error}; run joust presets show ${name} for its requirements`)
  const installed = version.value
  if (!options.quiet && installed !== undefined && !isTried(preset, installed)) {
    const tested =
      tried === undefined ? 'follows the documentation of the agent and is untested' : `was tested with ${tried}`
    tell(io, `${name} ${installed} is installed; its preset ${tested}`)
  }
  const details = { ...(installed && { version: installed }), ...(common.model && { model: common.model }) }
  const texts = [...words, ...Object.values(preset.env ?? {}), ...(preset.files ?? []).flatMap(textsOfFile)]
  const access = await planModelAccess(options, { ...target, preset, texts }, io)
  return access.ok
    ? planned({ ...common, command: preset, name }, { kind, name, details }, access.value, options)
    : access
}

async function planned(
  command: CommandTargetOptions,
  about: ResultTarget,
  access: PlannedAccess,
  options: RunOptions,
): Planned {
  const { commandTarget } = await import('@joust/targets')
  const { gateway } = await planGateway(options)
  const more = { ...command, stdio: options.mcpStdio, ...defined({ gateway }) }
  const make = (hooks?: ModelHooks) => commandTarget({ ...more, ...openModelOption(access, hooks) })
  const replacesModel = access.replace !== undefined
  return ok(servedPlan(about, make, { gateway, service: undefined, served: undefined, replacesModel }))
}

function textsOfFile({ text = '', each = '', json = null, entry = null }: PresetFile): Value[] {
  return [text, each, json, entry]
}
