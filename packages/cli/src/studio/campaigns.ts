/** Campaigns for the studio. */

import type { CampaignSpec, CampaignStatus, Fleet } from '@joust/fleet'
import { saveResults } from '@joust/results/files'
import { defined, err, ok, type Result } from '@joust/source'
import type { CampaignInfo, CampaignWork, RunPlace, RunRequest } from '@joust/studio'
import type { RunKey } from '@joust/trials'
import { readRedactor } from '../run/redaction.ts'

interface Queue {
  readonly fleet: Fleet
  /** URL of the database without secrets. */
  readonly place: string
  readonly specOf: (request: RunRequest) => Promise<Result<CampaignSpec, string>>
}

function placeOf({ target, file, arm, trial }: Pick<RunKey, 'target' | 'file' | 'arm' | 'trial'>): RunPlace {
  return { target, file, ...(arm === 'placebo' && { arm }), trial }
}

/** False for sensitivity runs, which are shown with the controls of the attack. */
const isShown = ({ arm }: Pick<RunKey, 'arm'>) => arm !== 'sensitivity'

export function campaignWork({ fleet, place, specOf }: Queue): CampaignWork {
  return {
    place,
    async list() {
      const statuses = await Promise.all((await fleet.campaigns()).map((name) => fleet.status(name)))
      return statuses.flatMap((status) => (status === undefined ? [] : [infoOf(status)]))
    },
    async runs(name) {
      // In this order, a run that ends in between appears twice rather than not at all.
      const running = await fleet.running(name)
      const done = await fleet.select(name, {})
      return [
        ...done
          .filter(isShown)
          .map(({ outcome, tier, ...run }) => ({ ...placeOf(run), outcome, ...(tier !== null && { tier }) })),
        ...running.filter(isShown).map(placeOf),
      ]
    },
    watch: (name, place, seen) => fleet.watch({ campaign: name, ...place, arm: place.arm ?? 'attack', ...seen }),
    async submit(request) {
      const spec = await specOf(request)
      if (!spec.ok) return spec
      await fleet.submit(spec.value)
      return ok(spec.value.name)
    },
    cancel: (name) => fleet.cancel(name),
    async write(name, folder) {
      const status = await fleet.status(name)
      if (status === undefined) return err('unknown campaign')
      const redactor = readRedactor(status.plan.redact)
      if (!redactor.ok) return redactor
      const saved = saveResults(folder, await fleet.export(status, folder, redactor.value))
      return saved.ok ? ok(undefined) : err(saved.error.message)
    },
  }
}

function infoOf(status: CampaignStatus): CampaignInfo {
  const { name, created, state, stopped, targets, plan, runs, open, running, outcomes, calls, tokens } = status
  const counts = { runs, open, running, outcomes, calls, tokens }
  return {
    name,
    created,
    state: open === 0 ? 'done' : state,
    ...defined({ stopped }),
    targets: targets.map((target) => target.name),
    ...(typeof plan.trials === 'number' ? { trials: plan.trials } : { trials: plan.trials.most, atMost: true }),
    ...counts,
  }
}
