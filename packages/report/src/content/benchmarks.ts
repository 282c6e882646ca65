/** Benchmarks with metrics that can be computed. */
export const benchmarkNames = ['injecagent', 'agentdojo'] as const

export type BenchmarkName = (typeof benchmarkNames)[number]
