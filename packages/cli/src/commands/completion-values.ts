/** Completion values, from the tables of models, presets, attacks and explanations. */
import { library, librarySuites } from '@joust/library'
import { explanations } from '@joust/oatf/explain'
import { frameworks } from '@joust/results'
import { modelBeginnings } from '@joust/runtime'
import { presets } from '@joust/targets'
import { glossary } from '../render/glossary.ts'

/** Option values by option key, and argument values by command. */
export interface CompletionValues {
  readonly options: Readonly<Record<string, readonly string[]>>
  readonly words: Readonly<Record<string, readonly string[]>>
  /** Library suites, which are accepted in place of attack files. */
  readonly suites: readonly string[]
}

/** Omits values that contain a space, because shells would split them. */
export async function completionValues(): Promise<CompletionValues> {
  const models = modelBeginnings()
  const agents = presets.map(({ name }) => name)
  const suites = librarySuites.map(({ name }) => `@${name}`)
  const words = [...explanations().map(({ code }) => code), ...glossary.map(({ term }) => term)]
  return {
    options: {
      framework: frameworks.map(({ name }) => name.replaceAll('_', '-')),
      model: models,
      withModel: models,
      judge: models,
      exec: agents,
      acp: agents,
    },
    suites,
    words: {
      'library show': library.map(({ name }) => name),
      'library list': suites,
      'presets show': agents,
      explain: words.filter((word) => !/\s/.test(word)),
    },
  }
}
