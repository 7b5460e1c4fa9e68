import { useCallback, useEffect, useRef, useState } from 'react'
import type { CheckWorker } from './check-thread.ts'
import type { ShownPage } from './proven-page.ts'
import { type FileFound, namedFiles } from './record-files.ts'

/** A file of a record: drawn from the very bytes at `url`; another than its record names; not compared. */
export type CheckedFile = { state: 'same'; url: string } | { state: 'differs' | 'unread' }

/** What was found of the files that records name, by their address. */
export type CheckedFiles = ReadonlyMap<string, CheckedFile>

const withUrl = (file: FileFound): CheckedFile =>
  file.state === 'same' ? { state: 'same', url: URL.createObjectURL(file.blob) } : { state: file.state }

/** The files of a page, and a way to compare those that were not yet. What was proven of one stays so. */
export function useFiles(): [CheckedFiles, (worker: CheckWorker, page: ShownPage) => Promise<void>] {
  const [files, setFiles] = useState<CheckedFiles>(new Map())
  const known = useRef(files)
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
      for (const file of known.current.values()) if (file.state === 'same') URL.revokeObjectURL(file.url)
      known.current = new Map()
    }
  }, [])
  const check = useCallback(async (worker: CheckWorker, { view }: ShownPage) => {
    const open = namedFiles(view.box).filter((href) => known.current.get(href)?.state !== 'same')
    const found = await worker.files(open)
    if (isGone.current || found.length === 0) return
    known.current = new Map([...known.current, ...found.map((file) => [file.href, withUrl(file)] as const)])
    setFiles(known.current)
  }, [])
  return [files, check]
}
