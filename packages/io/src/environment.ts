/** What a child process sees of the environment of this one. */

/** What a program needs to be found and to write text; nothing that could be a secret. */
const passed = /^(PATH|LANG|LANGUAGE|LC_[A-Z]+|TZ|PATHEXT|SystemRoot|SYSTEMROOT|ComSpec|WINDIR)$/

/** The least, and what the caller names beside it. Whoever writes for a terminal is told that there is none. */
export function childEnvironment(
  names: readonly string[] = [],
  all: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const kept = Object.entries(all).filter(([name]) => passed.test(name) || names.includes(name))
  const texts = kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return { TERM: 'dumb', NO_COLOR: '1', ...Object.fromEntries(texts) }
}
