/** The table of records. */
export const runQuery = {
  description: 'Runs an operation on the table of records.',
  inputSchema: {
    type: 'object',
    properties: { operation: { type: 'string' }, table: { type: 'string' } },
    required: ['operation', 'table'],
  },
  call: ({ operation, table }) => `${operation} on ${table}: 3 rows`,
}
