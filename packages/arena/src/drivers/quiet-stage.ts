import type { Stage } from './driver.ts'

/** Wraps a stage that `quiet` silences, for work that is still pending when a driver closes. */
export function createQuietStage(stage: Stage) {
  let over = false
  const quietable: Stage = {
    ...stage,
    async receive(message, answer) {
      if (!over) await stage.receive(message, answer)
    },
    record(scene, message) {
      if (!over) stage.record(scene, message)
    },
    send: (scene, message) => (over ? { arrived() {}, lost() {} } : stage.send(scene, message)),
    count(scene, surface, content) {
      if (!over) stage.count(scene, surface, content)
    },
    // These methods may report diagnostics.
    fill: (value, request, response) => (over ? value : stage.fill(value, request, response)),
    choose: (entries, request, path) => (over ? undefined : stage.choose(entries, request, path)),
    holds: (when, request) => !over && stage.holds(when, request),
    report(...finding) {
      if (!over) stage.report(...finding)
    },
  }
  const quiet = () => {
    over = true
  }
  return { stage: quietable, quiet }
}
