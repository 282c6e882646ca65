/** A command as a target: what `--exec` and its companions say. */
import type { CommandTargetOptions, Preset, ResultTarget, Target } from '@joust/arena'
import { err, ok, printable, type Result } from '@joust/source'
import type { RunOptions } from '../options/run.ts'
import type { RunTarget } from '../project/choose.ts'
import type { Io } from '../terminal/io.ts'
import { readApprovals } from './approvals.ts'
import { withoutSecretValues } from './hidden-values.ts'

/** A command that can be started for each run. */
interface CommandPlan {
  readonly about: ResultTarget
  readonly lacks: NonNullable<Target['lacks']>
  make(): { readonly target: Target }
}

/** A command is ended a little before its run, so that what it printed is part of the reason. */
const AHEAD_MS = 200

/** A plan for a command, or for the preset that a single word names: one of the project file, or of ours. */
export async function planCommand(
  options: RunOptions,
  target: RunTarget,
  io: Io,
): Promise<Result<CommandPlan, string>> {
  const { exec = '', execNext: next, answerPath: answer, jsonLines: lines } = options
  const { findPreset, splitCommand } = await import('@joust/arena')
  const preset = target.project?.presets.get(exec.trim()) ?? findPreset(exec.trim())
  if (preset !== undefined) {
    const own = { '--exec-next': next, '--answer-path': answer, '--json-lines': lines }
    const given = Object.entries(own).find(([, value]) => value !== undefined && value !== false)
    if (given !== undefined)
      return err(`${given[0]} does not go with the preset ${preset.name}, which knows how to go on`)
    return planPreset('command', preset, options, commonOf(options, target, io), io)
  }
  for (const [option, words] of Object.entries({ '--exec': exec, '--exec-next': next })) {
    const argv = words === undefined ? ok([]) : splitCommand(words)
    if (!argv.ok) return err(`${option}: ${argv.error}`)
  }
  if (options.execModel !== undefined) return err(NO_PRESET)
  const command = { command: exec, lines, cwd: target.home, ...(next && { next }), ...(answer && { answer }) }
  const about = { kind: 'command', name: withoutSecretValues(exec) } as const
  return planOf({ ...commonOf(options, target, io), ...command }, about)
}

/** The same, of a command that speaks the Agent Client Protocol. */
export async function planAcp(options: RunOptions, target: RunTarget, io: Io): Promise<Result<CommandPlan, string>> {
  const { acp = '' } = options
  const approve = await readApprovals(options.approve, io)
  if (!approve.ok) return approve
  const { findPreset, splitCommand } = await import('@joust/arena')
  const common = { ...commonOf(options, target, io), acp: true, approve: approve.value }
  const preset = target.project?.presets.get(acp.trim()) ?? findPreset(acp.trim())
  if (preset !== undefined && preset.acp === undefined)
    return err(`--acp ${preset.name}: it does not speak the Agent Client Protocol; --exec ${preset.name} attacks it`)
  if (preset !== undefined) return planPreset('acp', preset, options, common, io)
  const argv = splitCommand(acp)
  if (!argv.ok) return err(`--acp: ${argv.error}`)
  if (options.execModel !== undefined) return err(NO_PRESET)
  return planOf({ ...common, command: acp, cwd: target.home }, { kind: 'acp', name: withoutSecretValues(acp) })
}

const NO_PRESET = '--exec-model goes with a preset: joust presets list'

function commonOf(options: RunOptions, { env }: RunTarget, io: Io): Omit<CommandTargetOptions, 'command'> {
  const { execModel: model, maxDuration: runMs, prompt, paste, passEnv, useHome } = options
  return {
    ...{ paste, passEnv, useHome, environment: io.env },
    ...(prompt && { prompt }),
    ...(env && { env }),
    ...(model && { model }),
    ...(runMs && { timeoutMs: Math.max(runMs - AHEAD_MS, runMs / 2) }),
  }
}

async function planPreset(
  kind: 'command' | 'acp',
  preset: Preset,
  options: RunOptions,
  common: Omit<CommandTargetOptions, 'command'>,
  io: Io,
): Promise<Result<CommandPlan, string>> {
  const { name, tried } = preset
  const { installedVersion, isTried } = await import('@joust/arena')
  const version = options.dryRun ? ok(undefined) : await installedVersion(preset, io.env)
  const option = kind === 'acp' ? '--acp' : '--exec'
  if (!version.ok) return err(`${option} ${name}: ${version.error}; joust presets show ${name} tells what it needs`)
  const found = version.value
  if (!options.quiet && found !== undefined && !isTried(preset, found)) {
    const known = tried === undefined ? 'was written from its documentation and not tried' : `was tried with ${tried}`
    io.stderr.write(`joust: ${name} ${printable(found)} is installed; its preset ${known}\n`)
  }
  const details = { ...(found && { version: found }), ...(common.model && { model: common.model }) }
  return planOf({ ...common, command: preset, name }, { kind, name, details })
}

async function planOf(options: CommandTargetOptions, about: ResultTarget): Promise<Result<CommandPlan, string>> {
  const { commandTarget } = await import('@joust/arena')
  const make = () => commandTarget(options)
  return ok({ about, lacks: (needs) => make().lacks?.(needs) ?? [], make: () => ({ target: make() }) })
}
