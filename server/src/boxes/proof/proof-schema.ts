import { schemaNames } from '@befaqt/domain/api/schema-names'
import { z } from 'zod'

const BoxState = z.strictObject({ box: z.string(), count: z.int(), head: z.string(), sealed: z.boolean() })

/** A proof bundle in outline, for the API's document: its truth is for a verifier to see. Source: protocol §5. */
export const Proof = z
  .strictObject({
    v: z.literal(1),
    box: z.string(),
    records: z.array(z.unknown().describe('a record as it is kept, also one that was tampered with')),
    ledger: z.strictObject({ chainId: z.int(), contract: z.string(), rpc: z.string() }),
    anchors: z.array(
      z.strictObject({
        index: z.int(),
        root: z.string(),
        txHash: z.string(),
        blockNumber: z.int(),
        time: z.string(),
        leaf: BoxState,
        leafIndex: z.int(),
        treeSize: z.int(),
        path: z.array(z.string()),
      }),
    ),
  })
  .register(schemaNames, { id: 'ProofBundle' })
