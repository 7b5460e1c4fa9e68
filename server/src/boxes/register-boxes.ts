import { registerBoxOf } from '@befaqt/provenance/signed/device-register'
import { like, not, type SQL } from 'drizzle-orm'
import { boxes } from '#server/db/schema/boxes.ts'

// The register of devices keeps one box for each key: chained, anchored and proven like those with fish, and shown nowhere
// else. No boxID of a fish box has a colon.

const PREFIX = registerBoxOf('')

/** Can this be the id of a box of the register? */
export const isRegisterBox = (boxID: string): boolean =>
  boxID.startsWith(PREFIX) && /^[0-9a-f]{32}$/.test(boxID.slice(PREFIX.length))

/** Rows of boxes with fish. */
export const holdsFish: SQL = not(like(boxes.id, `${PREFIX}%`))
