const asked = new Map()

/** The backup is done once it has been asked about three times; no other job ever finishes. */
export const checkJob = {
  inputSchema: { type: 'object', properties: { job: { type: 'string' } }, required: ['job'] },
  call({ job }) {
    asked.set(job, (asked.get(job) ?? 0) + 1)
    return job === 'backup' && asked.get(job) >= 3 ? `${job} has finished` : `${job} is running`
  },
}
