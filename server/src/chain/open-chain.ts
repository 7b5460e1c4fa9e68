import type { Hex } from 'viem'
import type { Config } from '#server/config/config.ts'
import { embeddedChain } from './embedded.ts'
import { networkChain } from './network.ts'
import type { Chain } from './port.ts'

/** Blocks until an anchor on a public network is final for us; a deeper reorganisation is mended too. */
const NETWORK_CONFIRMATIONS = 3

/** The chain that the settings name; without any, an embedded one for development. */
export const openChain = async (config: Config): Promise<Chain> =>
  config.CHAIN_RPC_URL === undefined
    ? embeddedChain()
    : networkChain(config.CHAIN_RPC_URL, config.CHAIN_PRIVATE_KEY as Hex, NETWORK_CONFIRMATIONS)
