import { createPublicClient, createWalletClient, custom, getContract, type Hex } from 'viem'
import { hardhat as chain } from 'viem/chains'
import { ledgerAbi, ledgerBytecode } from '../abi.ts'
import { hardhat } from '../scripts/compile-ledger.ts'

/** A fresh EDR chain with the ledger on it. `as(who)` is the contract in the hands of one account. */
export async function ledgerOnEdr() {
  const hre = await hardhat()
  const { provider } = await hre.network.create()
  const transport = custom(provider)
  const reader = createPublicClient({ chain, transport, pollingInterval: 5 })
  const [admin, anchorer, stranger] = await createWalletClient({ chain, transport }).getAddresses()
  if (!admin || !anchorer || !stranger) throw new Error('EDR has no accounts')

  const deployer = createWalletClient({ chain, transport, account: stranger })
  const hash = await deployer.deployContract({
    abi: ledgerAbi,
    bytecode: ledgerBytecode,
    args: [admin, anchorer],
  })
  const deployed = await reader.getTransactionReceipt({ hash })
  const address = deployed.contractAddress
  if (!address) throw new Error('not deployed')

  const as = (who: Hex) => {
    const client = { public: reader, wallet: createWalletClient({ chain, transport, account: who }) }
    return getContract({ abi: ledgerAbi, address, client })
  }
  return { reader, admin, anchorer, stranger, as, address, deployGas: deployed.gasUsed }
}
