/** Questions to the server, asked once, again and again, or while a view is open. */
import { err, ok, type Result } from '@joust/source'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** Why the server did not do what it was asked for. */
interface AskFault {
  readonly status: number
  readonly message: string
}

/** Asks for something; the types of answers are those of `model/api.ts`. */
export function ask<T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<Result<T, AskFault>> {
  const words = new URLSearchParams(query).toString()
  return send<T>(words === '' ? path : `${path}?${words}`, {})
}

/** Does something whenever the inputs change; the signal says when nobody waits for it any more. */
export function useWork(work: (left: AbortSignal) => Promise<void>, inputs: readonly unknown[]): void {
  useEffect(() => {
    const left = new AbortController()
    void work(left.signal)
    return () => left.abort()
  }, inputs)
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** Looks at once, then repeatedly while the page is visible, until it is left or there is nothing more to see. */
export async function repeat(look: () => Promise<boolean>, everyMs: number, left: AbortSignal): Promise<void> {
  while (!left.aborted) {
    if (!document.hidden && !(await look())) return
    await pause(everyMs)
  }
}

/**
 * The answer to a question, undefined while there is none, or no question. It is asked again whenever the question
 * changes; and when `again` does, while the old answer stays.
 */
export function useAnswer<T>(
  path: string | undefined,
  query: Readonly<Record<string, string>> = {},
  again?: unknown,
): Result<T, AskFault> | undefined {
  const known = useSignal<{ readonly of: string; readonly answer: Result<T, AskFault> } | undefined>(undefined)
  const of = JSON.stringify([path, query])
  useWork(
    async (left) => {
      const answer = path === undefined ? undefined : await ask<T>(path, query)
      if (answer !== undefined && !left.aborted) known.value = { of, answer }
    },
    [of, again],
  )
  return known.value?.of === of ? known.value.answer : undefined
}

/** Asks for a change. */
export function change<T>(path: string, body: object): Promise<Result<T, AskFault>> {
  return send<T>(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
}

async function send<T>(path: string, options: RequestInit): Promise<Result<T, AskFault>> {
  try {
    const response = await fetch(path, options)
    const value = await response.json()
    // Our own server, of the same version.
    if (response.ok) return ok(value as T)
    return err({ status: response.status, message: value.error ?? response.statusText })
  } catch {
    return err({ status: 0, message: 'the studio does not answer; is joust studio still running?' })
  }
}
