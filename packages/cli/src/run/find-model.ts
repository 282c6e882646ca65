/** A model of the tool's own, as it is or on a cassette: a judge, an attacker. */
import type { Cassette } from '@joust/arena/cassette'
import type { LanguageModel } from '@joust/runtime'
import { err, ok, type Result } from '@joust/source'
import type { Io } from '../terminal/io.ts'

/** A model, to be closed with what records it. */
export interface FoundModel {
  readonly bound: LanguageModel
  close(): void
}

/** Finds the model of a reference; with a cassette, its calls are recorded or taken from there. */
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
    return err(thrown instanceof Error ? thrown.message : String(thrown))
  }
}
