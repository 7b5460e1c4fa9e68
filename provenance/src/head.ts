import { type Digest, hashOf, utf8 } from './digest.ts'

/** head(0) = SHA-256(UTF-8("befaqt/1/box/" + boxID)). Source: protocol §3. @throws FormatError for a lone surrogate */
export const genesisHead = (boxID: string): Digest => hashOf(utf8(`befaqt/1/box/${boxID}`))

/** head(n) = SHA-256(head(n-1) ‖ recordHash(n)), 64 bytes in. Source: protocol §3. */
export const headAfter = (prevHead: Digest, recordHash: Digest): Digest => hashOf(prevHead, recordHash)
