/** What `validate --format` may be. */
export const formats = ['text', 'json', 'sarif', 'github'] as const

export type OutputFormat = (typeof formats)[number]
