import { join } from 'node:path'
import { type VerifierKey, verifierKeyText } from '../log/note.ts'
import type { Signer } from '../log/signed-checkpoint.ts'
import { signersOf } from './keys.ts'
import { Mirror } from './mirror.ts'
import { MirrorStore } from './mirror-store.ts'
import { Store } from './store.ts'
import type { Witness } from './witness.ts'

/** A log of which a copy is kept. */
export interface MirroredLog {
  readonly log: VerifierKey
  readonly logUrl: string
  readonly witness: Witness
}

/** The copy of one log. */
export interface KeptCopy extends MirroredLog {
  readonly mirror: Mirror
}

/** Copies in the folder of a witness, which this process alone has. */
export interface OpenMirrors {
  /** Keys that sign them. */
  readonly keys: readonly VerifierKey[]
  readonly all: readonly KeptCopy[]
  close(): void
}

/**
 * Opens the copies of these logs under one name: the first in `mirror` below the witness's folder, with its keys, others in
 * folders below that. @throws StoreError when a folder is in use, of another name, or can't be read
 */
export async function beginMirrors(
  folder: string,
  name: string,
  logs: readonly MirroredLog[],
  nowS: () => number,
): Promise<OpenMirrors> {
  const own = join(folder, 'mirror')
  const opened: { close(): void }[] = []
  const all: KeptCopy[] = []
  let signers: Signer[] | undefined
  for (const [i, of] of logs.entries()) {
    const place = i === 0 ? own : join(own, 'builds')
    const memory = i === 0 ? await Store.open(place) : await Store.beside(place)
    signers ??= await signersOf(memory, name)
    const copy = MirrorStore.open(place, verifierKeyText(of.log))
    opened.push(memory, copy)
    all.push({ ...of, mirror: await Mirror.begin({ ...of, signers, memory, copy, nowS }) })
  }
  return {
    keys: (signers ?? []).map(({ key }) => key),
    all,
    close: () => opened.forEach((one) => void one.close()),
  }
}
