import { startAnchoring } from '#server/anchoring/anchor-loop.ts'
import { networkChain } from '#server/chain/network.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { anchoringWorld } from './anchoring.ts'
import { privateKey } from './network.ts'

/**
 * A process for tests to pause and resume: anchors what others write, while it is the leader. Arguments: URL of the
 * database, URL of the node, and the lease of a leader in milliseconds.
 */
const [url = '', rpc = '', leaseMs = ''] = process.argv.slice(2)
const database = await openPostgres(url, () => undefined, Number(leaseMs))
const { deps } = anchoringWorld(database.db, networkChain(rpc, privateKey, 1), { now: () => new Date() })
startAnchoring(database, deps, 0.05)
