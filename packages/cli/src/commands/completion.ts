/** `joust completion SHELL`: generates a shell script from the tables of commands and options. */
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Io, wrongUsage } from '../terminal/io.ts'

export interface CompletedCommand {
  /** The command without `joust`, such as `agent run`; empty for `joust` itself. */
  readonly at: string
  /** Subcommands. If there are neither subcommands nor argument values, files are completed. */
  readonly commands: readonly Named[]
  readonly words: readonly Named[]
  /** Suite names, which are accepted in place of a file and suggested together with files. */
  readonly suites?: readonly string[]
  readonly options: readonly CompletedOption[]
}

interface Named {
  readonly name: string
  readonly about: string
}

interface CompletedOption {
  readonly long: string
  readonly short: string | undefined
  readonly about: string
  /** Undefined for a switch; empty if any value is accepted, such as a file name. */
  readonly values: readonly string[] | undefined
  /** True if the values are the target names in the project file. */
  readonly isTarget?: boolean
}

/** Shell command that prints the target names in `joust.yaml`. Starting joust would be too slow for completion. */
const TARGETS = "sed -n '/^targets:/,/^[^ #]/s/^  \\([A-Za-z0-9_.-]*\\):.*/\\1/p' joust.yaml 2>/dev/null"

const shells: Readonly<Record<string, (all: readonly CompletedCommand[]) => string>> = { bash, fish, zsh }

export function completion(shell: string, all: readonly CompletedCommand[], io: Io): number {
  const script = Object.hasOwn(shells, shell) ? shells[shell] : undefined
  if (script === undefined)
    return wrongUsage([`unknown shell "${shell}"; available: ${Object.keys(shells).join(', ')}`], io)
  io.stdout.writeData(script(all))
  return exitCodes.ok
}

/** Falls back to file names for every word, because Bash 3.2 (macOS) cannot do so for selected words only. */
function bash(all: readonly CompletedCommand[]): string {
  const words = (names: readonly string[]) => `COMPREPLY=($(compgen -W ${quoted(names.join(' '))} -- "$cur"))`
  return `# joust completion bash: source it from ~/.bashrc
_joust() {
  local cur=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} at='' word
  # --option=value comes as three words.
  if [[ $cur == = ]]; then cur=''; elif [[ $previous == = ]]; then previous=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at/$word" in
${lines(all, ({ at, commands }) => commands.map(({ name }) => `      ${quoted(`${at}/${name}`)}) at=${quoted(below(at, name))} ;;`))}
    esac
  done
  COMPREPLY=()
  case "$at/$previous" in
${valueLines(all, (pattern, { values = [], isTarget }) => {
  if (isTarget === true) return `    ${pattern}) COMPREPLY=($(compgen -W "$(${TARGETS})" -- "$cur")); return ;;`
  return `    ${pattern}) ${values.length === 0 ? '' : `${words(values)}; `}return ;;`
})}
  esac
  case "$at" in
${lines(all, ({ at, commands, words: values, suites = [], options }) => {
  const names = [...commands, ...values].map(({ name }) => name)
  const others = [
    ...(suites.length === 0 ? [] : [`elif [[ $cur == @* ]]; then ${words(suites)}; `]),
    ...(names.length === 0 ? [] : [`else ${words(names)}; `]),
  ].join('')
  return [`    ${quoted(at)}) if [[ $cur == -* ]]; then ${words(options.flatMap(flags))}; ${others}fi ;;`]
})}
  esac
}
complete -o default -F _joust joust
`
}

