import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { ShopError } from '@befaqt/domain/errors'
import type { Logger } from 'pino'
import type { boxArchives } from '#server/db/schema/archives.ts'
import type { FileStore } from '#server/files/file-store.ts'
import { readObject } from '#server/files/objects.ts'

export type ArchiveRow = Pick<typeof boxArchives.$inferSelect, 'boxId' | 'objectKey' | 'sha256' | 'bytes'>

/** As much as a verifier takes of a bundle, in bytes. Source: docs/provenance-format.md §6. */
const MAX_BYTES = 64 * 1024 * 1024

/** The bytes of a box's file: its proof as text, compressed (RFC 1952), so that `gunzip` gives what `/proof` gave. */
export const packProof = (proof: string): Promise<Uint8Array> => promisify(gzip)(proof)

/** How a file ends; what stands before is its hash and what makes its key unique. */
export const ARCHIVE_EXTENSION = 'proof.json.gz'

export const sha256Of = (bytes: Uint8Array): string => hash('sha256', bytes)

/** The file of a box is not in the store, not as it was written, or no proof of what the database knows. */
export class ArchiveLost extends ShopError {
  constructor(boxID: string) {
    super(
      'unavailable',
      `A part of the history of box ${boxID} is kept in a file that is missing or damaged. Nothing is shown of the box until it is back.`,
    )
  }
}

/**
 * The proof in a box's file, exactly as it was written.
 * @throws ArchiveLost, which the log names; ShopError `unavailable` while the store fails
 */
export async function readArchivedProof(
  deps: { files: FileStore; log: Logger },
  { boxId, objectKey, sha256, bytes: size }: ArchiveRow,
): Promise<string> {
  const bytes = await readObject(deps, { path: `box ${boxId}`, objectKey, bytes: size })
  if (bytes === undefined || sha256Of(bytes) !== sha256) throw new ArchiveLost(boxId)
  return (await promisify(gunzip)(bytes, { maxOutputLength: MAX_BYTES })).toString()
}
