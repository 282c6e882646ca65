const SEGMENT = '[a-zA-Z0-9_-]+'
const SIMPLE = new RegExp(`^(?:${SEGMENT}(?:\\.${SEGMENT})*)?$`)
const WILDCARD = new RegExp(`^(?:${SEGMENT}(?:\\[\\*\\])?(?:\\.${SEGMENT}(?:\\[\\*\\])?)*)?$`)

/** Whether a text is a simple dot-path (SDK §5.1.1); the empty path is the root. */
export function isSimplePath(path: string): boolean {
  return SIMPLE.test(path)
}

/** Whether a text is a wildcard dot-path (SDK §5.1.2); the empty path is the root. */
export function isWildcardPath(path: string): boolean {
  return WILDCARD.test(path)
}
