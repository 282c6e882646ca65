/** The command that runs one attack again. */
import type { TargetResults } from '@joust/arena'

/** As far as results tell: what they do not keep, such as headers, is to be added. */
export function runAgain(target: Pick<TargetResults, 'kind' | 'name' | 'details'>, file: string): string {
  return ['joust run', quoted(file), ...targetWords(target)].join(' ')
}

function targetWords({ kind, name, details = {} }: Pick<TargetResults, 'kind' | 'name' | 'details'>): string[] {
  // A target of the project file has the name that the user gave it there.
  if (Object.hasOwn(details, kind)) return ['--on', quoted(name)]
  const { file = name, model } = details
  if (kind === 'agent') return ['--agent', quoted(file), ...(model === undefined ? [] : ['--model', quoted(model)])]
  if (kind === 'model') return ['--model', quoted(name)]
  if (kind === 'command') return ['--exec', quoted(name)]
  if (kind === 'acp') return ['--acp', quoted(name)]
  if (kind === 'endpoint') return name.split(/ (?=(?:ag_ui|a2a|mcp)=)/).flatMap((one) => ['--target', quoted(one)])
  return []
}

/** A word as shells read it. */
function quoted(word: string): string {
  return /^[\w./:=@+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
