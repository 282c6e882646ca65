/** A thrown value as text: the message, then the frame in the user's own code, then the other frames. */

/**
 * Its source text also runs in the process of a function, so it uses nothing but its argument and
 * `process`, and no template strings, which look like placeholders of a command.
 */
export function describeThrown(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  const [first = '', ...more] = String(thrown).split('\n')
  const frames = String(thrown.stack)
    .split('\n')
    .filter((line) => /^ +at /.test(line))
  const frame = frames.find((line) => !/node:|\[eval|node_modules/.test(line))
  const place = frame
    ?.replace(/^.*?\(?((?:file:|\/|[A-Z]:)[^()]*)\)?$/, '$1')
    .replace(/^file:\/\//, '')
    .replace(process.cwd().concat('/'), '')
  const head = place === undefined ? first : first.concat(' (', place, ')')
  return [head, ...more, ...frames.filter((line) => !/node:|\[eval/.test(line))].join('\n')
}
