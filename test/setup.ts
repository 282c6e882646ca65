/** Properties try the same values on every run of CI, and new ones on every other run; a failure prints its seed. */
import fc from 'fast-check'

if (process.env.CI !== undefined) fc.configureGlobal({ seed: 20261115 })
