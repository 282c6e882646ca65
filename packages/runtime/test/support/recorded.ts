/** Models that keep the calls they get. */
import { type Script, scriptedModel } from '@joust/sim'
import type { LanguageModel, ModelCall } from '../../src/model/language-model.ts'

/** A scripted model and every call it got, streamed or not. */
export function recorded(script: Script): { readonly model: LanguageModel; readonly asked: ModelCall[] } {
  const asked: ModelCall[] = []
  const model = scriptedModel(script)
  return {
    asked,
    model: {
      ...model,
      doGenerate(call) {
        asked.push(call)
        return model.doGenerate(call)
      },
      doStream(call) {
        asked.push(call)
        return model.doStream(call)
      },
    },
  }
}
