/** Sends requests to the server: once, repeatedly, or as a hook. */
import { err, ok, type Result } from '@joust/source'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** A failed request. The status is 0 if there was no response. */
interface AskFault {
  readonly status: number
  readonly message: string
}

/** Sends a GET request. `model/api.ts` contains the response types. */
export function ask<T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<Result<T, AskFault>> {
  const words = new URLSearchParams(query).toString()
  return send<T>(words === '' ? path : `${path}?${words}`, {})
}

/** Runs asynchronous work whenever the inputs change. The signal aborts when the inputs change again, or on unmount. */
export function useWork(work: (signal: AbortSignal) => Promise<void>, inputs: readonly unknown[]): void {
  useEffect(() => {
    const abort = new AbortController()
    void work(abort.signal)
    return () => abort.abort()
  }, inputs)
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** Polls immediately, then repeatedly while the page is visible, until the signal aborts or `poll` returns false. */
export async function repeat(poll: () => Promise<boolean>, everyMs: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if (!document.hidden && !(await poll())) return
    await pause(everyMs)
  }
}

/**
 * Returns the response to a GET request. Undefined while the response is loading, or if there is no path. The request
 * is repeated when the path, the query or `again` changes. If only `again` changes, the old response is kept meanwhile.
 */
export function useAnswer<T>(
  path: string | undefined,
  query: Readonly<Record<string, string>> = {},
  again?: unknown,
): Result<T, AskFault> | undefined {
  const current = useSignal<{ readonly of: string; readonly answer: Result<T, AskFault> } | undefined>(undefined)
  const of = JSON.stringify([path, query])
  useWork(
    async (signal) => {
      const answer = path === undefined ? undefined : await ask<T>(path, query)
      if (answer !== undefined && !signal.aborted) current.value = { of, answer }
    },
    [of, again],
  )
  return current.value?.of === of ? current.value.answer : undefined
}

export function change<T>(path: string, body: object): Promise<Result<T, AskFault>> {
  return send<T>(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
}

async function send<T>(path: string, options: RequestInit): Promise<Result<T, AskFault>> {
  try {
    const response = await fetch(path, options)
    const value = await response.json()
    // The server has the same version as this page.
    if (response.ok) return ok(value as T)
    return err({ status: response.status, message: value.error ?? response.statusText })
  } catch {
    return err({ status: 0, message: 'no response from the server; is joust studio still running?' })
  }
}
