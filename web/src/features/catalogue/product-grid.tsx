import { NOT_ON_SALE } from '@befaqt/domain/cart'
import type { ProductCard as ProductCardView } from '@befaqt/domain/catalogue'
import { type AsOf, isUnknownAt } from '@befaqt/domain/freshness-word'
import { originText } from '@befaqt/domain/labelling'
import { boxPath, cardPath } from '@befaqt/domain/page-paths'
import { CachedFragment } from '#web/components/cached-fragment.tsx'
import { Picture } from '#web/components/picture.tsx'
import { AddFromCard } from '#web/features/cart/add-from-card.tsx'
import { CardHeart } from '#web/features/favourites/favourite-button.tsx'
import { useAsOf } from '#web/time/today.ts'
import { Freshness, Price } from './product-facts.tsx'

type Props = {
  products: ProductCardView[]
  /** What is said on each card beside what the product says itself; empty: nothing. */
  notes?: string[] | undefined
  /** How many of the first pictures are on the screen at once. */
  eager?: number
  /** Its columns by width and the room between rows, where they are not the usual ones. */
  columns?: string
}

/** Cards that are laid out at once; a shop of 10,000 products takes seconds to lay them all out. */
const AT_ONCE = 24

/** Products in 2, 3 or 4 columns by width. Source: spec §2. */
export function ProductGrid({
  products,
  notes = [],
  eager = 0,
  columns = 'grid-cols-2 gap-y-10 md:grid-cols-3 xl:grid-cols-4',
}: Props) {
  const now = useAsOf(products.map(({ box }) => box))
  return (
    <ul className={`grid gap-x-4 sm:gap-x-6 print:grid-cols-4! print:gap-y-4! ${columns}`}>
      {products.map((product, index) => (
        <CachedFragment
          key={product._id}
          className={index < AT_ONCE ? undefined : 'when-near'}
          of={product}
          variant={`${now.today} ${isUnknownAt(product.box, now)} ${index < eager} ${notes[index] ?? ''}`}
        >
          <ProductCard product={product} note={notes[index]} eager={index < eager} now={now} />
        </CachedFragment>
      ))}
    </ul>
  )
}

/** Has the stars above these words checked, by code that is fetched for it; without it the words stay the shop's. */
export const checkStars = (words: HTMLElement | null) => {
  if (words)
    import('#web/features/freshness/watch-freshness.ts').then(
      ({ watchFreshness }) => watchFreshness(words),
      () => undefined,
    )
}

type ProductCardProps = {
  product: ProductCardView
  note: string | undefined
  /** Among the first pictures of the page, shown without waiting for a scroll. */
  eager: boolean
  now: AsOf
}

/** A product on sale: picture, name, price, how fresh and from where. */
function ProductCard({ product, note, eager, now }: ProductCardProps) {
  const { image, box } = product
  return (
    <article className="group/card relative flex h-full flex-col">
      <div className="relative aspect-3/2 overflow-hidden rounded-lg bg-ice print:aspect-auto print:bg-transparent">
        {image && (
          <Picture
            image={image}
            alt=""
            eager={eager}
            sizes="(min-width: 75rem) 20rem, (min-width: 48rem) 30vw, 45vw"
            className="size-full object-cover transition-transform duration-500 group-hover/card:scale-[1.03] print:hidden"
          />
        )}
        {product.stock === 0 && (
          <p className="absolute inset-x-0 bottom-0 bg-night/85 px-3 py-1.5 text-center font-semibold text-on-night text-sm print:static print:text-left">
            {product.saleStopped ? NOT_ON_SALE : 'Out of stock'}
          </p>
        )}
        <CardHeart product={product} />
      </div>
      <h3 className="mt-3 text-lg sm:text-xl">
        <a
          href={cardPath(product)}
          className="after:absolute after:inset-0 after:rounded-lg group-hover/card:text-teal group-hover/card:underline"
        >
          {product.title}
        </a>
      </h3>
      <Price product={product} className="mt-1" />
      <p className="mt-1 muted">
        {originText(product.origin)}
        {product.isPrepared && '; prepared to order'}
      </p>
      {note && <p className="mt-1 font-semibold text-sm">{note}</p>}
      {box && (
        <div className="mt-2 text-sm">
          <Freshness box={box} now={now} check={checkStars} />
          <a href={boxPath(box.boxID)} className="link relative tap">
            {box.catchPlace ? `Caught ${nearPlace(box.catchPlace)}` : 'Its history'}
            <span className="sr-only">, history of the box of {product.title}</span>
          </a>
        </div>
      )}
      {product.stock > 0 && <AddFromCard id={product._id} title={product.title} />}
    </article>
  )
}

/** '32 km east of Sawtell' of '32 km east of Sawtell, New South Wales, Australia': what a card has room for. */
const nearPlace = (place: string): string => place.split(',', 1)[0] ?? place
