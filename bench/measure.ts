/** Repeats work until enough time has passed. Returns the processor seconds of the fastest round. */
export function measure(work: () => void, seconds = 2): number {
  work() // warm-up
  let fastest = Number.POSITIVE_INFINITY
  let rounds = 0
  const end = performance.now() + seconds * 1000
  do {
    const start = process.cpuUsage()
    work()
    fastest = Math.min(fastest, secondsSince(start))
    rounds += 1
  } while (performance.now() < end || rounds < 3)
  return fastest
}

/** Like `measure`, for asynchronous work. Returns the elapsed seconds of the median round. */
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

/**
 * Alternates two pieces of work, so that other load on the machine slows both. Returns the median processor seconds of
 * each. The first half of the rounds is ignored because the JIT compiler is still active.
 */
export async function measureByTurns(
  first: () => Promise<void>,
  second: () => Promise<void>,
  seconds = 2,
): Promise<readonly [number, number]> {
  const rounds: [number[], number[]] = [[], []]
  const end = performance.now() + seconds * 1000
  do {
    rounds[0].push(await processorTime(first))
    rounds[1].push(await processorTime(second))
  } while (performance.now() < end || rounds[0].length < 3)
  return [median(laterHalf(rounds[0])), median(laterHalf(rounds[1]))]
}

function laterHalf(rounds: readonly number[]): readonly number[] {
  return rounds.slice(rounds.length >> 1)
}

/** Returns the processor seconds over all threads that the work takes in an otherwise idle process. */
export async function processorTime(work: () => Promise<void>): Promise<number> {
  const start = process.cpuUsage()
  await work()
  return secondsSince(start)
}

function secondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1e6
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
