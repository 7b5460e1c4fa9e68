import { readStationBox } from '@befaqt/domain/api/endpoints/station'
import type { StationBox } from '@befaqt/domain/api/station-api'
import { BoxID } from '@befaqt/domain/box-values'
import { useEffect, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { BoxNumberField } from '#web/features/box/find/box-number-field.tsx'
import { Moment } from '#web/time/time.tsx'
import { withKey } from './station-store.ts'

type Props = {
  box: string
  onBox: (box: string) => void
  accessKey: string
  error: string | undefined
}

/** Milliseconds without a key until a typed number is looked up. */
const PAUSE_MS = 400

type Found = { of: string; box: StationBox | null; problem: string | null }

/** The box that lies here: typed or scanned, and what the shop knows of it, so that nobody adds to another one. */
export function BoxChoice({ box, onBox, accessKey, error }: Props) {
  const found = useBox(box, accessKey)
  return (
    <div className="grid gap-2">
      <BoxNumberField value={box} onChange={onBox} error={error} />
      <div role="status" className="min-h-7">
        {box !== '' && <BoxFound box={box} found={found} />}
      </div>
    </div>
  )
}

function BoxFound({ box, found }: { box: string; found: Found | null }) {
  if (!BoxID.safeParse(box).success) return null
  if (found?.of !== box) return <p className="text-slate">Looking for {box}…</p>
  if (found.box === null) return <p className="font-semibold text-bad">{found.problem}</p>
  const { species, trader, caughtAt, sealed, images, enoses } = found.box
  if (sealed)
    return <p className="font-semibold text-bad">This box is sealed: nothing can be added to it any more.</p>
  return (
    <p>
      <b className="font-semibold">{species || 'No catch yet'}</b>
      {trader && `, ${trader}`}
      {caughtAt && (
        <>
          , caught <Moment at={caughtAt} />
        </>
      )}
      <span className="block text-slate text-sm">
        Results so far: {images} of an e-eye, {enoses} of an e-nose
      </span>
    </p>
  )
}

/** What the shop says of a box, a moment after its number was typed. */
function useBox(box: string, accessKey: string): Found | null {
  const [found, setFound] = useState<Found | null>(null)
  useEffect(() => {
    if (!BoxID.safeParse(box).success) return
    let isOld = false
    const ask = async () => {
      const answer = await callApi(readStationBox, { params: { boxID: box }, ...withKey(accessKey) }).then(
        (of) => ({ box: of, problem: null }),
        (error: unknown) => ({ box: null, problem: userMessage(error) }),
      )
      if (!isOld) setFound({ of: box, ...answer })
    }
    const timer = setTimeout(() => void ask(), PAUSE_MS)
    return () => {
      isOld = true
      clearTimeout(timer)
    }
  }, [box, accessKey])
  return found
}
