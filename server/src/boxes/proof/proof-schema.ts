import { schemaNames } from '@befaqt/domain/fields'
import { z } from 'zod'
import { anchorFactsSchema, BoxState } from '#server/anchoring/anchor-facts.ts'

const path = z.array(z.string())
const ledger = z.strictObject({ chainId: z.int(), contract: z.string(), rpc: z.string() })

const bundle = {
  v: z.literal(2),
  box: z.string(),
  records: z.array(z.unknown().describe('a record as it is kept, also one that was tampered with')),
  ledger,
  anchors: z.array(
    z.strictObject({
      ...anchorFactsSchema,
      leaf: BoxState,
      path,
      before: z
        .strictObject({ root: z.string(), leaf: BoxState.nullable(), other: BoxState.nullable(), path })
        .nullable()
        .describe('the box in the anchor with the index before'),
    }),
  ),
}

/** A proof bundle in outline, for the API's document: its truth is for a verifier to see. Source: protocol §5. */
export const Proof = z
  .strictObject({
    ...bundle,
    devices: z
      .array(z.strictObject(bundle))
      .exactOptional()
      .describe('proofs of the register boxes of keys that signed its readings'),
  })
  .register(schemaNames, { id: 'ProofBundle' })

/** What a proof has beyond an older one: its lists without the items that the older one has. */
export const ProofNews = Proof.extend({
  kept: z.strictObject({ records: z.int(), anchors: z.int() }),
}).register(schemaNames, { id: 'ProofNews' })

/** Proof that the box map does not hold a box. Source: protocol §4 and §5. */
export const Absence = z
  .strictObject({
    v: z.literal(2),
    box: z.string(),
    ledger,
    anchor: z.strictObject(anchorFactsSchema),
    other: BoxState.nullable().describe('the leaf at which the way to the box ends'),
    path,
  })
  .register(schemaNames, { id: 'AbsenceBundle' })
