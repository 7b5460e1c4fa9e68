import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { fieldError } from '#server/http/field-error.ts'

/**
 * The 20,000 most frequent passwords of at least six characters, in lower case, a line each, from the word lists of the
 * package zxcvbn 4.4.2 (MIT). Passwords that are guessed first are refused, whatever their length. Source: NIST SP
 * 800-63B-4 §3.1.1.2, ASVS 6.2.4.
 */
const FILE = new URL('./frequent-passwords.txt.br', import.meta.url)

let read: ReadonlySet<string> | undefined
const frequent = (): ReadonlySet<string> => {
  read ??= new Set(brotliDecompressSync(readFileSync(FILE)).toString('utf8').split('\n'))
  return read
}

/** One character throughout, or characters that follow one another: 'aaaaaa', '456789', 'fedcba'. */
function isRun(password: string): boolean {
  const codes = [...password].map((char) => char.codePointAt(0) ?? 0)
  const steps = new Set(codes.slice(1).map((code, i) => code - (codes[i] ?? 0)))
  return steps.size === 1 && [-1, 0, 1].includes([...steps][0] ?? 2)
}

/** Words that stand in every guess at an account of this shop: the address, what is before its @, the shop's name. */
const ownWords = (email: string, shop: string): string[] =>
  [email, email.split('@')[0] ?? '', shop.replaceAll(/\s/g, '')].map((word) => word.toLowerCase())

/** Why a password is among the first that anybody would try; undefined: it is not. */
export function guessedFirst(password: string, email: string, shop: string): string | undefined {
  const low = password.normalize('NFC').toLowerCase()
  const bare = low.replace(/[\d\s\p{P}\p{S}]{1,100}$/u, '')
  const own = ownWords(email, shop)
  if (own.includes(low) || (bare.length > 2 && own.includes(bare)))
    return 'this password is the email address or the name of the shop: choose one that nobody would guess'
  return frequent().has(low) || isRun(low)
    ? 'this password is one of the most frequent ones: choose one that nobody would guess'
    : undefined
}

/** @throws ShopError `input.invalid` at `password` for one that is guessed first */
export function assertNotGuessedFirst(password: string, email: string, shop: string): void {
  const why = guessedFirst(password, email, shop)
  if (why !== undefined) throw fieldError('password', why)
}
