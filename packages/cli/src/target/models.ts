/**
 * The models of a run: resolved, and asked for one word or one tool call before anything is run, so that a wrong key is
 * one error, not one for each attack, and a server that drops tools does not seem to resist.
 */
import type { Cassette } from '@joust/arena/cassette'
import type { LanguageModel, ModelResolver, RuntimeOptions } from '@joust/runtime'
import { err, messageOf, ok, type Result } from '@joust/source'
import type { RunOptions } from '../options/run.ts'
import type { Io } from '../terminal/io.ts'

/** A model by its name, and whether it has to call tools. */
export interface ModelUse {
  readonly reference: string
  readonly tool: boolean
}

/** Faults of models, one sentence each. A model that the host has bound as an object is up to the host. */
export async function modelFaults(
  uses: readonly ModelUse[],
  models: RuntimeOptions['models'],
  io: Io,
): Promise<string[]> {
  const references = new Map<string, boolean>()
  for (const { reference, tool } of uses) {
    const bound = await boundTo(reference, models)
    if (typeof bound === 'string') references.set(bound, tool || references.get(bound) === true)
  }
  const faults = await Promise.all([...references].map(([reference, tool]) => modelFault({ reference, tool }, io)))
  return faults.filter((fault) => fault !== undefined)
}

/** A dry run and a replay ask nobody, and the user may know better. */
export function isAsked({ dryRun, replay, noControl }: Pick<RunOptions, 'dryRun' | 'replay' | 'noControl'>): boolean {
  return !dryRun && replay === undefined && !noControl
}

/** Why a model cannot be asked; undefined when it can. Simulations are not asked. */
async function modelFault({ reference, tool }: ModelUse, io: Io): Promise<string | undefined> {
  const { probeModel, resolveModel } = await import('@joust/runtime')
  const found = await resolveModel(reference, io.env)
  if (!found.ok) return `${reference}: ${found.error.message}`
  if (reference.startsWith('sim/')) return undefined
  const refusal = await probeModel(found.value, { tool })
  if (refusal === undefined) return undefined
  const { code, message } = refusal
  return code === 'no_answer'
    ? `${reference} cannot be asked: ${message}; check its name, its key and its address`
    : `${reference} calls no tools: ${message}; check that the model and its server support tools, or use --no-control`
}

async function boundTo(reference: string, models: RuntimeOptions['models']) {
  if (models === undefined) return reference
  // The resolvers that the command makes ignore the agent.
  const nobody = undefined as unknown as Parameters<ModelResolver>[1]
  if (typeof models === 'function') return (await models(reference, nobody)) ?? reference
  const model = reference.slice(reference.indexOf('/') + 1)
  const key = [reference, model].find((name) => Object.hasOwn(models, name))
  return key === undefined ? reference : models[key]
}

/** A model of the tool's own, a judge or an attacker, to be closed along with its recording. */
export interface FoundModel {
  readonly bound: LanguageModel
  close(): void
}

/** Finds the model that an option names and, where `isAsked`, asks it for a word first. The error is a sentence. */
export async function openModel(
  option: string,
  model: string,
  open: (() => Cassette) | undefined,
  isAsked: boolean,
  io: Io,
): Promise<Result<FoundModel, string>> {
  const found = await findModel(model, open, io)
  if (!found.ok) return err(`${option} ${model}: ${found.error}`)
  const fault = isAsked ? await modelFault({ reference: model, tool: false }, io) : undefined
  if (fault === undefined) return found
  found.value.close()
  return err(`${option} ${fault}`)
}

/** Finds the model of a reference; with a cassette, its calls are recorded or replayed. */
export async function findModel(
  model: string,
  open: (() => Cassette) | undefined,
  io: Io,
): Promise<Result<FoundModel, string>> {
  if (open === undefined) {
    const { resolveModel } = await import('@joust/runtime')
    const found = await resolveModel(model, io.env)
    return found.ok ? ok({ bound: found.value, close() {} }) : err(found.error.message)
  }
  const { recordedModel } = await import('@joust/arena/cassette')
  try {
    const cassette = open()
    const found = await recordedModel(model, cassette, io.env)
    return found.ok ? ok({ bound: found.value, close: cassette.close }) : err(found.error.message)
  } catch (thrown) {
    // The folder cannot be written, or holds no calls of this model.
    return err(messageOf(thrown))
  }
}
