/**
 * Tool names for models (decision 0019, OPEN-44, OPEN-46). Names in the document take precedence over servers' names.
 */
import type { Callable } from '../model/callable.ts'

export const FINAL_OUTPUT = 'final_output'

interface NameRequest {
  readonly name: string
  readonly fallback: string
  /** True for names chosen by a server or client. Names in the document take precedence. */
  readonly lowPriority: boolean
}

export interface Candidate extends Omit<NameRequest, 'name'> {
  readonly callable: Callable
}

/** Assigns callables unique names that providers accept. */
export function nameCallables(candidates: readonly Candidate[]): Callable[] {
  const names = assignNames(candidates.map(({ callable, ...request }) => ({ ...request, name: callable.name })))
  return candidates.map(({ callable }, index) => {
    const name = names[index] ?? callable.name
    // Governance policies list the original names.
    return name === callable.name ? callable : { ...callable, name, names: [callable.name, ...callable.names] }
  })
}

/** Returns unique names in the order of the requests. */
export function assignNames(requests: readonly NameRequest[]): string[] {
  const usedNames = new Set([FINAL_OUTPUT])
  const names = new Map<NameRequest, string>()
  const assign = (request: NameRequest, name: string) => {
    const free = firstFree(name, usedNames)
    usedNames.add(free)
    names.set(request, free)
  }
  for (const request of requests) {
    if (!request.lowPriority) assign(request, usedNames.has(sanitize(request.name)) ? request.fallback : request.name)
  }
  const others = requests.filter(({ lowPriority }) => lowPriority)
  const counts = new Map<string, number>()
  for (const { name } of others) counts.set(sanitize(name), (counts.get(sanitize(name)) ?? 0) + 1)
  const clashes = ({ name }: NameRequest) => usedNames.has(sanitize(name)) || counts.get(sanitize(name)) !== 1
  // Assign fallback names first: a server's tool named `other__tool` must not take that name from the server `other`.
  for (const request of others.filter(clashes)) assign(request, request.fallback)
  for (const request of others)
    if (!names.has(request)) assign(request, clashes(request) ? request.fallback : request.name)
  return requests.map((request) => names.get(request) ?? request.name)
}

/** Maximum length of a name. Providers accept letters, digits, `_` and `-`; some reject a leading digit. */
const LONGEST = 64

function sanitize(name: string): string {
  const plain = name.slice(0, LONGEST).replaceAll(/[^A-Za-z0-9_-]/g, '_')
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`.slice(0, LONGEST)
}

function firstFree(preferred: string, taken: ReadonlySet<string>): string {
  const name = sanitize(preferred)
  if (!taken.has(name)) return name
  for (let number = 2; ; number++) {
    const suffix = `_${number}`
    const numbered = `${name.slice(0, LONGEST - suffix.length)}${suffix}`
    if (!taken.has(numbered)) return numbered
  }
}
