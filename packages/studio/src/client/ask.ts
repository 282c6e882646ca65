/** Questions to the server. */
import { err, ok, type Result } from '@joust/source'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** Why the server did not do what it was asked for. */
interface AskFault {
  readonly status: number
  readonly message: string
  readonly version?: string
}

/** Asks for something; the types of answers are those of `model/api.ts`. */
export function ask<T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<Result<T, AskFault>> {
  const words = new URLSearchParams(query).toString()
  return send<T>(words === '' ? path : `${path}?${words}`, {})
}

/** The answer to a question, asked again whenever the question changes; undefined while there is no answer, or no question. */
export function useAnswer<T>(
  path: string | undefined,
  query: Readonly<Record<string, string>>,
): Result<T, AskFault> | undefined {
  const known = useSignal<{ readonly of: string; readonly answer: Result<T, AskFault> } | undefined>(undefined)
  const of = JSON.stringify([path, query])
  useEffect(() => {
    let isWanted = true
    if (path !== undefined)
      void ask<T>(path, query).then((answer) => {
        if (isWanted) known.value = { of, answer }
      })
    return () => {
      isWanted = false
    }
  }, [of])
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
    return err({
      status: response.status,
      message: value.error ?? response.statusText,
      ...(value.version && { version: value.version }),
    })
  } catch {
    return err({ status: 0, message: 'the studio does not answer; is joust studio still running?' })
  }
}
