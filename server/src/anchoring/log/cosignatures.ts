import { type VerifierKey, verifierKeyText } from '@befaqt/provenance/log/note'
import type { Cosignature } from '@befaqt/provenance/log/signed-checkpoint'
import { and, asc, desc, eq, inArray, max, notInArray, sql } from 'drizzle-orm'
import { lockNamed } from '#server/db/advisory-locks.ts'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { logCheckpoints, logCosignatures, logWitnesses } from '#server/db/schema/anchor-log.ts'

/** A checkpoint that is signed, and may be shown. */
export type SignedCheckpoint = { origin: string; size: number; root: string; note: string }

/** The newest checkpoint of the log; undefined: none is signed yet. */
export async function newestSigned(db: Db | Tx, origin: string): Promise<SignedCheckpoint | undefined> {
  const [newest] = await db
    .select()
    .from(logCheckpoints)
    .where(eq(logCheckpoints.origin, origin))
    .orderBy(desc(logCheckpoints.size))
    .limit(1)
  return newest
}

/** A signature of a witness as it stands below a checkpoint. */
export type CosignatureLine = Cosignature & { line: string }

/** Signatures of these keys: how many entries the newest of them covers; 0: none is kept. */
export async function newestCosigned(db: Db, origin: string, keys: readonly VerifierKey[]): Promise<number> {
  const [newest] = await db
    .select({ size: max(logCosignatures.size) })
    .from(logCosignatures)
    .where(and(eq(logCosignatures.origin, origin), inArray(logCosignatures.key, keys.map(verifierKeyText))))
  return newest?.size ?? 0
}

/** Which of these keys signed this checkpoint, as far as is kept. */
export async function signersAt(
  db: Db,
  { origin, size }: Pick<SignedCheckpoint, 'origin' | 'size'>,
): Promise<string[]> {
  const found = await db
    .select({ key: logCosignatures.key })
    .from(logCosignatures)
    .where(and(eq(logCosignatures.origin, origin), eq(logCosignatures.size, size)))
  return found.map(({ key }) => key)
}

/** Most sizes of which signatures are kept. */
const MAX_SIZES = 32

/**
 * Keeps signatures of a checkpoint. Of a smaller one they go when all who signed it have signed the same larger one, so
 * what anybody's quorum covers stays.
 */
export async function keepCosignatures(
  db: Db,
  { origin, size }: Pick<SignedCheckpoint, 'origin' | 'size'>,
  lines: readonly CosignatureLine[],
): Promise<void> {
  const values = lines.map(({ key, line, timeS: time }) => ({
    origin,
    size,
    key: verifierKeyText(key),
    line,
    time,
  }))
  await db.transaction(async (tx) => {
    // Two witnesses at once: else neither sees that both have signed the larger one
    await lockNamed(tx, 'cosignatures', origin)
    await tx
      .insert(logCosignatures)
      .values(values)
      .onConflictDoUpdate({
        target: [logCosignatures.origin, logCosignatures.size, logCosignatures.key],
        set: { line: sql`excluded.line`, time: sql`excluded.time` },
        setWhere: sql`excluded.time > log_cosignatures.time`,
      })
    await rows(
      tx,
      sql`with signed as (select size, array_agg(key) as keys from log_cosignatures
            where origin = ${origin} group by size)
          delete from log_cosignatures c where origin = ${origin} and (
            c.size in (select a.size from signed a join signed b on b.size > a.size and b.keys @> a.keys)
            or c.size not in (select size from signed order by size desc limit ${MAX_SIZES}))`,
    )
  })
}

/** The lines of the witnesses below a checkpoint, Ed25519 first. */
export async function cosignatureLines(
  db: Db,
  { origin, size }: Pick<SignedCheckpoint, 'origin' | 'size'>,
): Promise<string[]> {
  const found = await db
    .select({ line: logCosignatures.line })
    .from(logCosignatures)
    .where(and(eq(logCosignatures.origin, origin), eq(logCosignatures.size, size)))
    .orderBy(asc(sql`length(line)`), asc(logCosignatures.key))
  return found.map(({ line }) => line)
}

/** Notes how asking a witness went. Returns whether that is news. */
export async function noteWitness(
  db: Db,
  witness: { url: string; name: string; fault: string | null },
): Promise<boolean> {
  const changed = await db
    .insert(logWitnesses)
    .values(witness)
    .onConflictDoUpdate({
      target: logWitnesses.url,
      set: { fault: witness.fault, name: witness.name, since: sql`now()` },
      setWhere: sql`log_witnesses.fault is distinct from excluded.fault or log_witnesses.name <> excluded.name`,
    })
    .returning()
  return changed.length > 0
}

/** Forgets witnesses that are not asked any more. */
export const forgetOthers = async (db: Db, urls: readonly string[]): Promise<void> => {
  await db.delete(logWitnesses).where(urls.length === 0 ? sql`true` : notInArray(logWitnesses.url, [...urls]))
}
