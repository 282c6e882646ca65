/** `joust mutate` and `joust search`. */
import { mutateOptions } from '../options/adaptive.ts'
import { examples } from '../terminal/help.ts'
import { command } from './command.ts'

export const mutate = command({
  name: 'mutate',
  summary: 'rewrite the bait of attacks',
  description:
    'Makes new attacks of old ones: the same story with the bait said in another way (language, encoding, typography, framing, ' +
    'tone, length) or standing in another place (parts, turns, surfaces). A mutant is an ordinary document; it names its bait, ' +
    'the fingerprint of its parent (x-joust-parent) and what was done (x-joust-mutations). Comments and layout stay. A mutation that does not ' +
    'apply to a document says why. Exits 1 when a document is not valid or no mutant was made.',
  arguments: {
    attack: { count: 'any', help: 'OATF documents: files, folders, quoted globs, or - for standard input' },
  },
  options: mutateOptions,
  after: examples(
    'joust mutate --list',
    'joust mutate attack.oatf.yaml --by urgent',
    'joust mutate library --by all --out mutants',
    'joust mutate attack.oatf.yaml --by german+base64 | joust run - --model sim/credulous',
  ),
  run: async ({ attack }, options, io) => (await import('../commands/mutate.ts')).mutate(attack, options, io),
})
