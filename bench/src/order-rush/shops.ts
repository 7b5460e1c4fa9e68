import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../tools/test/free-port.ts'
import { type Program, program } from '../chaos/program.ts'
import type { BenchDatabase } from '../databases.ts'
import { builtProgram } from '../shop.ts'

/** Built web processes on one database, without sample data. */
export type Shops = AsyncDisposable & {
  webs: readonly Program[]
  /** Subjects of the emails that were sent, of all processes. */
  subjects(): Promise<string[]>
}

/** Starts `count` of them; more than one needs PostgreSQL. */
export async function startShops(place: BenchDatabase, count: number): Promise<Shops> {
  await using opened = new AsyncDisposableStack()
  const { args } = builtProgram('main')
  const [webs, folders]: [Program[], string[]] = [[], []]
  for (let i = 0; i < count; i++) {
    const folder = i === 0 ? place.dataDir : join(place.dataDir, `web-${i + 1}`)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if (i > 0)
      for (const file of ['secret.key', 'operator.key'])
        await copyFile(join(place.dataDir, file), join(folder, file))
    const port = await freePort()
    const web = program(`web-${i + 1}`, args, `http://127.0.0.1:${port}`, {
      ...{ PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: tmpdir(), NODE_ENV: 'production' },
      ...{ PORT: String(port), MQTT_PORT: '0', DATA_DIR: folder, PUBLIC_URL: 'http://shop.example' },
      ...{ SAMPLE_DATA: 'off', LOG_LEVEL: 'error', TRUSTED_PROXIES: '127.0.0.1' },
      ...place.env,
    })
    opened.defer(() => web.stop())
    await web.start()
    webs.push(web)
    folders.push(folder)
  }
  const all = opened.move()
  return {
    webs,
    subjects: async () => (await Promise.all(folders.map(subjectsIn))).flat(),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

async function subjectsIn(folder: string): Promise<string[]> {
  const outbox = join(folder, 'outbox')
  const files = await readdir(outbox).catch(() => [])
  const emails = files.filter((file) => file.endsWith('.eml'))
  const texts = await Promise.all(emails.map((file) => readFile(join(outbox, file), 'utf8')))
  return texts.map((text) => /^Subject: (.*)$/m.exec(text)?.[1]?.trim() ?? '')
}
