/** Adapts language models of the AI SDK to the model port. */
import { describeValue, err, ok, type Result } from '@joust/source'
import type { EarlierLanguageModel, LanguageModel } from '../model/language-model.ts'

/**
 * Accepts models of the versions 3 and 4 of the provider interface. Others are refused, because they report tokens
 * differently. The value comes from a host that may not be type-checked.
 */
export function adaptModel(model: unknown): Result<LanguageModel, string> {
  if (typeof model !== 'object' || model === null) return err(`expected a language model, got ${describeValue(model)}`)
  const { specificationVersion: version, doGenerate, doStream }: Partial<Record<keyof LanguageModel, unknown>> = model
  if (typeof doGenerate !== 'function' || typeof doStream !== 'function') {
    return err('expected a language model of the AI SDK, with doGenerate and doStream')
  }
  // The version decides the type.
  if (version === 'v4') return ok(model as LanguageModel)
  if (version === 'v3') return ok(fromV3(model as EarlierLanguageModel))
  const seen = version === undefined ? 'no version' : `version ${describeValue(version)}`
  return err(`the language model has ${seen} of the provider interface of the AI SDK; supported: v3, v4`)
}

/** Adapts a model of version 3. It differs only in the format of files, which the runtime neither sends nor reads. */
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
