import type { Hex } from 'viem'
import type { Config } from '#server/config/config.ts'
import { embeddedChain } from './embedded.ts'
import { networkChain } from './network.ts'
import type { Chain } from './port.ts'

/** Blocks until an anchor on a public network counts as final; a deeper reorganisation is handled too. */
const NETWORK_CONFIRMATIONS = 3

/** Opens the chain that the settings name, or an embedded one for development. */
export const openChain = async (config: Config): Promise<Chain> =>
  config.CHAIN_RPC_URL === undefined
    ? embeddedChain()
    : networkChain(config.CHAIN_RPC_URL, config.CHAIN_PRIVATE_KEY as Hex, NETWORK_CONFIRMATIONS)
