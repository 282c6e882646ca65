/** Properties try the same values on every CI run, and new ones otherwise; a failure prints its seed. */
import fc from 'fast-check'

if (process.env.CI !== undefined) fc.configureGlobal({ seed: 20261115 })
