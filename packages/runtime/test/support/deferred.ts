/** A promise that is settled from outside. */
export interface Deferred {
  readonly promise: Promise<void>
  resolve(): void
}

/** Makes one. */
export function deferred(): Deferred {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
