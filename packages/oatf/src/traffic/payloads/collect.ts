import { roleOf } from '../../bindings/binding.ts'
import type { KnownMode } from '../../model/enumerations.ts'
import { interpolateValue } from '../../primitives/interpolate-value.ts'
import { findTemplates } from '../../walk/templates.ts'
import { type ActorSite, type PhaseSite, sendsOf, siteAt } from '../../walk/walk.ts'
import { reachablePhases } from '../reachable.ts'
import { a2aClientPayloads, a2aServerPayloads } from './a2a.ts'
import { agUiClientPayloads } from './ag-ui.ts'
import { mcpClientPayloads, mcpServerPayloads } from './mcp.ts'
import { type Collector, type Draft, type Payload, requestDrafts } from './payload.ts'

const collectors: { readonly [mode: string]: Collector } = {
  mcp_server: mcpServerPayloads,
  mcp_client: mcpClientPayloads,
  a2a_server: a2aServerPayloads,
  a2a_client: a2aClientPayloads,
  ag_ui_client: agUiClientPayloads,
} satisfies Record<KnownMode, Collector>

/** Collects the payloads of actors. Skips unreachable phases. */
export function collectPayloads(actors: readonly ActorSite[]): readonly Payload[] {
  return actors.flatMap((actor) =>
    reachablePhases(actor).flatMap((phase) =>
      [...stateDrafts(phase), ...entryDrafts(phase)].map(
        (draft): Payload => ({ askedFor: false, echoed: false, ...draft, content: blank(draft.content), actor }),
      ),
    ),
  )
}

function stateDrafts(phase: PhaseSite): readonly Draft[] {
  const { mode } = phase
  const collect = mode !== undefined && Object.hasOwn(collectors, mode) ? collectors[mode] : undefined
  const state = siteAt(phase, 'state')
  return collect !== undefined && state !== undefined ? collect(state) : []
}

function entryDrafts(phase: PhaseSite): readonly Draft[] {
  const isClient = roleOf(phase.mode ?? '') === 'client'
  return sendsOf(phase)
    .flatMap(requestDrafts)
    .filter(({ echoed }) => echoed !== true || isClient)
}

/** Empties the templates in a payload, because their values are unknown before a run. */
function blank(content: Draft['content']): Draft['content'] {
  return findTemplates(content, []).length === 0 ? content : interpolateValue(content, {}).value
}
