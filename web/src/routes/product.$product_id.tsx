import type { Site } from '@befaqt/domain/api/site-api'
import type {
  KitchenAdvice,
  ProductBox,
  ProductDetail,
  ProductView,
  RelatedProducts,
} from '@befaqt/domain/catalogue'
import { freshnessAt } from '@befaqt/domain/freshness-word'
import { originText, weightText } from '@befaqt/domain/labelling'
import { dayText } from '@befaqt/domain/moment-text'
import { boxPath, productPath } from '@befaqt/domain/page-paths'
import { lazy, Suspense, useState } from 'react'
import { useLoaderData } from 'react-router'
import { fileUrl } from '#web/api/file-url.ts'
import { Button, ButtonLink, buttonClass } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Icon } from '#web/components/icon.tsx'
import { sharePage } from '#web/components/share-page.ts'
import { AddToCart } from '#web/features/cart/add-to-cart.tsx'
import { Breadcrumbs } from '#web/features/catalogue/breadcrumbs.tsx'
import { Carousel } from '#web/features/catalogue/carousel.tsx'
import { Freshness, Price } from '#web/features/catalogue/product-facts.tsx'
import { checkStars, ProductGrid } from '#web/features/catalogue/product-grid.tsx'
import { useToggle } from '#web/features/favourites/favourite-button.tsx'
import type { Head } from '#web/head/head-tags.ts'
import { breadcrumbs, productThing } from '#web/head/json-ld.ts'
import { PageHead } from '#web/head/page-head.tsx'
import type { ProductData } from '#web/loaders/shop-loaders.ts'
import { MarketZone, Moment } from '#web/time/time.tsx'
import { useAsOf } from '#web/time/today.ts'

const describe = (product: ProductView, site: Site): Head => {
  const path = productPath(product._id)
  const [image] = product.images
  return {
    title: product.title,
    description: product.description || `${product.title} from ${site.market.name}.`,
    canonical: path,
    ...(image && { image: fileUrl(image.path) }),
    jsonLd: [
      productThing(site, product),
      breadcrumbs(site, [
        ['Products', '/product'],
        [product.title, path],
      ]),
    ],
  }
}

export default function Product() {
  const { product, related } = useLoaderData<ProductData>()
  return (
    <>
      <PageHead describe={(site) => describe(product, site)} />
      <ProductPage key={product._id} product={product} related={related.value ?? []} />
    </>
  )
}

const paragraphs = (text: string): string[] => text.split(/\n\s*\n/u).filter(Boolean)

function ProductDetails({ product }: { product: ProductView }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1 text-slate">
      <dt>Origin</dt>
      <dd className="text-ink">{originText(product.origin)}</dd>
      <dt>Contains</dt>
      <dd className="text-ink">
        {product.allergens.length > 0 ? <b>{product.allergens.join(', ')}</b> : 'Allergens not stated'}
      </dd>
      {product.pieceWeight > 0 && (
        <>
          <dt>One piece</dt>
          <dd className="text-ink">about {weightText(product.pieceWeight)}</dd>
        </>
      )}
      <dt>Shelf</dt>
      <dd className="text-ink">{product.shelfPos}</dd>
      <dt>GST</dt>
      <dd className="text-ink">{product.includeGST ? 'Included' : 'GST-free'}</dd>
    </dl>
  )
}

const tellMe = () => import('#web/features/notices/tell-me.tsx')
/** The server has it at once, since it renders without waiting; browsers fetch it where something is sold out. */
const TellMe = import.meta.env.SSR
  ? (await tellMe()).default
  : lazy(() => tellMe().catch(() => ({ default: () => <></> })))

/** A heart that keeps the product or keeps it no longer, and the way to send it to somebody. */
function KeepOrShare({ product }: { product: ProductView }) {
  const [told, setTold] = useState('')
  const hydrated = useHydrated()
  return (
    <div className="no-print -mt-3 flex flex-wrap items-center gap-3 noscript:hidden">
      <button
        {...useToggle(product)}
        className={buttonClass('outline', 'heart min-h-12 data-tapped:opacity-70')}
      >
        Favourite
        <span className="sr-only">: {product.title}</span>
      </button>
      <Button
        variant="outline"
        disabled={!hydrated}
        onClick={() => void sharePage(product.title).then(setTold)}
        className="min-h-12"
      >
        Share
      </Button>
      <p role="status" className="wrap-anywhere text-sm">
        {told}
      </p>
    </div>
  )
}

