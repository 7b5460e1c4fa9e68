// Signatures for every place without Node. `signatures-node.ts` is the same with Node's own.

/** What browsers offer pages that came over https, or from this machine. */
declare const crypto: {
  readonly subtle?: {
    importKey(
      format: 'raw',
      key: Uint8Array,
      algorithm: 'Ed25519',
      extractable: boolean,
      uses: readonly ['verify'],
    ): Promise<object>
    verify(algorithm: 'Ed25519', key: object, signature: Uint8Array, message: Uint8Array): Promise<boolean>
  }
}

/** Keys that were read, by the very bytes that were given: a box has thousands of signatures of one. */
const imported = new WeakMap<Uint8Array, Promise<object> | undefined>()

/**
 * Did this key sign this message? Undefined where it can't be found out: an old browser, or a page without https.
 * Source: RFC 8032 §5.1.7.
 * @param key its bytes, which stay as they are
 */
export async function verifyEd25519(
  key: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean | undefined> {
  try {
    const { subtle } = crypto
    const read = imported.get(key) ?? subtle?.importKey('raw', key, 'Ed25519', false, ['verify'])
    imported.set(key, read)
    return read && (await subtle?.verify('Ed25519', await read, signature, message))
  } catch {
    return undefined
  }
}

/** The same for ML-DSA-44: no browser has it, so there it can't be found out. Source: FIPS 204. */
export async function verifyMlDsa44(
  _key: Uint8Array,
  _message: Uint8Array,
  _signature: Uint8Array,
): Promise<boolean | undefined> {
  return undefined
}