function zsh(all: readonly CompletedCommand[]): string {
  const described = (rows: readonly Named[]) =>
    rows.map(({ name, about }) => quoted(`${name.replaceAll(':', '\\:')}:${about}`)).join(' ')
  return `#compdef joust
# joust completion zsh: a file _joust in a folder of $fpath, or source it after compinit
_joust() {
  local at='' word previous=\${words[CURRENT-1]}
  local -a found
  if compset -P '--*='; then previous=\${words[CURRENT]%%=*}; fi
  for word in \${words[2,CURRENT-1]}; do
    case "$at/$word" in
${lines(all, ({ at, commands }) => commands.map(({ name }) => `      (${quoted(`${at}/${name}`)}) at=${quoted(below(at, name))} ;;`))}
    esac
  done
  case "$at/$previous" in
${valueLines(all, (pattern, { values = [], isTarget }) => {
  if (isTarget === true) return `    (${pattern}) compadd -- \${(f)"$(${TARGETS})"}; return ;;`
  return `    (${pattern}) ${values.length === 0 ? '_files' : `compadd -- ${values.map(quoted).join(' ')}`}; return ;;`
})}
  esac
  case "$at" in
${lines(all, ({ at, commands, words, suites = [], options }) => {
  const named = [...commands, ...words]
  const flagRows = options.flatMap((option) => flags(option).map((name) => ({ name, about: option.about })))
  const files = suites.length === 0 ? '_files' : `compadd -- ${suites.map(quoted).join(' ')}; _files`
  const others = named.length === 0 ? `${files}; return` : `found=(${described(named)})`
  return [`    (${quoted(at)}) if [[ $PREFIX = -* ]]; then found=(${described(flagRows)}); else ${others}; fi ;;`]
})}
  esac
  _describe joust found
}
if [ "$funcstack[1]" = _joust ]; then _joust "$@"; else compdef _joust joust; fi
`
}

function fish(all: readonly CompletedCommand[]): string {
  const rows = all.flatMap(({ at, commands, words, suites = [], options }) => {
    const here = `complete -c joust -n ${fishQuoted(`__joust_at ${fishQuoted(at)}`)}`
    return [
      ...[...commands, ...words].map(({ name, about }) => `${here} -f -a ${name} -d ${fishQuoted(about)}`),
      ...(suites.length === 0 ? [] : [`${here} -a ${fishQuoted(suites.join(' '))}`]),
      ...options.map(({ long, short, about, values, isTarget }) => {
        const offered = isTarget === true ? `(${TARGETS})` : (values ?? []).join(' ')
        const value = values === undefined ? '' : offered === '' ? ' -r' : ` -x -a ${fishQuoted(offered)}`
        return `${here}${short === undefined ? '' : ` -s ${short}`} -l ${long.slice(2)}${value} -d ${fishQuoted(about)}`
      }),
    ]
  })
  const steps = all.flatMap(({ at, commands }) =>
    commands.map(
      ({ name }) =>
        `            case ${fishQuoted(`${at}/${name}`)}\n                set at ${fishQuoted(below(at, name))}`,
    ),
  )
  return `# joust completion fish: ~/.config/fish/completions/joust.fish
function __joust_at
    set -l at ''
    set -l words (commandline -opc)
    for word in $words[2..-1]
        switch "$at/$word"
${steps.join('\n')}
        end
    end
    test "$at" = "$argv[1]"
end
${rows.join('\n')}
`
}

function below(at: string, name: string): string {
  return at === '' ? name : `${at} ${name}`
}

function flags({ long, short }: CompletedOption): string[] {
  return short === undefined ? [long] : [long, `-${short}`]
}

function lines(all: readonly CompletedCommand[], of: (command: CompletedCommand) => readonly string[]): string {
  return all.flatMap(of).join('\n')
}

function valueLines(
  all: readonly CompletedCommand[],
  line: (pattern: string, option: CompletedOption) => string,
): string {
  return lines(all, ({ at, options }) =>
    options.flatMap((option) => {
      if (option.values === undefined) return []
      const patterns = flags(option).map((flag) => quoted(`${at}/${flag}`))
      return [line(patterns.join('|'), option)]
    }),
  )
}

/** Always adds quotes, because the shell evaluates some of the patterns and strings twice. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
