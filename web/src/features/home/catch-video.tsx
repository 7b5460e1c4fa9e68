import { boxPath } from '@befaqt/domain/page-paths'
import { useEffect, useRef, useState } from 'react'
import { preload } from 'react-dom'
import { Link } from 'react-router'
import { Icon } from '#web/components/icon.tsx'

const POSTER = '/video/catch-of-the-day.webp'

type SavesData = Navigator & { connection?: { saveData?: boolean } }

const motionIsWelcome = (): boolean =>
  !window.matchMedia('(prefers-reduced-motion: reduce)').matches &&
  !(navigator as SavesData).connection?.saveData

/** The video's URL once the page has nothing more urgent to fetch; undefined where motion is not welcome. */
function useVideoUrl(): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!motionIsWelcome()) return
    const start = () => {
      const webm = document.createElement('video').canPlayType('video/webm; codecs="vp9"')
      setUrl(`/video/catch-of-the-day.${webm ? 'webm' : 'mp4'}`)
    }
    if (document.readyState === 'complete') return start()
    window.addEventListener('load', start, { once: true })
    return () => window.removeEventListener('load', start)
  }, [])
  return url
}

/** The promotional video, muted, leading to the sample box. Plays only where motion is welcome. Source: spec §2. */
export function CatchVideo({ boxID }: { boxID: string }) {
  const ref = useRef<HTMLVideoElement>(null)
  const [playing, setPlaying] = useState(false)
  const url = useVideoUrl()
  preload(POSTER, { as: 'image', fetchPriority: 'high' })
  return (
    <div className="relative overflow-hidden rounded-lg bg-night-deep">
      <Link to={boxPath(boxID)} className="group/video block rounded-lg">
        <video
          ref={ref}
          src={url}
          poster={POSTER}
          width={1280}
          height={720}
          autoPlay
          muted
          loop
          playsInline
          preload="none"
          tabIndex={-1}
          onPlay={() => setPlaying(true)}
          onPause={() => setPlaying(false)}
          aria-label="A fish box on its way from the boat to the market"
          className="block aspect-video h-auto w-full object-cover lg:aspect-2/1"
        />
        <span className="flex min-h-14 items-center justify-between gap-4 bg-coral px-5 py-3 font-semibold text-on-coral group-hover/video:bg-coral-deep">
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
