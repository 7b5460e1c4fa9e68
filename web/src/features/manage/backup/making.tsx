import { listBackups } from '@befaqt/domain/api/endpoints/backups'
import type { BackupList, BackupProgress } from '@befaqt/domain/backup'
import { useEffect, useRef, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { Button } from '#web/components/button.tsx'
import { Moment } from '#web/time/time.tsx'

const LOOK_MS = 1_000

/** A size as people say it; decimal, as disks and downloads are. */
export function sizeWords(bytes: number): string {
  for (const [unit, size] of [
    ['GB', 1e9],
    ['MB', 1e6],
    ['kB', 1e3],
  ] as const)
    if (bytes >= size) return `${(bytes / size).toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`
  return `${bytes} bytes`
}

/** Follows the backup that is being made, whoever began it and wherever. @param onOver it was made, or came to nothing */
export function useMaking(
  { making }: BackupList,
  onOver: () => void,
): { state: BackupProgress | null; isLost: boolean } {
  const [state, setState] = useState(making)
  const [isLost, setLost] = useState(false)
  const over = useRef(onOver)
  over.current = onOver
  useEffect(() => setState(making), [making])
  const name = making?.name
  useEffect(() => {
    if (name === undefined) return
    let isOver = false
    const look = async () => {
      const list = await callApi(listBackups).catch(() => undefined)
      if (isOver) return
      setLost(list === undefined)
      if (list?.making) setState(list.making)
      else if (list) {
        isOver = true
        over.current()
      }
      if (!isOver) timer = setTimeout(() => void look(), LOOK_MS)
    }
    let timer = setTimeout(() => void look(), LOOK_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [name])
  return { state, isLost }
}

type Props = { state: BackupProgress | null; isLost: boolean; ready: boolean; onStop: () => void }

/** How far it is, by what was counted: rows against the database's own estimate, then files. */
export function Making({ state, isLost, ready, onStop }: Props) {
  if (state === null) return null
  const { name, since, rows, about, objects, written } = state
  const count = (n: number): string => n.toLocaleString('en')
  return (
    <section
      aria-label="Being made"
      className="mb-8 grid gap-3 rounded-lg border border-line bg-surface p-4 sm:p-6"
    >
      <h2 className="text-xl wrap-anywhere">{name} is being made</h2>
      <progress
        aria-label="Rows read"
        className="filled h-3 w-full"
        {...(about > 0 && { value: Math.min(rows, about), max: about })}
      />
      <p role="status" className="text-slate">
        {count(rows)} rows of about {count(about)}, {count(objects)} files, {sizeWords(written)} written;
        since <Moment at={since} />.
        {isLost && ' The shop doesn’t answer right now: this is as of a moment ago.'}
      </p>
      <p className="muted">
        It goes on when you leave this page. Until it is whole there is no backup of it.
      </p>
      <div>
        <Button variant="outline" disabled={!ready} onClick={onStop}>
          Stop it
        </Button>
      </div>
    </section>
  )
}
