import { readFileSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Takes `dataDir` for this process and answers a function that gives it back. The file names its holder by
 * process id and start time, so a killed holder's lock is free at once and a reused id is not mistaken for it.
 * @throws Error with a sentence for the operator when a living process holds it
 */
export async function takeLock(dataDir: string): Promise<() => Promise<void>> {
  const file = join(dataDir, 'in-use.lock')
  const mine = nameOf(process.pid)
  for (let tries = 0; tries < 5; tries++) {
    if (await create(file, mine)) return () => rm(file, { force: true })
    const holder = await readFile(file, 'utf8').catch(() => '')
    const pid = Number(holder.split(' ')[0])
    if (holder !== '' && nameOf(pid) === holder) throw new Error(refusal(dataDir, pid))
    // Renaming succeeds for one of several processes that saw the same dead holder.
    await rename(file, `${file}.${process.pid}`).then(
      () => rm(`${file}.${process.pid}`),
      () => undefined,
    )
  }
  throw new Error(refusal(dataDir, 0))
}

const create = (file: string, content: string): Promise<boolean> =>
  writeFile(file, content, { flag: 'wx', mode: 0o600 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )

const refusal = (dataDir: string, pid: number): string =>
  `The data folder ${dataDir} is in use by another process${pid > 0 ? ` (${pid})` : ''}. ` +
  'Stop that one, or give this one a DATA_DIR of its own.'

/** 'pid start' of a living process, 'pid' where the system does not tell its start, '' for a dead one. */
function nameOf(pid: number): string {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return ''
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
    return `${pid} ${started}`
  } catch {
    return `${pid}`
  }
}
