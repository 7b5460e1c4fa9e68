import type { ImageView } from '@befaqt/domain/catalogue'
import { type MouseEvent, type UIEvent, useEffect, useRef, useState } from 'react'
import { Icon } from '#web/components/icon.tsx'
import { Picture } from '#web/components/picture.tsx'

type StepProps = { to: 'left' | 'right'; label: string; onPress: () => void }

const Step = ({ to, label, onPress }: StepProps) => (
  <button
    type="button"
    onClick={onPress}
    aria-label={label}
    className={`absolute top-1/2 grid size-11 -translate-y-1/2 place-items-center rounded-md bg-night-deep/75 text-on-night hover:bg-night-deep ${to === 'left' ? 'left-3' : 'right-3'}`}
  >
    <Icon name={to} />
  </button>
)

/** Without a scroll event for this long the strip has come to rest, in browsers without `scrollend`. */
const REST_MS = 150

const placeOf = ({ scrollLeft, clientWidth }: HTMLUListElement): number =>
  Math.round(scrollLeft / clientWidth)

/** Which slide is in view, and ways to another. While the strip scrolls, a step counts from where it is going to. */
function useSlides(count: number) {
  const strip = useRef<HTMLUListElement>(null)
  const target = useRef(0)
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [shown, setShown] = useState(0)
  useEffect(() => () => clearTimeout(resting.current), [])
  const show = (index: number) => {
    target.current = (index + count) % count
    strip.current?.scrollTo({ left: target.current * strip.current.clientWidth })
  }
  const step = (by: 1 | -1) => show(target.current + by)
  const rest = (place: number) => {
    target.current = place
  }
  const onScroll = ({ currentTarget }: UIEvent<HTMLUListElement>) => {
    const place = placeOf(currentTarget)
    setShown(place)
    if ('onscrollend' in window) return
    clearTimeout(resting.current)
    resting.current = setTimeout(rest, REST_MS, place)
  }
  const onScrollEnd = ({ currentTarget }: UIEvent<HTMLUListElement>) => rest(placeOf(currentTarget))
  return { strip, shown, show, step, onScroll, onScrollEnd }
}

type ThumbProps = { image: ImageView; index: number; current: boolean; onPress: (index: number) => void }

/** A link to its picture, so that it works before any script; with script the page stays where it is. */
function Thumb({ image, index, current, onPress }: ThumbProps) {
  const press = (event: MouseEvent) => {
    event.preventDefault()
    onPress(index)
  }
  return (
    <a
      href={`#picture-${index + 1}`}
      onClick={press}
      aria-current={current || undefined}
      className="block overflow-hidden rounded-md border-2 border-transparent aria-[current]:border-teal"
    >
      <Picture
        image={image}
        alt={`Picture ${index + 1}: ${image.alt}`}
        sizes="(min-width: 62rem) 6rem, 15vw"
        className="aspect-square w-full object-cover"
      />
    </a>
  )
}

/**
 * A product's pictures one at a time, swiped, stepped or scrolled by keyboard; thumbnails 6 in a row. Source: spec §2.
 */
export function Carousel({ images, title }: { images: ImageView[]; title: string }) {
  const { strip, shown, show, step, onScroll, onScrollEnd } = useSlides(images.length)
  const several = images.length > 1
  return (
    <section aria-roledescription="carousel" aria-label={`Pictures of ${title}`}>
      <div className="relative">
        <ul
          ref={strip}
          onScroll={onScroll}
          onScrollEnd={onScrollEnd}
          tabIndex={several ? 0 : undefined}
          aria-label={`${images.length} pictures`}
          className="flex snap-x snap-mandatory overflow-x-auto rounded-lg bg-ice [scrollbar-width:none] motion-safe:scroll-smooth"
        >
          {images.map((image, index) => (
            <li key={image.path} id={`picture-${index + 1}`} className="w-full shrink-0 snap-center">
              <Picture
                image={image}
                eager={index === 0}
                hidden={index > 0}
                sizes="(min-width: 84rem) 42rem, (min-width: 62rem) 50vw, 92vw"
                className="aspect-3/2 w-full object-cover"
              />
            </li>
          ))}
        </ul>
        {several && <Step to="left" label="Previous picture" onPress={() => step(-1)} />}
        {several && <Step to="right" label="Next picture" onPress={() => step(1)} />}
      </div>
      {/* Which is the fish and which is what one gets of it. A phone's first screen has no room for it. */}
      <p aria-hidden="true" className="muted mt-2 hidden min-h-[1lh] sm:block print:hidden">
        {images[shown]?.alt}
      </p>
      {several && (
        <ul className="mt-3 grid grid-cols-6 gap-2">
          {images.map((image, index) => (
            <li key={image.path}>
              <Thumb image={image} index={index} current={index === shown} onPress={show} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
