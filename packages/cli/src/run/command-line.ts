/** The command that was given, as it can be given again. */
import { optionName } from '../options/option.ts'
import type { GivenOptions } from '../options/read.ts'
import { withoutSecretsOf } from '../terminal/credentials.ts'
import type { Io } from '../terminal/io.ts'

/** `joust run library --model sim/cautious --resume DIR`: goes on from the results in a folder. Keys are hidden. */
export function resumeLine(paths: readonly string[], given: GivenOptions, folder: string, io: Io): string {
  const { out: _, resume: __, ...others } = given
  const options = Object.entries(others).flatMap(([key, values = []]) => [optionName(key), ...values])
  const words = ['joust', 'run', ...paths, ...options, '--resume', folder]
  return withoutSecretsOf(io.env, words.map(quoted).join(' '))
}

function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
