import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder of this process in TMPDIR; those that processes left that were killed are removed before. */
export async function temporaryFolder(kind: 'doctor' | 'drill') {
  await sweep(kind)
  const path = await mkdtemp(join(tmpdir(), `befaqt-${kind}-${process.pid}-`))
  return { path, remove: (): Promise<void> => rm(path, { recursive: true, force: true }) }
}

async function sweep(kind: string): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, of, pid] = /^befaqt-(\w+)-(\d+)-/.exec(name) ?? []
    if (of === kind && !isAlive(Number(pid)))
      await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined)
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
