import { fileURLToPath } from 'node:url'
import { defineConfig } from 'hardhat/config'

/** The compiler is the npm package `solc`, so nothing is downloaded. `paris` runs on every EVM network. */
export default defineConfig({
  solidity: {
    version: '0.8.37',
    path: fileURLToPath(import.meta.resolve('solc/soljson.js')),
    settings: {
      evmVersion: 'paris',
      optimizer: { enabled: true, runs: 10_000 },
      metadata: { bytecodeHash: 'none' },
    },
  },
  paths: { sources: 'contracts', tests: 'test' },
})
