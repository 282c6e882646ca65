/**
 * The models of a run: resolved, and asked for one word before anything is run, so that a wrong key is one error, not
 * one for each attack.
 */
import type { Cassette } from '@joust/arena/cassette'
import type { LanguageModel, ModelResolver, RuntimeOptions } from '@joust/runtime'
import { err, messageOf, ok, type Result } from '@joust/source'
import type { RunOptions } from '../options/run.ts'
import type { Io } from '../terminal/io.ts'

/** What is wrong with references, one sentence each. A model that the host has bound as an object is up to the host. */
export async function modelFaults(
  references: readonly string[],
  models: RuntimeOptions['models'],
  io: Io,
): Promise<string[]> {
  const asked = new Set<string>()
  for (const reference of references) {
    const bound = await boundTo(reference, models)
    if (typeof bound === 'string') asked.add(bound)
  }
  const faults = await Promise.all([...asked].map((reference) => modelFault(reference, io)))
  return faults.filter((fault) => fault !== undefined)
}

/** A dry run and a replay ask nobody, and the user may know better. */
export function isAsked({ dryRun, replay, noControl }: Pick<RunOptions, 'dryRun' | 'replay' | 'noControl'>): boolean {
  return !dryRun && replay === undefined && !noControl
}

/** Why a model cannot be asked; undefined when it can. Simulations are not asked. */
async function modelFault(reference: string, io: Io): Promise<string | undefined> {
  const { probeModel, resolveModel } = await import('@joust/runtime')
  const found = await resolveModel(reference, io.env)
  if (!found.ok) return `${reference}: ${found.error.message}`
  if (reference.startsWith('sim/')) return undefined
  const refusal = await probeModel(found.value)
  return refusal === undefined
    ? undefined
    : `${reference} cannot be asked: ${refusal}; check its name, its key and its address`
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
  const fault = isAsked ? await modelFault(model, io) : undefined
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
