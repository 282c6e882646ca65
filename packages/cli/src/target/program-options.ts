/** One-letter options that are a password in some programs and a port, user or group in others. */

/** Programs with a one-letter password option, attached or as the next word. */
const PASSWORDS: readonly { readonly program: RegExp; readonly option: string; readonly next?: true }[] = [
  { program: /^(?:mysql|mariadb)[a-z-]*$/, option: '-p' },
  { program: /^7z[ar]?$/, option: '-p' },
  { program: /^sshpass$/, option: '-p', next: true },
  { program: /^mongo(?:sh|dump|restore|export|import)?$/, option: '-p', next: true },
  { program: /^redis-cli$/, option: '-a', next: true },
  { program: /^ldap[a-z]+$/, option: '-w', next: true },
  { program: /^sqlcmd$/, option: '-P', next: true },
  { program: /^(?:un)?zip$/, option: '-P', next: true },
]

/** Returns the start of the password in a word, if the word follows a program with such a password option. */
export function passwordStart(words: readonly string[], index: number): number | undefined {
  const word = words[index] ?? ''
  const lead = words[index - 1]
  const row = PASSWORDS.find(
    ({ option, next }) => (next && lead === option) || (word.startsWith(option) && word.length > option.length),
  )
  // Containers are often named after the program in them, and `-p` is then a port.
  if (row === undefined || /^-p\d+:\d+/.test(word)) return undefined
  if (!words.slice(0, index).some((earlier) => row.program.test(baseName(earlier)))) return undefined
  return row.next && lead === row.option ? 0 : row.option.length
}

const CONTAINERS = /^(?:docker|docker-compose|podman|nerdctl)$/
const SUBCOMMANDS = /^(?:compose|container|run|exec|create)$/
const SWITCHES = /^(?:--rm|--init|--privileged|--read-only|--interactive|--tty|--detach|-[itd]+)$/

/** True for `-u user:group` of a container program; `at` is the index of the option. */
export function isUserAndGroup(words: readonly string[], at: number, value: string): boolean {
  if (!/^\w[\w-]*:\w[\w-]*$/.test(value)) return false
  const program = words.findLastIndex((word, index) => index < at && CONTAINERS.test(baseName(word)))
  if (program === -1) return false
  // Options after the image or container belong to the program in it.
  return words.slice(program + 1, at).every((word, index) => {
    const lead = words[program + index] ?? ''
    const isValue = lead.startsWith('-') && !lead.includes('=') && !SWITCHES.test(lead)
    return (word.startsWith('-') && !/^(?:-u|--user)/.test(word)) || SUBCOMMANDS.test(word) || isValue
  })
}

function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1)
}
