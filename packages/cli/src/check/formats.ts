/** What `--format` of `validate` and `lint` may be. */
export const formats = ['text', 'json', 'sarif', 'github'] as const

export type OutputFormat = (typeof formats)[number]
