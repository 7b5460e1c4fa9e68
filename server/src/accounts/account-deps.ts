import type { Logger } from 'pino'
import type { Passwords } from '#server/accounts/password/password.ts'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/client.ts'
import type { Secrets } from '#server/secrets/secrets.ts'

/** Dependencies of account actions. */
export type AccountDeps = {
  config: Pick<
    Config,
    'PUBLIC_URL' | 'DATA_DIR' | 'ADMIN_EMAIL' | 'ADMIN_PASSWORD' | 'REQUIRE_SECOND_FACTOR' | 'API_ORIGINS'
  >
  db: Db
  log: Logger
  now: () => Date
  secrets: Secrets
  passwords: Passwords
  /** The shop's name, for emails and authenticator apps. */
  siteFile: { name: string }
}
