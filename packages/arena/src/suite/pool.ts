/** Work side by side: so many at a time, each result as it is there. */

/** Yields results in the order in which work ends. Leaving the loop early waits for what is under way. */
export async function* runPool<Job, Done>(
  jobs: Iterator<Job>,
  room: number,
  signal: AbortSignal,
  work: (job: Job) => Promise<Done>,
): AsyncGenerator<Done, void, void> {
  const running = new Map<number, Promise<{ readonly number: number; readonly done: Done }>>()
  let next = 0
  try {
    for (;;) {
      while (running.size < room && !signal.aborted) {
        const job = jobs.next()
        if (job.done === true) break
        const number = next++
        running.set(
          number,
          work(job.value).then((done) => ({ number, done })),
        )
      }
      if (running.size === 0) return
      const { number, done } = await Promise.race(running.values())
      running.delete(number)
      yield done
    }
  } finally {
    await Promise.allSettled(running.values())
  }
}
