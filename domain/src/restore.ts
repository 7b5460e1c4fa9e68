import { z } from 'zod'
import { schemaNames } from './fields.ts'
import { HEAD_BYTES } from './restore-parts.ts'

const bytes = z.int().min(0)

/** A file that somebody wants to send, with its first bytes (`HEAD_BYTES`, or all) in base64. */
export const NewUpload = z
  .strictObject({
    name: z.string().max(300).default(''),
    bytes: bytes.max(Number.MAX_SAFE_INTEGER),
    head: z.base64().max(Math.ceil(HEAD_BYTES / 3) * 4),
    /** Take it from another tab that sent something a moment ago. */
    takeOver: z.boolean().default(false),
  })
  .register(schemaNames, { id: 'NewUpload' })
export type NewUpload = z.input<typeof NewUpload>

/** A file that is being sent, or is there. The same file is the same upload, whoever sends it and whenever. */
export const Upload = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    bytes,
    /** What is on the disk of it: the next part begins there. */
    received: bytes,
    encrypted: z.boolean(),
  })
  .register(schemaNames, { id: 'BackupUpload' })
export type Upload = z.infer<typeof Upload>

export const StartRestore = z
  .strictObject({ id: z.string().max(64), passphrase: z.string().max(1_000).default('') })
  .register(schemaNames, { id: 'StartRestore' })
export type StartRestore = z.input<typeof StartRestore>

/** How far a restore is. `about`: rows by the estimate of the database that the backup is of. */
export const RestoreProgress = z.strictObject({
  step: z.enum(['checking', 'restoring', 'starting']),
  since: z.iso.datetime(),
  rows: z.number(),
  about: z.number(),
  objects: z.number(),
  /** Read of the content, which is longer than the file. */
  bytes: z.number(),
})
export type RestoreProgress = z.infer<typeof RestoreProgress>

/** How the last one ended: why nothing was restored, or what is to be known of what was. */
export const RestoreOutcome = z.strictObject({
  at: z.iso.datetime(),
  ok: z.boolean(),
  words: z.array(z.string()),
  /** It was ended at its last step: the next start of the shop says whether it was restored. */
  isOpen: z.boolean().optional(),
})
export type RestoreOutcome = z.infer<typeof RestoreOutcome>

/** What the page of a bare shop knows. */
export const RestoreState = z
  .strictObject({
    /** Why nothing can be restored into this shop; null: something can. */
    refused: z.string().nullable(),
    /** By which a process with another DATA_DIR is told. */
    place: z.string(),
    maxBytes: z.number(),
    freeBytes: z.number().nullable(),
    upload: Upload.nullable(),
    progress: RestoreProgress.nullable(),
    outcome: RestoreOutcome.nullable(),
  })
  .register(schemaNames, { id: 'RestoreState' })
export type RestoreState = z.infer<typeof RestoreState>
