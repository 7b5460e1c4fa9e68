import { generateSecret, generateSync, generateURI } from 'otplib'
import { sameSecret } from '#server/accounts/tokens.ts'

/** Seconds that a code is shown for. Source: RFC 6238 §5.2. */
const PERIOD_S = 30
/** Phones' clocks drift by some seconds: the previous and the next code are accepted, too. */
const STEPS = [0, -1, 1] as const

/** A new secret of 160 bits, base32. Source: RFC 4226 §4 R6. */
export const newTotpSecret = (): string => generateSecret({ length: 20 })

/** The URI that authenticator apps read: secret, issuer and label. */
export const totpUri = (secret: string, issuer: string, label: string): string =>
  generateURI({ secret, issuer, label })

const stepAt = (now: Date): number => Math.floor(now.getTime() / 1_000 / PERIOD_S)

/** The six digits that an authenticator shows at this moment. */
export const totpAt = (secret: string, now: Date): string => codeOf(secret, stepAt(now))

const codeOf = (secret: string, step: number): string => generateSync({ secret, epoch: step * PERIOD_S })

/** The time step of this code, current or one step off; undefined when it matches none. */
export function matchingStep(secret: string, code: string, now: Date): number | undefined {
  const around = STEPS.map((offset) => stepAt(now) + offset)
  return around.filter((step) => sameSecret(codeOf(secret, step), code))[0]
}
