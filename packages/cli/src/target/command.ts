/** A command as a target: `--exec`, `--acp` and the options that go with them. */
import type { CommandTargetOptions, Preset, ResultTarget } from '@joust/arena'
import { didYouMean, err, ok } from '@joust/source'
import type { RunOptions } from '../options/run.ts'
import type { RunTarget } from '../project/choose.ts'
import { isOnPath } from '../terminal/find-program.ts'
import { type Io, tell } from '../terminal/io.ts'
import { commandLimits } from '../terminal/limits.ts'
import { readApprovals } from './approvals.ts'
import { withoutSecretValues } from './shown-command.ts'
import { type Planned, planOf } from './target-plan.ts'

/** The time of a turn: it ends a little before its run, so that what was printed becomes part of the reason. */
export function turnLimit({ replyTimeout, maxDuration }: RunOptions): { readonly timeoutMs?: number } {
  const ahead = maxDuration && Math.max(maxDuration - commandLimits.aheadMs, maxDuration / 2)
  const limits = [replyTimeout, ahead].flatMap((limit) => limit || [])
  return limits.length === 0 ? {} : { timeoutMs: Math.min(...limits) }
}

/** A plan for a command, or for the preset that a single word names: one of the project file, or one of ours. */
export async function planCommand(options: RunOptions, target: RunTarget, io: Io): Planned {
  const { exec = '', execNext: next, answerPath: answer, jsonLines: lines, carries } = options
  const { findPreset } = await import('@joust/arena')
  const preset = target.project?.presets.get(exec.trim()) ?? findPreset(exec.trim())
  if (preset !== undefined) {
    const own = { '--exec-next': next, '--answer-path': answer, '--json-lines': lines, '--carries': carries[0] }
    const given = Object.entries(own).find(([, value]) => value !== undefined && value !== false)
    if (given !== undefined)
      return err(`${given[0]} cannot be used with the preset ${preset.name}, which knows how to continue`)
    return planPreset('command', preset, options, commonOf(options, target, io), io)
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
  return planned({ ...commonOf(options, target, io), ...command }, about)
}

/** The same, for a command that speaks the Agent Client Protocol. */
export async function planAcp(options: RunOptions, target: RunTarget, io: Io): Planned {
  const { acp = '' } = options
  const approve = await readApprovals(options.approve, io)
  if (!approve.ok) return approve
  const { findPreset } = await import('@joust/arena')
  const common = { ...commonOf(options, target, io), acp: true, approve: approve.value }
  const preset = target.project?.presets.get(acp.trim()) ?? findPreset(acp.trim())
  if (preset !== undefined && preset.acp === undefined)
    return err(`--acp ${preset.name}: it does not speak the Agent Client Protocol; --exec ${preset.name} attacks it`)
  if (preset !== undefined) return planPreset('acp', preset, options, common, io)
  const fault = await commandFault('--acp', acp, options, target, io)
  if (fault !== undefined) return err(fault)
  if (options.execModel !== undefined) return err(NO_PRESET)
  return planned({ ...common, command: acp, cwd: target.home }, { kind: 'acp', name: withoutSecretValues(acp) })
}

const NO_REQUEST =
  '--carries can only be used with --json-lines: any other command gets the whole request through {input}, or only its text'

/** What is wrong with a command before it is started: its quotes, its placeholders, its program. */
async function commandFault(
  option: string,
  text: string,
  { dryRun }: RunOptions,
  { project }: RunTarget,
  io: Io,
): Promise<string | undefined> {
  const { placeholderFault, presets, splitCommand } = await import('@joust/arena')
  const argv = splitCommand(text)
  if (!argv.ok) return `${option}: ${argv.error}`
  const [program = ''] = argv.value
  const variable = /^(\w+)=/.exec(program)?.[1]
  if (variable !== undefined)
    return `${option}: no shell reads the command, so it cannot begin with ${variable}=…; set ${variable}, and give --pass-env ${variable}`
  const fault = placeholderFault(argv.value)
  if (fault !== undefined) return `${option}: ${fault}`
  // A dry run may not have the program; a path is tried where the command is started.
  const isElsewhere = dryRun || /[\\/{]/.test(program) || io.env.PATH === undefined || process.platform === 'win32'
  if (isElsewhere || (await isOnPath(program, io))) return undefined
  const names = [...(project?.presets.keys() ?? []), ...presets.map(({ name }) => name)]
  return `${option} ${withoutSecretValues(program)}: there is no such program on PATH.${didYouMean(program, names)}`
}

const NO_PRESET = '--exec-model can only be used with a preset: joust presets list'

function commonOf(options: RunOptions, { env }: RunTarget, io: Io): Omit<CommandTargetOptions, 'command'> {
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
  io: Io,
): Planned {
  const { name, tried } = preset
  const { installedVersion, isTried, placeholderFault } = await import('@joust/arena')
  const words = [...preset.command, ...(preset.next ?? []), ...(preset.acp ?? [])]
  const fault = placeholderFault(words, common.model === undefined && preset.model === undefined ? [] : ['model'])
  if (fault !== undefined) return err(`preset ${name}: ${fault}`)
  const version = options.dryRun ? ok(undefined) : await installedVersion(preset, io.env)
  const option = kind === 'acp' ? '--acp' : '--exec'
  if (!version.ok) return err(`${option} ${name}: ${version.error}; joust presets show ${name} shows what it needs`)
  const found = version.value
  if (!options.quiet && found !== undefined && !isTried(preset, found)) {
    const known = tried === undefined ? 'was written from its documentation and not tried' : `was tried with ${tried}`
    tell(io, `${name} ${found} is installed; its preset ${known}`)
  }
  const details = { ...(found && { version: found }), ...(common.model && { model: common.model }) }
  return planned({ ...common, command: preset, name }, { kind, name, details })
}

async function planned(options: CommandTargetOptions, about: ResultTarget): Planned {
  const { commandTarget } = await import('@joust/arena')
  return ok(planOf(about, () => commandTarget(options)))
}
