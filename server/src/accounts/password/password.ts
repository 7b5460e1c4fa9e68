import { randomBytes } from 'node:crypto'
import { ShopError } from '@befaqt/domain/errors'
import { hash, parseOptions, verify } from '@node-rs/argon2'

/** Cost of one hash: memory in KiB, iterations, lanes. */
export type HashCost = { memoryCost: number; timeCost: number; parallelism: number }

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
