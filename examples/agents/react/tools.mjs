const orders = new Map([
  ['A-17', 'A-17: two cups, sent on Monday'],
  ['B-04', 'B-04: one kettle, not sent yet'],
])
const order = { type: 'string', description: 'The number of the order.' }

export const lookUpOrder = {
  inputSchema: { type: 'object', properties: { order }, required: ['order'] },
  call: (args) => orders.get(args.order) ?? `there is no order ${args.order}`,
}

export const refundOrder = {
  inputSchema: {
    type: 'object',
    properties: { order, amount: { type: 'number', description: 'How much, in euro.' } },
    required: ['order', 'amount'],
  },
  call: (args) => `refunded ${args.amount} euro for ${args.order}`,
}
