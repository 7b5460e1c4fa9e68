import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after } from 'node:test'
import { keyTypes, verifierKeyText } from '../log/note.ts'
import type { ShownLog } from '../log/read-log.ts'
import { openCheckpoint } from '../log/signed-checkpoint.ts'
import { type GetPath, logTiles } from '../log/tiles.ts'
import { Mirror } from '../witness/mirror.ts'
import { MirrorStore } from '../witness/mirror-store.ts'
import { type Memory, Witness } from '../witness/witness.ts'
import { newSigner, TestLog } from './log.ts'

const NOW_S = 1_795_223_400
/** A signal that never comes. */
export const never = new AbortController().signal

const folders: string[] = []
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

/** What is kept, in memory; writing may fail before or after it is done. */
class Disk implements Memory {
  note: string | null = null
  moved: string | undefined
  fails: 'before' | 'after' | undefined

  async write(note: string | null): Promise<void> {
    if (this.fails === 'before') throw new Error('no space left on device')
    this.note = note
    if (this.fails === 'after') throw new Error('killed')
  }
}

/** The text of an entry. */
export const entry = (i: number): string => `entry ${i}`
/** A log of so many entries. */
export const logOf = (size: number): TestLog =>
  new TestLog().append(...Array.from({ length: size }, (_, i) => entry(i)))

/** A log as it is shown, but for the paths that are shown otherwise. */
export async function shown(
  log: TestLog,
  otherwise: Record<string, Uint8Array | undefined> = {},
): Promise<ShownLog> {
  const note = await log.note()
  const opened = await openCheckpoint(note, [log.signer.key], [])
  const get: GetPath = async (path) => {
    if (Object.hasOwn(otherwise, path)) return otherwise[path]
    const found = await log.answer(path)
    return typeof found === 'string' ? Buffer.from(found) : found
  }
  return { note, opened, ...logTiles(opened.checkpoint.size, get) }
}

/** A witness, and a mirror beside it with another name, for the tests of one file. */
export async function market(log: TestLog) {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-mirror-'))
  folders.push(folder)
  const signersOf = (name: string) =>
    [keyTypes.ed25519Cosigner, keyTypes.mlDsa44Cosigner].map((type) => newSigner(name, type))
  const [own, mirrors] = [signersOf('market.example/witness'), signersOf('market.example/mirror')]
  const [seen, memory] = [new Disk(), new Disk()]
  const nowS = () => NOW_S
  const key = log.signer.key
  const witness = await Witness.begin({ log: key, signers: own, memory: seen, nowS, tell: () => {} })
  let copy = MirrorStore.open(folder, verifierKeyText(key))
  const begin = (of: Pick<Witness, 'newest' | 'held'> = witness): Promise<Mirror> =>
    Mirror.begin({ log: key, witness: of, signers: mirrors, memory, copy, nowS })
  return {
    witness,
    memory,
    begin,
    file: join(folder, 'mirror.db'),
    /** Closes the copy and opens it anew, as a start does. */
    reopen: () => {
      copy.close()
      copy = MirrorStore.open(folder, verifierKeyText(key))
    },
    /** Has the witness sign the log as it is. */
    witnessed: async (of = log): Promise<void> =>
      assert.equal((await witness.add(await of.request(witness.size))).status, 200),
    advance: async (mirror: Mirror, of = log, otherwise: Record<string, Uint8Array | undefined> = {}) =>
      mirror.advance(() => shown(of, otherwise), never),
    /** Size of what the mirror shows as signed, by its keys and no other. */
    sizeOf: async ({ newest }: Mirror): Promise<number | undefined> => {
      if (newest === undefined) return undefined
      const cosigners = [...own, ...mirrors].map((signer) => signer.key)
      const { checkpoint, cosignatures } = await openCheckpoint(newest, [key], cosigners)
      assert.deepEqual(
        cosignatures.map(({ key: by, timeS }) => [by.name, timeS]),
        mirrors.map((signer) => [signer.key.name, NOW_S]),
      )
      assert.deepEqual(checkpoint.root, await log.root(checkpoint.size))
      return checkpoint.size
    },
  }
}

/** A copy that is there, and holds nothing. */
export function empty(file: string): void {
  const disk = new DatabaseSync(file)
  disk.exec("delete from entries; delete from hashes; update state set size = 0, edge = x''")
  disk.close()
}
