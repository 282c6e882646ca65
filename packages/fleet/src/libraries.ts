/** The two libraries that only campaigns need, loaded on first use. */
import { FleetError } from './errors.ts'

/** The driver of PostgreSQL. */
export async function loadPg() {
  const { default: pg } = await import('pg').catch((cause: unknown) => missing('pg', cause))
  return pg
}

/** The queue, on PostgreSQL. */
export async function loadBull() {
  const { createPostgresBackend, withBackend } = await import('bullmq').catch((cause: unknown) =>
    missing('bullmq', cause),
  )
  return withBackend(createPostgresBackend)
}

/** The queue and its workers, once loaded. */
export type Bull = Awaited<ReturnType<typeof loadBull>>

function missing(name: string, cause: unknown): never {
  const versions = 'npm install pg@8.23.1 bullmq@6.7.0'
  throw new FleetError('library_missing', `campaigns need the package ${name}, which is not installed: ${versions}`, {
    cause,
  })
}
