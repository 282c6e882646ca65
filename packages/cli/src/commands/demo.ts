/** `joust demo`: what the command can do so far, shown on the examples of the repository. */
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { coloursFor } from '../render/colours.ts'
import { evaluate } from './evaluate.ts'
import { explain } from './explain.ts'
import { validate } from './validate.ts'

const STORY = 'examples/tool-description-injection'
const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url))

interface Scene {
  readonly title: string
  readonly command: string
  readonly run: (io: Io) => Promise<number>
  /** The exit code without which the demo would be telling stories. */
  readonly expected: number
}

/** Prints each command and then its output; fails when one does not do what it is there to show. */
export async function demo(io: Io, repository = REPOSITORY): Promise<number> {
  const colours = coloursFor(io, 'stdout')
  if (
    !(await access(join(repository, STORY)).then(
      () => true,
      () => false,
    ))
  ) {
    io.stderr.write('joust: the demo needs the examples, which are part of the repository\n')
    return exitCodes.failure
  }
  // Summaries go to the same stream, so that a recorded demo keeps its order.
  const there = { ...io, cwd: repository, stderr: io.stdout }
  for (const { title, command, run, expected } of scenes) {
    io.stdout.write(`${colours.bold(title)}\n${colours.cyan(`$ ${command}`)}\n`)
    const code = await run(there)
    io.stdout.write(`${colours.dim(`exit code ${code}`)}\n\n`)
    if (code === expected) continue
    io.stderr.write(`joust: "${command}" should have ended with exit code ${expected}\n`)
    return exitCodes.failure
  }
  io.stdout.write(`${closing}\n`)
  return exitCodes.ok
}

const scenes: readonly Scene[] = [
  {
    title: 'Are the documents sound?',
    command: 'joust validate examples',
    run: (io) => validate(['examples'], { format: 'text' }, io),
    expected: exitCodes.ok,
  },
  {
    title: 'What does a finding mean?',
    command: 'joust explain V-005',
    run: (io) => explain('V-005', io),
    expected: exitCodes.ok,
  },
  judgement('An agent answered the poisoned tool. Did it fall for it?', 'fell-for-it', exitCodes.boundaryBreach),
  judgement('Another agent, the same attack.', 'resisted', exitCodes.notExploited),
]

const closing = `Shown: attack documents are checked, a rule is explained, and two recorded messages are judged by the same document:
one agent gave its keys away, the other did its work and nothing else.`

function judgement(title: string, name: string, expected: number): Scene {
  const attack = `${STORY}/attack.oatf.yaml`
  const message = `${STORY}/messages/${name}.json`
  return {
    title,
    command: `joust evaluate ${attack} --message ${message}`,
    run: (io) => evaluate(attack, { message }, io),
    expected,
  }
}
