/** The origin of an attack rewritten by `joust mutate`. */

/** The extension with the fingerprint of the parent document. */
export const PARENT = 'x-joust-parent'
/** The extension with the applied mutations. */
export const MUTATIONS = 'x-joust-mutations'
