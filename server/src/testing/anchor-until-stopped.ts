import { startAnchoring } from '#server/anchoring/anchor-loop.ts'
import { networkChain } from '#server/chain/network.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { anchoringWorld } from './anchoring.ts'
import { privateKey } from './network.ts'

/**
 * A process for tests to stop and let go on: anchors what others write, for as long as it leads.
 * Arguments: the database's address, the node's address, and for how many milliseconds a silent leader stays one.
 */
const [url = '', rpc = '', leaseMs = ''] = process.argv.slice(2)
const database = await openPostgres(url, () => undefined, Number(leaseMs))
const { deps } = anchoringWorld(database.db, networkChain(rpc, privateKey, 1), { now: () => new Date() })
startAnchoring(database, deps, 0.05)
