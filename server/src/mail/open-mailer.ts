import type { Config } from '#server/config/config.ts'
import { outboxMailer } from './outbox.ts'
import type { Mailer } from './port.ts'
import { smtpMailer } from './smtp.ts'

/** Opens the mailer that the settings name: SMTP_URL, or files in the outbox. */
export const openMailer = (config: Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'DATA_DIR'>): Mailer =>
  config.SMTP_URL === undefined
    ? outboxMailer(config.DATA_DIR, config.MAIL_FROM)
    : smtpMailer(config.SMTP_URL, config.MAIL_FROM)
