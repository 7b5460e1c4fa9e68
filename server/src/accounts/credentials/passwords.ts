import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { ShopError } from '@befaqt/domain/errors'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { type AccountDeps, type UserRow, userById } from '#server/accounts/account.ts'
import { consume, reauthenticationsByUser, reset } from '#server/accounts/limits.ts'
import { fieldError } from '#server/http/field-error.ts'

/** Cost of one hash: memory in KiB, iterations, lanes. */
type HashCost = { memoryCost: number; timeCost: number; parallelism: number }

/** The cost of new hashes. Measured in docs/decisions/0011-passwords-argon2id.md. */
export const HASH_COST: HashCost = { memoryCost: 65_536, timeCost: 3, parallelism: 1 }

/** Hashes and verifies passwords. Verifying takes the same time whether or not the account exists. */
export type Passwords = {
  /** Returns a PHC string of argon2id. */
  hash(password: string): Promise<string>
  /** Verifies against `hashed`, or at the same cost against a dummy hash when there is no account. */
  matches(password: string, hashed: string | undefined): Promise<boolean>
  /** Does its cost differ from that of new hashes? */
  isOutdated(hashed: string): boolean
}

type Argon2 = { hash: typeof hash; verify: typeof verify }

/** Concurrent hashes, so that a burst of sign-ins exhausts neither memory nor the thread pool. */
const MAX_CONCURRENT = 2
const MAX_QUEUED = 200

/** Makes a password typed on two keyboards the same code points. Source: NIST SP 800-63B §3.1.1.2. */
const normalized = (password: string): string => password.normalize('NFC')

/** Passwords by argon2id at `cost`. `argon2` is a parameter so that a test can count its calls. */
export function argon2Passwords(cost: HashCost = HASH_COST, argon2: Argon2 = { hash, verify }): Passwords {
  const limited = limitConcurrency()
  const make = (password: string) => limited(() => argon2.hash(normalized(password), cost))
  const dummy = dummyHash(cost)
  return {
    hash: make,
    matches: async (password, hashed) => {
      const same = await limited(() => argon2.verify(hashed ?? dummy, normalized(password)))
      return same && hashed !== undefined
    },
    isOutdated: (hashed) => {
      const { memoryCost, timeCost, parallelism } = parseOptions(hashed)
      return memoryCost !== cost.memoryCost || timeCost !== cost.timeCost || parallelism !== cost.parallelism
    },
  }
}

/** A hash of no password, as costly to verify as any other of `cost`: random salt and digest as a PHC string. */
function dummyHash({ memoryCost, timeCost, parallelism }: HashCost): string {
  const random = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${random(16)}$${random(32)}`
}

/** Runs `MAX_CONCURRENT` tasks at a time; the others wait. @throws ShopError `unavailable` when too many do */
function limitConcurrency() {
  let running = 0
  const waiting: (() => void)[] = []
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (waiting.length >= MAX_QUEUED) throw new ShopError('unavailable', 'Too busy, please try again.')
    if (running >= MAX_CONCURRENT) await new Promise<void>((resume) => waiting.push(resume))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

/**
 * Verifies the password of a signed-in user again, before what somebody at an unlocked browser must not do.
 * @param path the field that it was typed into, for the error
 * @throws ShopError `input.invalid` at `path`, `rate.limited`
 */
export async function reauthenticate(
  deps: AccountDeps,
  userId: string,
  password: string,
  path: string,
): Promise<UserRow> {
  await consume(deps.db, reauthenticationsByUser(userId), deps.now())
  const user = await userById(deps.db, userId)
  const right = await deps.passwords.matches(password, user?.passwordHash)
  if (!right || user === undefined) {
    const message = 'the password is wrong'
    throw new ShopError('input.invalid', `${path}: ${message}`, { fields: [{ path, message }] })
  }
  await reset(deps.db, reauthenticationsByUser(userId))
  return user
}

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
