/**
 * Identifies the agent's own start among the commands recorded by shims. A wrapper, such as npx or a script, starts the
 * agent with words passed by Joust; such a process is not a command of the agent.
 */

/** A process recorded by a shim. */
export interface StartedProcess {
  readonly pid: string
  readonly parent: string
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
}

/** The words and prompt of a command started by Joust. */
export interface Launch {
  readonly words: readonly string[]
  readonly prompt?: string
}

/**
 * Removes, for each launch, the first process that repeats its words, and descendants that repeat them too. Later
 * processes with the same words are kept. The parent of the first process is never recorded, because it is Joust's
 * command or a program that starts no other by name.
 */
export function withoutLaunches<P extends StartedProcess>(processes: readonly P[], launches: readonly Launch[]): P[] {
  const pending = [...launches]
  const others = new Set<string>()
  const chains = new Map<string, Launch>()
  return processes.filter((process) => {
    const { pid, parent } = process
    const above = chains.get(pid) ?? chains.get(parent)
    const isTop = above === undefined && !others.has(pid) && !others.has(parent)
    const launch = above ?? (isTop ? pending.find((one) => repeats(process, one)) : undefined)
    if (launch === undefined || !repeats(process, launch)) {
      others.add(pid)
      return true
    }
    if (above === undefined) pending.splice(pending.indexOf(launch), 1)
    chains.set(pid, launch)
    return false
  })
}

/** Minimum length of a word to compare. Shorter words, such as `-`, also end commands of an agent. */
const LEAST = 3

/** True if the command line of a process ends with words of a launch, or with the launch's prompt. */
function repeats({ args }: StartedProcess, { words, prompt }: Launch): boolean {
  const line = ` ${plain(args)}`
  const tails = words.map((_, index) => plain(words.slice(index)))
  return [...tails.slice(1), plain(prompt === undefined ? [] : [prompt])].some(
    (tail) => tail.length >= LEAST && line.endsWith(` ${tail}`),
  )
}

/** Joins words without the quotes that `sh -c` needs. */
function plain(words: readonly string[]): string {
  return words
    .join(' ')
    .replaceAll(/['"\\]/g, '')
    .trim()
}
