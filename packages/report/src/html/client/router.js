/** Where the reader is, as the part of the address after `#`. */

/** @typedef {{ page: 'overview' } | AttackRoute} Route */
/** @typedef {{ page: 'attack', run: number, attack: number, trial: number, seq: number | undefined }} AttackRoute */

/**
 * @param {string} hash
 * @returns {Route}
 */
export function readRoute(hash) {
  const found = /^#\/(\d+)\/(\d+)\/(\d+)(?:\/(\d+))?$/.exec(hash)
  if (found === null) return { page: 'overview' }
  const [, run, attack, trial, seq] = found
  return {
    page: 'attack',
    run: Number(run),
    attack: Number(attack),
    trial: Number(trial),
    seq: seq === undefined ? undefined : Number(seq),
  }
}

/**
 * @param {Omit<AttackRoute, 'page' | 'seq'> & { seq?: number | undefined }} route
 * @returns {string}
 */
export function attackLink({ run, attack, trial, seq }) {
  return `#/${run}/${attack}/${trial}${seq === undefined ? '' : `/${seq}`}`
}
