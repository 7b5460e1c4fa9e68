import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach } from 'node:test'
import type { BrowserContext } from 'playwright-core'
import { within } from './within.ts'

/** A page that hangs gives no picture. As JPEG, which takes half of what PNG does, each time and not only where it is kept. */
const PICTURE_S = 5

/** Pictures and traces of the visits of the test that runs: whether it fails is known only when they are over. */
let taken: string[] = []
let folder: Promise<string> | undefined
let kept = 0
let visits = 0

afterEach(async (test) => {
  const files = taken
  taken = []
  if ('passed' in test && test.passed) return void (await Promise.all(files.map((file) => rm(file))))
  kept += files.length
  if (files.length > 0) process.stderr.write(`What its pages showed and did:\n${files.join('\n')}\n`)
})

after(async () => {
  if (folder !== undefined && kept === 0) await rm(await folder, { recursive: true, force: true })
})

/** A file in the folder of this process, outside of the repository. It is made when there is something to put into it. */
async function fileFor(name: string): Promise<string> {
  folder ??= mkdtemp(join(tmpdir(), 'befaqt-failed-'))
  return join(await folder, name)
}

/** A trace of all that a visit asks for, does and shows costs each visit a sixth of a second: only with `TRACES=1`. */
const isTraced = process.env.TRACES !== undefined

export async function beginTrace(context: BrowserContext): Promise<void> {
  if (isTraced) await context.tracing.start({ snapshots: true, screenshots: true, sources: true })
}

/** Takes a picture of each page of a visit, and its trace if there is one, and keeps them if its test fails. Call it before it is closed. */
export async function takeLast(context: BrowserContext): Promise<void> {
  visits += 1
  const name = `visit-${visits}`
  for (const [i, page] of context.pages().entries())
    await take(`${name}-page-${i + 1}.jpeg`, (path) => page.screenshot({ path, timeout: PICTURE_S * 1_000 }))
  if (isTraced) await take(`${name}.trace.zip`, (path) => context.tracing.stop({ path }))
}

/** What can't be taken, such as of a page that the test closed, is left out: it says nothing about the test. */
async function take(name: string, write: (path: string) => Promise<unknown>): Promise<void> {
  const path = await fileFor(name)
  const isTaken = await within(2 * PICTURE_S, name, write(path)).then(
    () => true,
    () => false,
  )
  if (isTaken) taken.push(path)
}
