/** Adapts AI SDK language models to the runtime's interface version. */
import { describeValue, err, ok, type Result } from '@joust/source'
import type { EarlierLanguageModel, LanguageModel } from '../model/language-model.ts'

/**
 * Accepts models of provider interface versions 3 and 4. Other versions are rejected, because they report tokens
 * differently. The parameter is `unknown`, because hosts may not be type-checked.
 */
export function adaptModel(model: unknown): Result<LanguageModel, string> {
  if (typeof model !== 'object' || model === null) return err(`expected a language model, got ${describeValue(model)}`)
  const { specificationVersion: version, doGenerate, doStream }: Partial<Record<keyof LanguageModel, unknown>> = model
  if (typeof doGenerate !== 'function' || typeof doStream !== 'function') {
    return err('expected an AI SDK language model with doGenerate and doStream')
  }
  // The version determines the type.
  if (version === 'v4') return ok(model as LanguageModel)
  if (version === 'v3') return ok(fromV3(model as EarlierLanguageModel))
  const versionText = version === undefined ? 'no version' : `version ${describeValue(version)}`
  return err(`the language model has ${versionText} of the AI SDK provider interface; supported: v3, v4`)
}

/** Adapts version 3, which differs only in file formats that the runtime does not use. */
function fromV3(model: EarlierLanguageModel): LanguageModel {
  const { provider, modelId, supportedUrls } = model
  const adapted: EarlierLanguageModel = {
    specificationVersion: 'v3',
    provider,
    modelId,
    supportedUrls,
    doGenerate: (call) => model.doGenerate(call),
    doStream: (call) => model.doStream(call),
  }
  return { ...adapted, specificationVersion: 'v4' } as unknown as LanguageModel
}
