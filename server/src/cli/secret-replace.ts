import { parseArgs } from 'node:util'
import { countSecondFactors, discardSecretKey } from '#server/accounts/credentials/secret-key.ts'
import { onDatabase, runCommand } from './command.ts'

/** `npm run -s secret:replace [-- --yes]`: for a shop whose secret.key is lost for good. Stop the shop first. */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { yes: { type: 'boolean' } } })
  return onDatabase(async (db) => {
    const n = await countSecondFactors(db)
    const accounts = `${n} ${n === 1 ? 'account' : 'accounts'}`
    if (values.yes !== true) {
      console.log(`${accounts} would lose the second factor, and waiting emails could not be sent.`)
      console.log('Nothing was changed. When secret.key is lost for good, run it again with --yes.')
      return 1
    }
    await discardSecretKey(db)
    console.log(`${accounts} lost the second factor. The next start takes the key that DATA_DIR holds then.`)
    return 0
  })
}

runCommand(main)
