import { randomBytes } from 'node:crypto'
import { ShopError } from '@befaqt/domain/errors'
import { hash, parseOptions, verify } from '@node-rs/argon2'

/** Cost of one hash: memory in KiB, passes over it, lanes. */
export type HashCost = { memoryCost: number; timeCost: number; parallelism: number }

/** What new passwords are hashed with. Measured in docs/decisions/0011-passwords-argon2id.md. */
export const HASH_COST: HashCost = { memoryCost: 65_536, timeCost: 3, parallelism: 1 }

/** Hashes and compares passwords. Every comparison costs the same, account or not. */
export type Passwords = {
  /** PHC string of argon2id. */
  hash(password: string): Promise<string>
  /** Compares with `hashed`, or at the same cost with nobody's password when there is no account. */
  matches(password: string, hashed: string | undefined): Promise<boolean>
  /** Was it hashed at another cost than new ones are? */
  isOutdated(hashed: string): boolean
}

type Argon2 = { hash: typeof hash; verify: typeof verify }

/** At once, so that a crowd at the door takes neither all memory nor the threads that read files. */
const AT_ONCE = 2
const MOST_WAITING = 200

/** The same password typed on two keyboards is the same code points. Source: NIST SP 800-63B §3.1.1.2. */
const normal = (password: string): string => password.normalize('NFC')

/** Passwords by argon2id at `cost`. `argon2` is a parameter so that a test can count its calls. */
export function argon2Passwords(cost: HashCost = HASH_COST, argon2: Argon2 = { hash, verify }): Passwords {
  const turn = takeTurns()
  const make = (password: string) => turn(() => argon2.hash(normal(password), cost))
  const nobodys = nobodysHash(cost)
  return {
    hash: make,
    matches: async (password, hashed) => {
      const same = await turn(() => argon2.verify(hashed ?? nobodys, normal(password)))
      return same && hashed !== undefined
    },
    isOutdated: (hashed) => {
      const { memoryCost, timeCost, parallelism } = parseOptions(hashed)
      return memoryCost !== cost.memoryCost || timeCost !== cost.timeCost || parallelism !== cost.parallelism
    },
  }
}

/** A hash of no password, as costly to compare with as any other of `cost`: random salt and digest as PHC string. */
function nobodysHash({ memoryCost, timeCost, parallelism }: HashCost): string {
  const random = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${random(16)}$${random(32)}`
}

/** Lets `AT_ONCE` through at a time. @throws ShopError `unavailable` when too many wait */
function takeTurns() {
  let running = 0
  const waiting: (() => void)[] = []
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (waiting.length >= MOST_WAITING) throw new ShopError('unavailable', 'Too busy, please try again.')
    if (running >= AT_ONCE) await new Promise<void>((go) => waiting.push(go))
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
