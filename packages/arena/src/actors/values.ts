/** What extractors have captured in a run (§5.5), seen from each actor. */

/** The captured values of a run. */
export interface CapturedValues {
  /** What an actor may refer to: its own by name, everybody's by `actor.name`. Grows as values are captured. */
  seenBy(actor: string): ReadonlyMap<string, string>
  capture(actor: string, name: string, value: string): void
}

/** No values yet. */
export function createCapturedValues(actors: readonly string[]): CapturedValues {
  const views = new Map(actors.map((actor) => [actor, new Map<string, string>()]))
  return {
    seenBy: (actor) => views.get(actor) ?? new Map(),
    capture(actor, name, value) {
      views.get(actor)?.set(name, value)
      for (const view of views.values()) view.set(`${actor}.${name}`, value)
    },
  }
}
