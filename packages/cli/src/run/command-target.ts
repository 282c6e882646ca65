/** A command as a target: what `--exec` and its companions say. */
import type { CommandTargetOptions, commandTarget, Preset, ResultTarget, Target } from '@joust/arena'
import { err, ok, printable, type Result } from '@joust/source'
import type { RunOptions } from '../options/run.ts'
import type { RunTarget } from '../project/choose.ts'
import type { Io } from '../terminal/io.ts'
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
  { home, project, env }: RunTarget,
  io: Io,
): Promise<Result<CommandPlan, string>> {
  const { exec = '', execModel: model, maxDuration: runMs, prompt, paste, passEnv, useHome } = options
  const { commandTarget, findPreset, splitCommand } = await import('@joust/arena')
  const common = {
    ...{ paste, passEnv, useHome, environment: io.env },
    ...(prompt && { prompt }),
    ...(env && { env }),
    ...(model && { model }),
    ...(runMs && { timeoutMs: Math.max(runMs - AHEAD_MS, runMs / 2) }),
  }
  const preset = project?.presets.get(exec.trim()) ?? findPreset(exec.trim())
  if (preset !== undefined) return planPreset(preset, options, common, io)
  for (const [option, words] of Object.entries({ '--exec': exec, '--exec-next': options.execNext })) {
    const argv = words === undefined ? ok([]) : splitCommand(words)
    if (!argv.ok) return err(`${option}: ${argv.error}`)
  }
  if (model !== undefined) return err('--exec-model goes with a preset: joust presets list')
  const { execNext: next, answerPath: answer, jsonLines: lines } = options
  const command = { command: exec, lines, cwd: home, ...(next && { next }), ...(answer && { answer }) }
  return ok(planOf({ ...common, ...command }, { kind: 'command', name: withoutSecretValues(exec) }, commandTarget))
}

async function planPreset(
  preset: Preset,
  options: RunOptions,
  common: Omit<CommandTargetOptions, 'command'>,
  io: Io,
): Promise<Result<CommandPlan, string>> {
  const { name, tried } = preset
  const own = {
    '--exec-next': options.execNext,
    '--answer-path': options.answerPath,
    '--json-lines': options.jsonLines,
  }
  const given = Object.entries(own).find(([, value]) => value !== undefined && value !== false)
  if (given !== undefined) return err(`${given[0]} does not go with the preset ${name}, which knows how to go on`)
  const { commandTarget, installedVersion, isTried } = await import('@joust/arena')
  const version = options.dryRun ? ok(undefined) : await installedVersion(preset, io.env)
  if (!version.ok) return err(`--exec ${name}: ${version.error}; joust presets show ${name} tells what it needs`)
  const found = version.value
  if (!options.quiet && found !== undefined && !isTried(preset, found)) {
    const known = tried === undefined ? 'was written from its documentation and not tried' : `was tried with ${tried}`
    io.stderr.write(`joust: ${name} ${printable(found)} is installed; its preset ${known}\n`)
  }
  const details = { ...(found && { version: found }), ...(common.model && { model: common.model }) }
  return ok(planOf({ ...common, command: preset, name }, { kind: 'command', name, details }, commandTarget))
}

function planOf(options: CommandTargetOptions, about: ResultTarget, create: typeof commandTarget): CommandPlan {
  return { about, lacks: (needs) => create(options).lacks?.(needs) ?? [], make: () => ({ target: create(options) }) }
}
