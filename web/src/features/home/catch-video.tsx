import { boxPath } from '@befaqt/domain/page-paths'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { Icon } from '#web/components/icon.tsx'
import { useNear } from '#web/components/use-near.ts'

const POSTER = '/video/catch-of-the-day.webp'

type SavesData = Navigator & { connection?: { saveData?: boolean } }

const motionIsWelcome = (): boolean =>
  !window.matchMedia('(prefers-reduced-motion: reduce)').matches &&
  !(navigator as SavesData).connection?.saveData

/** Where motion is welcome; called in the browser only. */
function videoUrl(): string | undefined {
  if (!motionIsWelcome()) return
  const webm = document.createElement('video').canPlayType('video/webm; codecs="vp9"')
  return `/video/catch-of-the-day.${webm ? 'webm' : 'mp4'}`
}

/**
 * The promotional video, muted, leading to the sample box. It is fetched when it comes near, and plays only where motion
 * is welcome. Source: spec §2.
 */
export function CatchVideo({ boxID }: { boxID: string }) {
  const ref = useRef<HTMLVideoElement>(null)
  const [playing, setPlaying] = useState(false)
  const url = useNear(ref) ? videoUrl() : undefined
  return (
    <div className="relative overflow-hidden rounded-lg bg-night-deep">
      <Link to={boxPath(boxID)} className="group/video block rounded-lg">
        <img
          src={POSTER}
          alt=""
          width={1280}
          height={720}
          loading="lazy"
          className="block aspect-2/1 h-auto w-full object-cover sm:aspect-video lg:aspect-2/1"
        />
        <video
          ref={ref}
          src={url}
          autoPlay
          muted
          loop
          playsInline
          preload="none"
          tabIndex={-1}
          onPlay={() => setPlaying(true)}
          onPause={() => setPlaying(false)}
          aria-label="A fish box on its way from the boat to the market"
          className="absolute inset-x-0 top-0 aspect-2/1 w-full object-cover sm:aspect-video lg:aspect-2/1"
        />
        <span className="flex min-h-12 items-center justify-between gap-4 bg-coral px-4 py-2 font-semibold text-on-coral group-hover/video:bg-coral-deep">
          See this box’s journey from boat to market
          <Icon name="next" />
        </span>
      </Link>
      {url && (
        <button
          type="button"
          aria-label={playing ? 'Pause the video' : 'Play the video'}
          onClick={() => (playing ? ref.current?.pause() : void ref.current?.play())}
          className="absolute top-3 right-3 grid size-11 place-items-center rounded-md bg-night-deep/80 text-on-night hover:bg-night-deep"
        >
          <Icon name={playing ? 'pause' : 'play'} />
        </button>
      )}
    </div>
  )
}
