import { Picture } from '#web/components/picture.tsx'
import { useSite } from '#web/root-data.ts'
import type { CardProduct } from './card-product.ts'
import { Freshness } from './freshness.tsx'
import { nearPlace } from './near-place.ts'
import { Price } from './price.tsx'
import { boxAddress, cardAddress } from './product-address.ts'

type Props = {
  product: CardProduct
  /** Among the first pictures of the page, shown without waiting for a scroll. */
  eager?: boolean
}

/** A product on sale: picture, name, price, how fresh and from where. */
export function ProductCard({ product, eager = false }: Props) {
  const sampleBox = useSite()?.sampleBox ?? ''
  const { image, box } = product
  return (
    <article className="group/card relative flex h-full flex-col">
      <div className="relative aspect-3/2 overflow-hidden rounded-lg bg-ice">
        {image && (
          <Picture
            image={image}
            alt=""
            eager={eager}
            sizes="(min-width: 75rem) 20rem, (min-width: 48rem) 30vw, 45vw"
            className="size-full object-cover transition-transform duration-500 group-hover/card:scale-[1.03]"
          />
        )}
        {product.stock < 1 && (
          <p className="absolute inset-x-0 bottom-0 bg-night/85 px-3 py-1.5 text-center font-semibold text-on-night text-sm">
            Out of stock
          </p>
        )}
      </div>
      <h3 className="mt-3 text-lg sm:text-xl">
        <a
          href={cardAddress(product, sampleBox)}
          className="after:absolute after:inset-0 after:rounded-lg group-hover/card:text-teal group-hover/card:underline"
        >
          {product.title}
        </a>
      </h3>
      <Price product={product} className="mt-1" />
      {box && (
        <div className="mt-2 text-sm">
          <Freshness box={box} />
          <a href={boxAddress(box.boxID)} className="link relative inline-flex min-h-11 items-center">
            {box.catchPlace ? `From ${nearPlace(box.catchPlace)}` : 'Its history'}
            <span className="sr-only">, history of the box of {product.title}</span>
          </a>
        </div>
      )}
    </article>
  )
}
