/** Benchmarks with figures of their own. */
export const benchmarkNames = ['injecagent'] as const

export type BenchmarkName = (typeof benchmarkNames)[number]
