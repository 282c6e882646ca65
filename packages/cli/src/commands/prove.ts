/** `joust prove ATTACK…`: checks that an attack separates a vulnerable agent from a safe one. */

import type { Proof, Seen, SeenIndicator } from '@joust/adaptive'
import { exposureText, wayOf } from '@joust/results'
import { count, firstFew, jsonText, printable } from '@joust/source'
import type { ProveOptions } from '../options/results.ts'
import { verdictEvidence } from '../render/evidence.ts'
import { fit, wrap } from '../render/fit.ts'
import { INDENT, outcomeText, WIDEST_PATH } from '../render/outcome-text.ts'
import { selectAttacks } from '../run/attacks.ts'
import { type Colours, coloursFor } from '../terminal/colours.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { exitCodeOf, type Io } from '../terminal/io.ts'

/** Runs each attack on a credulous, a cautious and an absent agent; returns 1 if an attack does not separate them. */
export async function prove(paths: readonly string[], options: ProveOptions, io: Io): Promise<number> {
  const selected = await selectAttacks(paths, { quiet: options.quiet, strict: options.strict }, io)
  if (!selected.ok) return selected.error
  const { attacks, broken } = selected.value
  return io.stoppable(async (signal) => {
    const { proveAttacks } = await import('@joust/adaptive')
    const proofs = await proveAttacks(attacks, {
      signal,
      strict: options.strict,
      onProof(proof) {
        if (!options.json) io.stdout.write(proofText(proof, coloursFor(io, 'stdout'), io.stdout.columns))
      },
    })
    if (options.json) io.stdout.write(jsonText(proofs))
    if (signal.aborted) return exitCodeOf(signal)
    const proven = proofs.filter((proof) => proof.proven).length
    const total = attacks.length + broken.length
    if (!options.quiet && !options.json) io.stderr.write(`${proven} of ${count(total, 'document')} proven\n`)
    return proven === attacks.length && broken.length === 0 ? exitCodes.ok : exitCodes.findings
  })
}

const DEEPER = `${INDENT}  `
/** Maximum width of evidence in columns if the output is not a terminal. */
const WIDEST = 140

function proofText(proof: Proof, colours: Colours, columns = Number.POSITIVE_INFINITY): string {
  const { file, proven, faults, agents: seen } = proof
  const head = proven ? colours.green('proven') : colours.red('not proven')
  return [
    `${head}  ${colours.bold(fit(printable(file), columns - 'not proven'.length - 2))}`,
    ...faults
      .flatMap((fault) => wrap(printable(fault), columns - INDENT.length))
      .map((line) => `${INDENT}${colours.red(line)}`),
    ...Object.entries(seen).flatMap(([agent, one]) => agentLines(agent, one, colours, columns)),
    '',
  ].join('\n')
}

function agentLines(agent: string, seen: Seen, colours: Colours, columns: number): string[] {
  const { outcome, reasons, exposure, indicators } = seen
  const room = Math.min(columns, WIDEST) - DEEPER.length
  const sent = exposureText(exposure, WIDEST_PATH)
  const why = firstFew(reasons, 1).join('; ')
  const matched = indicators.filter(({ result }) => result === 'matched')
  // Indicators without a match are omitted for the absent agent.
  const rows = matched.length > 0 || agent === 'absent' ? matched : indicators
  return [
    `${INDENT}${agent.padEnd('credulous'.length)}  ${outcomeText(outcome, colours, 0)}`,
    ...rows.map((one) => indicatorLine(one, colours, room)),
    ...(sent === undefined ? [] : [colours.dim(fit(printable(sent), room))]),
    ...(why === '' ? [] : wrap(printable(why), columns - DEEPER.length)),
  ].map((line, index) => (index === 0 ? line : `${DEEPER}${line}`))
}

function indicatorLine(verdict: SeenIndicator, colours: Colours, columns: number): string {
  const { indicator_id, result, considered, unmatched } = verdict
  const lead = `${printable(indicator_id)} ${result === 'not_matched' ? 'not matched' : result}: `
  if (result !== 'not_matched' || considered === undefined)
    return `${lead}${verdictEvidence(verdict, undefined, colours, columns - lead.length)}`
  const { protocol, surface, actor, direction, evaluated } = considered
  const steps = {
    'of its protocol': protocol,
    'of its surface': surface,
    'of its actor': actor,
    'of its direction': direction,
  }
  const lost = Object.entries(steps).find(([, left]) => left === 0)
  if (lost !== undefined) return fit(`${lead}no message ${lost[0]}`, columns)
  const counted = evaluated === 1 ? '1 message evaluated' : `${evaluated} messages evaluated`
  const value = unmatched === undefined ? '' : `: ${unmatchedText(unmatched)}`
  return fit(`${lead}${counted}${value}`, columns)
}

function unmatchedText({ entry, target, value }: NonNullable<SeenIndicator['unmatched']>): string {
  const place = [wayOf(entry), target].filter((part) => part !== '').join(', ')
  return printable(`${place}: ${value}`)
}
