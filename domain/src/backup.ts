import { z } from 'zod'
import { schemaNames } from './fields.ts'

/** Names of backups in their folder: what a file system, an address and a person can read. */
export const BACKUP_NAME = /^[\w][\w.-]{0,90}\.backup$/
/** A shorter one is guessed by whoever has the file and all the time in the world. */
export const MIN_PASSPHRASE = 12
/** Of a folder, the newest are listed. */
export const MAX_BACKUPS_LISTED = 100

/** How a backup is sealed: by the passphrase of the settings, by one that is typed, or not at all. */
export const backupSeals = ['shop', 'typed', 'none'] as const

/** What a manager wants to be made. `secrets`: with `secret.key`, which no backup holds that isn't encrypted. */
export const NewBackup = z
  .strictObject({
    seal: z.enum(backupSeals, 'choose how it is encrypted'),
    passphrase: z.string().max(1_000).default(''),
    secrets: z.boolean().default(false),
  })
  .superRefine(({ seal, passphrase, secrets }, context) => {
    const wrong = (path: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [path], message })
    if (seal === 'typed' && passphrase.length < MIN_PASSPHRASE)
      wrong('passphrase', `must have ${MIN_PASSPHRASE} or more characters`)
    if (seal !== 'typed' && passphrase !== '') wrong('passphrase', 'is for one that is typed here')
    if (seal === 'none' && secrets) wrong('secrets', 'needs a backup that is encrypted')
  })
  .register(schemaNames, { id: 'NewBackup' })
export type NewBackup = z.infer<typeof NewBackup>

/** What was counted while a backup was made. */
export const MadeBackup = z.strictObject({
  madeAt: z.iso.datetime(),
  version: z.string().max(100),
  rows: z.int(),
  objects: z.int(),
  /** Files that rows name and the store did not have, with the first of them. */
  missingCount: z.int(),
  missing: z.array(z.string().max(300)).max(10),
  secrets: z.boolean(),
})
export type MadeBackup = z.infer<typeof MadeBackup>

/** A backup in its folder. */
const KeptBackup = z
  .strictObject({
    name: z.string(),
    bytes: z.number(),
    /** When its file was written. */
    at: z.iso.datetime(),
    /** null: the file does not begin as a backup does. */
    encrypted: z.boolean().nullable(),
    /** null: it was made by the command, which notes nothing beside it. */
    made: MadeBackup.nullable(),
  })
  .register(schemaNames, { id: 'KeptBackup' })
export type KeptBackup = z.infer<typeof KeptBackup>

/** How far a backup is that is being made. `about`: rows by the database's estimate; `bytes` were read, `written` of them. */
export const BackupProgress = z.strictObject({
  name: z.string(),
  since: z.iso.datetime(),
  rows: z.number(),
  about: z.number(),
  objects: z.number(),
  bytes: z.number(),
  written: z.number(),
})
export type BackupProgress = z.infer<typeof BackupProgress>

/** Why the last one that was begun did not come to be. */
export const FailedBackup = z.strictObject({ name: z.string(), at: z.iso.datetime(), words: z.string() })
export type FailedBackup = z.infer<typeof FailedBackup>

/** How the last drill ended. `goodAt`: when one was good last. */
const DrillOutcome = z.strictObject({
  at: z.iso.datetime(),
  ok: z.boolean(),
  problems: z.array(z.string()),
  backup: z.string().nullable(),
  goodAt: z.iso.datetime().nullable(),
})

export const BackupList = z
  .strictObject({
    folder: z.string(),
    /** It is in DATA_DIR: what takes that disk takes the backups. */
    besideShop: z.boolean(),
    /** null: there is no such place yet. */
    freeBytes: z.number().nullable(),
    /** The settings have a passphrase. */
    hasPassphrase: z.boolean(),
    backups: z.array(KeptBackup),
    /** Older ones that are not listed. */
    more: z.int(),
    making: BackupProgress.nullable(),
    failed: FailedBackup.nullable(),
    drill: DrillOutcome.nullable(),
    /** The worker holds one each week. */
    drills: z.boolean(),
  })
  .register(schemaNames, { id: 'BackupList' })
export type BackupList = z.infer<typeof BackupList>
