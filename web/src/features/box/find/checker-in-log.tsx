import type { BuildView } from '@befaqt/domain/api/box-api'
import { readBuild } from '@befaqt/domain/api/endpoints/boxes'
import { useEffect, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'

/** The hash of the checker that the shop serves, and its place in the log of builds; nothing where that can't be told. */
export default function CheckerInLog() {
  const [served, setServed] = useState<BuildView | null>(null)
  useEffect(() => {
    let isGone = false
    callApi(readBuild).then(
      (found) => isGone || setServed(found),
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [])
  if (!served?.checker) return null
  const { checker, log } = served
  return (
    <p className="mt-3 max-w-prose muted" role="status">
      Its SHA-256 is <code className="wrap-anywhere">{checker.hash}</code>.{' '}
      {log === null || checker.index === null
        ? 'It is not in our log of builds yet.'
        : `It is entry ${checker.index} of ${log.size} in our log of builds (${log.origin}), which is the same for everybody: if yours has another, ask us why.`}
    </p>
  )
}
