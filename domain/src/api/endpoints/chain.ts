import { endpoint } from '../endpoint.ts'

const URL = '/api/chain/rpc'

export const mayReadChain = endpoint('OPTIONS', URL)
export const readChain = endpoint('POST', URL)
