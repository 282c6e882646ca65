/** Formats a thrown value: message first, then the frame in the user's own code, then the other frames. */

/**
 * Describes a thrown value. The source text of this function also runs in the function's process, so it uses only its
 * argument and `process`, and no template strings, which look like command placeholders.
 */
export function describeThrown(thrown: unknown): string {
  // In Jest, Node.js errors are not instances of the global `Error`.
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
  const stack = String((thrown as Error).stack).split('\n')
  // For TypeScript that it cannot strip, Node.js prints file and source line before the message.
  const source = /^(?:file:|\/|[A-Z]:).*:[0-9]+$/.test(stack[0] ?? '') ? stack.slice(0, stack.indexOf(first)) : []
  const frames = stack.filter(
    (line) => /^ +at /.test(line) && !/node:|\[eval|\(<anonymous>\)|[/\\]@joust[/\\]/.test(line),
  )
  const frame = source[0] ?? frames.find((line) => !line.includes('node_modules'))
  const place = frame
    ?.replace(/^.*?\(?((?:file:|\/|[A-Z]:)[^()]*)\)?$/, '$1')
    .replace(/^file:\/\//, '')
    .replace(process.cwd().concat('/'), '')
  const head = place === undefined ? first : first.concat(' (', place, ')')
  const isLoader = /^.*ERR_UNSUPPORTED_TYPESCRIPT|^.*ERR_UNKNOWN_FILE_EXTENSION.*"\.[cm]?tsx?"/.test(first)
  const advice = isLoader ? ['install tsx in the same project as the module: it supports all of TypeScript'] : []
  return [head, ...advice, ...more, ...source.slice(1).filter((line) => line !== ''), ...frames].join('\n')
}
