import { isList, isRecord, type Value } from '@joust/source'

/** What is still to be written: a value, or text; after the text that closes a collection, the collection is done. */
type Job = { readonly value: Value } | { readonly text: string; readonly closes?: object }

/**
 * JSON of a value of any depth. `JSON.stringify` is recursive and gives up where a peer's nesting goes on. Throws as that
 * does when a value contains itself.
 */
export function deepJson(root: Value): string {
  const parts: string[] = []
  const open = new Set<object>()
  /** The next one is last. */
  const jobs: Job[] = [{ value: root }]
  for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) {
    if ('text' in job) {
      parts.push(job.text)
      if (job.closes !== undefined) open.delete(job.closes)
      continue
    }
    const { value } = job
    if (!isList(value) && !isRecord(value)) {
      parts.push(JSON.stringify(value) ?? 'null')
      continue
    }
    if (open.has(value)) throw new TypeError('the value contains itself')
    open.add(value)
    parts.push(isList(value) ? '[' : '{')
    jobs.push({ text: isList(value) ? ']' : '}', closes: value })
    const inside = isList(value) ? itemJobs(value) : entryJobs(value)
    for (let index = inside.length - 1; index >= 0; index--) jobs.push(...(inside[index] ?? []))
  }
  return parts.join('')
}

function itemJobs(list: readonly Value[]): Job[][] {
  return list.map((value, index) => [{ value }, { text: index > 0 ? ',' : '' }])
}

function entryJobs(record: { readonly [key: string]: Value }): Job[][] {
  return Object.entries(record).map(([key, value], index) => [
    { value },
    { text: `${index > 0 ? ',' : ''}${JSON.stringify(key)}:` },
  ])
}
