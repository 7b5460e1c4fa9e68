import { startAnchoring } from '#server/anchoring/anchor-loop.ts'
import { networkChain } from '#server/chain/open-chain.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { anchoringWorld } from './anchoring.ts'
import { privateKey } from './network.ts'

/** An error with what caused it, as far as it goes. */
const describeError = (error: unknown): string => {
  const { message, cause } = error instanceof Error ? error : { message: String(error) }
  return cause === undefined ? message : `${message}: ${describeError(cause)}`
}

/**
 * A process for tests to pause and resume: anchors what others write, while it is the leader, and says on standard output
 * what its log would. Arguments: URL of the database, URL of the node, and the lease of a leader in milliseconds.
 */
const [url = '', rpc = '', leaseMs = ''] = process.argv.slice(2)
const say = (details: object, message: string): void => {
  const cause = 'err' in details ? ` (${describeError(details.err)})` : ''
  process.stdout.write(`${new Date().toISOString()} ${message}${cause}\n`)
}
const database = await openPostgres(url, (err) => say({ err }, 'connection lost'), Number(leaseMs))
const log = { info: say, warn: say, error: say }
const { deps } = anchoringWorld(database.db, networkChain(rpc, privateKey, 1), { now: () => new Date(), log })
startAnchoring(database, deps, 0.05)