/** Pictures, price, description, what can be done, and where it came from. Source: spec §2. */
function ProductPage({ product, related }: { product: ProductDetail; related: RelatedProducts[] }) {
  return (
    <div className="wrap pt-4">
      <Breadcrumbs way={[['Products', '/product']]} here={product.title} />
      <div className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
        <Carousel images={product.images} title={product.title} />
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-6">
          <h1 className="page-title">{product.title}</h1>
          <Price product={product} large />
          <AddToCart product={product} />
          {product.stock === 0 && (
            <Suspense>
              <TellMe about={{ product_id: product._id }}>Tell me when it’s back</TellMe>
            </Suspense>
          )}
          <KeepOrShare product={product} />
          <div className="grid max-w-prose grid-cols-[minmax(0,1fr)] gap-3">
            {paragraphs(product.description).map((text) => (
              <p key={text} className="whitespace-pre-line">
                {text}
              </p>
            ))}
          </div>
          <ProductDetails product={product} />
          {product.kitchen && <Kitchen {...product.kitchen} />}
          {product.box && <BoxPanel box={product.box} />}
        </div>
      </div>
      <Related related={related} />
    </div>
  )
}

function Kitchen({ keep, cook }: KitchenAdvice) {
  return (
    <div className="grid max-w-prose gap-3">
      <p>
        <b>Keeping it.</b> {keep}
      </p>
      <p>
        <b>Cooking it.</b> {cook}
      </p>
    </div>
  )
}

/** Others that one may want, under why; of the same fish, each with how it differs from this one. */
function Related({ related }: { related: RelatedProducts[] }) {
  return related.map(({ reason, products, differences }) => (
    <section key={reason} aria-label={reason} className="no-print mt-14">
      <h2 className="mb-5 text-3xl">{reason}</h2>
      <ProductGrid products={products} notes={differences} />
    </section>
  ))
}

/** How fresh a product is and where it was caught, with the way to its box's whole history. */
function BoxPanel({ box }: { box: ProductBox }) {
  const now = useAsOf([box])
  const { bestBy } = freshnessAt(box, now)
  return (
    <section aria-labelledby="box" className="rounded-lg bg-ice p-5 sm:p-6">
      <h2 id="box" className="text-2xl">
        Where it’s from
      </h2>
      <div className="mt-3 text-lg">
        <Freshness box={box} now={now} check={checkStars} />
      </div>
      <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        {box.catchPlace && (
          <>
            <dt className="text-slate">Caught</dt>
            <dd className="font-semibold">{box.catchPlace}</dd>
          </>
        )}
        {box.boat && (
          <>
            <dt className="text-slate">Boat</dt>
            <dd className="font-semibold wrap-anywhere">{box.boat}</dd>
          </>
        )}
        {box.trader && (
          <>
            <dt className="text-slate">Fisher</dt>
            <dd className="font-semibold wrap-anywhere">{box.trader}</dd>
          </>
        )}
        {box.catchTime && (
          <>
            <dt className="text-slate">Caught on</dt>
            <dd className="font-semibold">
              <Moment at={box.catchTime} /> <MarketZone />
            </dd>
          </>
        )}
        {bestBy && (
          <>
            <dt className="text-slate">Best by</dt>
            <dd data-best-by className="font-semibold">
              {dayText(bestBy)}, kept as cold as it was last measured
            </dd>
          </>
        )}
        <dt className="text-slate">Box</dt>
        <dd className="font-semibold">{box.boxID}</dd>
      </dl>
      <ButtonLink to={boxPath(box.boxID)} variant="secondary" className="mt-5">
        <Icon name="pin" />
        See full history
      </ButtonLink>
    </section>
  )
}
