/** A thrown value as text: the message, then the frame in the user's own code, then the other frames. */

/**
 * Describes a thrown value. The source text of this function also runs in the process of a function, so it uses nothing
 * but its argument and `process`, and no template strings, which look like placeholders of a command.
 */
export function describeThrown(thrown: unknown): string {
  // In Jest, the errors of Node.js are no instances of the global `Error`.
  const isError = thrown instanceof Error || Object.prototype.toString.call(thrown) === '[object Error]'
  if (!isError) {
    const isObject = typeof thrown === 'object' && thrown !== null
    const value = isObject && 'message' in thrown ? thrown.message : thrown
    try {
      return typeof value === 'object' ? JSON.stringify(value) : String(value)
    } catch {
      return 'an object'
    }
  }
  const [first = '', ...more] = String(thrown).split('\n')
  const frames = String((thrown as Error).stack)
    .split('\n')
    .filter((line) => /^ +at /.test(line) && !/node:|\[eval|\(<anonymous>\)|[/\\]@joust[/\\]/.test(line))
  const frame = frames.find((line) => !line.includes('node_modules'))
  const place = frame
    ?.replace(/^.*?\(?((?:file:|\/|[A-Z]:)[^()]*)\)?$/, '$1')
    .replace(/^file:\/\//, '')
    .replace(process.cwd().concat('/'), '')
  const head = place === undefined ? first : first.concat(' (', place, ')')
  return [head, ...more, ...frames].join('\n')
}
