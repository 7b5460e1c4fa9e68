import { Provider } from '@nomicfoundation/edr'

/*
 * Preloaded into a server: at SIGUSR2 its embedded chain gets a call that takes days, without the limits of the RPC
 * proxy. From then on it responds to nobody until the process ends.
 */
let chain: Provider | undefined
const { handleRequest } = Provider.prototype
Provider.prototype.handleRequest = function (this: Provider, request) {
  chain = this
  return handleRequest.call(this, request)
}

const DAYS = {
  jsonrpc: '2.0',
  id: 0,
  method: 'eth_getLogs',
  params: [{ fromBlock: '0x0', toBlock: '0xffffffffffff' }],
}

process.on('SIGUSR2', () => {
  if (chain === undefined) throw new Error('the chain was not called yet')
  void handleRequest.call(chain, JSON.stringify(DAYS))
})
