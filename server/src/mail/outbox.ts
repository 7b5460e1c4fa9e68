import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mimeBytes } from './mime.ts'
import type { Mailer } from './port.ts'

/** Folder in DATA_DIR for messages while no mail server is set. */
export const OUTBOX = 'outbox'

/** Writes each message as an `.eml` file, named so that the oldest sorts first, readable by the owner only. */
export function outboxMailer(dataDir: string, from: string): Mailer {
  const folder = join(dataDir, OUTBOX)
  return {
    send: async (message) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const when = message.date.toISOString().replaceAll(':', '-')
      const path = join(folder, `${when}-${message.kind}-${message.id}.eml`)
      await writeFile(`${path}.part`, await mimeBytes(message, from), { mode: 0o600 })
      await rename(`${path}.part`, path)
    },
    close: async () => undefined,
  }
}
