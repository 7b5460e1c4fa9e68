import { parseArgs } from 'node:util'
import pino from 'pino'
import { countSecondFactors, discardSecretKey } from '#server/accounts/two-factor/discard-secret-key.ts'
import { readConfig } from '#server/config/config.ts'
import { openDatabase } from '#server/db/open-database.ts'

/** `npm run -s secret:replace [-- --yes]`: for a shop whose secret.key is lost for good. Stop the shop first. */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { yes: { type: 'boolean' } } })
  const database = await openDatabase(readConfig(process.env), pino({ level: 'silent' }))
  try {
    const n = await countSecondFactors(database.db)
    const accounts = `${n} ${n === 1 ? 'account' : 'accounts'}`
    if (values.yes !== true) {
      console.log(`${accounts} would lose the second factor, and waiting emails could not be sent.`)
      console.log('Nothing was changed. When secret.key is lost for good, run it again with --yes.')
      return 1
    }
    await discardSecretKey(database.db)
    console.log(`${accounts} lost the second factor. The next start takes the key that DATA_DIR holds then.`)
    return 0
  } finally {
    await database.close()
  }
}

main().then(
  (status) => {
    process.exitCode = status
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 2
  },
)
