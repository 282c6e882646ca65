/** What every view gets. */
import type { Route } from './route.ts'
import type { StudioState } from './studio-state.ts'

export interface ViewProps {
  readonly state: StudioState
  readonly route: Route
  readonly go: (route: Route, replace?: boolean) => void
}
