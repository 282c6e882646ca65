/** Values that completion offers, from the tables of models, presets, attacks and explanations. */
import { readdir } from 'node:fs/promises'
import { explanations } from '@joust/oatf/explain'
import { modelBeginnings } from '@joust/runtime'
import { presets } from '@joust/targets'
import { glossary } from '../render/glossary.ts'
import { assets } from '../terminal/assets.ts'

/** Values by option key, and argument values by the words of a command. */
export interface CompletionValues {
  readonly options: Readonly<Record<string, readonly string[]>>
  readonly words: Readonly<Record<string, readonly string[]>>
}

/** Reads the values. A value with a space is omitted: shells would split it. */
export async function completionValues(): Promise<CompletionValues> {
  const models = modelBeginnings()
  const agents = presets.map(({ name }) => name)
  const files = await readdir(assets.library)
  const attacks = files.filter((file) => file.endsWith(ATTACK)).map((file) => file.slice(0, -ATTACK.length))
  const words = [...explanations().map(({ code }) => code), ...glossary.map(({ term }) => term)]
  return {
    options: { model: models, withModel: models, judge: models, exec: agents, acp: agents },
    words: {
      'library show': attacks.sort(),
      'presets show': agents,
      explain: words.filter((word) => !/\s/.test(word)),
    },
  }
}

const ATTACK = '.oatf.yaml'
