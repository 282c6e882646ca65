/**
 * The version of the simulated agents. Raise it with every change of their behaviour: proofs of other versions expire.
 */
export const simulationVersion = 3
