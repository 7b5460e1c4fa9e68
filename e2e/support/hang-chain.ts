import { Provider } from '@nomicfoundation/edr'

/*
 * Loaded into a server before its program: at SIGUSR2 its embedded chain is asked for what takes it days, past all
 * that bounds a visitor's question. From then on it answers nobody, and nothing but the end of the process frees it.
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
  if (chain === undefined) throw new Error('the chain has not been asked for anything yet')
  void handleRequest.call(chain, JSON.stringify(DAYS))
})
