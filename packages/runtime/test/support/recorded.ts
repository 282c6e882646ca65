/** Models that keep what they were asked. */
import { type Script, scriptedModel } from '@joust/sim'
import type { LanguageModel, ModelCall } from '../../src/model/language-model.ts'

/** A scripted model and everything it was asked, streamed or not. */
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
