/** Optional dependencies of campaigns, loaded on first use. */
import { FleetError } from './errors.ts'

export async function loadPg() {
  const { default: pg } = await import('pg').catch((cause: unknown) => missing('pg', cause))
  return pg
}

/** Loads BullMQ with its PostgreSQL backend. */
export async function loadBull() {
  const { createPostgresBackend, withBackend } = await import('bullmq').catch((cause: unknown) =>
    missing('bullmq', cause),
  )
  return withBackend(createPostgresBackend)
}

export type Bull = Awaited<ReturnType<typeof loadBull>>

function missing(name: string, cause: unknown): never {
  const message = `campaigns require the package ${name}: npm install pg@8.23.1 bullmq@6.7.0`
  throw new FleetError('library_missing', message, { cause })
}
