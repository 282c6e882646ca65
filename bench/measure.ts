/** Runs work until enough time has passed and says how long one round takes: the median of the rounds, in seconds. */
export function measure(work: () => void, seconds = 2): number {
  work() // warm-up
  const rounds: number[] = []
  const end = performance.now() + seconds * 1000
  do {
    const start = performance.now()
    work()
    rounds.push((performance.now() - start) / 1000)
  } while (performance.now() < end || rounds.length < 3)
  return median(rounds)
}

/** The same for work that takes its time. */
export async function measureAsync(work: () => Promise<void>, seconds = 2): Promise<number> {
  await work() // warm-up
  const rounds: number[] = []
  const end = performance.now() + seconds * 1000
  do {
    const start = performance.now()
    await work()
    rounds.push((performance.now() - start) / 1000)
  } while (performance.now() < end || rounds.length < 3)
  return median(rounds)
}

/** Two pieces of work by turns, so that what else the machine does slows both: how long a round of each takes. */
export async function measureByTurns(
  first: () => Promise<void>,
  second: () => Promise<void>,
  seconds = 2,
): Promise<readonly [number, number]> {
  const rounds: [number[], number[]] = [[], []]
  const time = async (work: () => Promise<void>) => {
    const start = performance.now()
    await work()
    return (performance.now() - start) / 1000
  }
  const end = performance.now() + seconds * 1000
  do {
    rounds[0].push(await time(first))
    rounds[1].push(await time(second))
  } while (performance.now() < end || rounds[0].length < 3)
  return [median(rounds[0]), median(rounds[1])]
}

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
