/** What this process holds open. */

/** How many handles of these kinds are open now. */
export function openHandles(): number {
  return process.getActiveResourcesInfo().filter((kind) => /^(TCP|Process|TLS)/.test(kind)).length
}

/** Resolves when no more handles are open than before; a leak shows as a test that does not end. */
export async function handlesReleased(before: number): Promise<void> {
  while (openHandles() > before) await new Promise((resolve) => setImmediate(resolve))
}
