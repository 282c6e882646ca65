/** The given command, in a form that can be given again. */
import type { Redactor } from '@joust/arena'
import { shellWord } from '@joust/source'
import { optionName } from '../options/option.ts'
import type { GivenOptions } from '../options/read.ts'
import { withoutSecretValues } from '../target/hidden-values.ts'
import { withoutSecretsOf } from '../terminal/credentials.ts'
import type { Io } from '../terminal/io.ts'

/** `joust run library --model sim/cautious --resume DIR`: continues from the results in a folder. Secrets are hidden. */
export function resumeLine(
  paths: readonly string[],
  given: GivenOptions,
  folder: string,
  redactor: Redactor,
  io: Io,
): string {
  const { out: _, resume: __, ...others } = given
  const options = Object.entries(others).flatMap(([key, values = []]) => [
    optionName(key),
    ...(commands.has(key) ? values.map(withoutSecretValues) : values),
  ])
  const words = ['joust', 'run', ...paths, ...options, '--resume', folder]
  return words.map((word) => shellWord(redactor.text(withoutSecretsOf(io.env, word)))).join(' ')
}

/** Options whose values are command lines. */
const commands: ReadonlySet<string> = new Set(['exec', 'execNext', 'acp'])
