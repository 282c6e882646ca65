/** Benchmarks with figures of their own. */
export const benchmarkNames = ['injecagent', 'agentdojo'] as const

export type BenchmarkName = (typeof benchmarkNames)[number]
