import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { isPlainObject } from '../canonical.ts'
import { keyTypes, verifierKey } from '../log/note.ts'
import type { Signer } from '../log/signed-checkpoint.ts'
import { type Store, StoreError } from './store.ts'

const FORMAT = 'befaqt-witness-key/1'
const ED25519_BYTES = 32
const ML_DSA_44_BYTES = 1312

/**
 * The two keys of a witness, Ed25519 and ML-DSA-44, made at its first start. They belong to one name, since an Ed25519
 * cosignature does not say by whom it is.
 * @throws StoreError when the file is of another name, or can't be read
 */
export async function signersOf(store: Store, name: string): Promise<Signer[]> {
  const kept = parsed(await store.keys(() => newKeys(name)))
  if (kept.name !== name)
    throw new StoreError(`These keys are of the witness ${kept.name}: another name needs another folder.`)
  return [
    signer(name, keyTypes.ed25519Cosigner, kept.ed25519, ED25519_BYTES),
    signer(name, keyTypes.mlDsa44Cosigner, kept.mlDsa44, ML_DSA_44_BYTES),
  ]
}

type Keys = { name: string; ed25519: string; mlDsa44: string }

function newKeys(name: string): string {
  const pem = (key: KeyObject): string => key.export({ format: 'pem', type: 'pkcs8' }).toString()
  const keys: Keys & { format: string } = {
    format: FORMAT,
    name,
    ed25519: pem(generateKeyPairSync('ed25519').privateKey),
    mlDsa44: pem(generateKeyPairSync('ml-dsa-44').privateKey),
  }
  return `${JSON.stringify(keys, null, 2)}\n`
}

function parsed(text: string): Keys {
  const refused = new StoreError('The file with the keys is not what a witness writes.')
  let keys: unknown
  try {
    keys = JSON.parse(text)
  } catch {
    throw refused
  }
  if (!isPlainObject(keys) || keys.format !== FORMAT) throw refused
  const { name, ed25519, mlDsa44 } = keys
  if (typeof name !== 'string' || typeof ed25519 !== 'string' || typeof mlDsa44 !== 'string') throw refused
  return { name, ed25519, mlDsa44 }
}

function signer(name: string, type: number, pem: string, bytes: number): Signer {
  const secret = createPrivateKey(pem)
  const spki = createPublicKey(secret).export({ format: 'der', type: 'spki' })
  const key = verifierKey(name, type, new Uint8Array(spki.subarray(-bytes)))
  return { key, sign: (message) => new Uint8Array(sign(null, message, secret)) }
}
