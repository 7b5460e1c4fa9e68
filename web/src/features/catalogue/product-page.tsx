import type { ProductView } from '@befaqt/domain/catalogue'
import { originText, weightText } from '@befaqt/domain/labelling'
import { AddToCart } from '#web/features/cart/add-to-cart.tsx'
import { BoxPanel } from './box-panel.tsx'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { Carousel } from './carousel.tsx'
import { Price } from './price.tsx'

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

/** Pictures, price, description, what can be done, and where it came from. Source: spec §2. */
export function ProductPage({ product }: { product: ProductView }) {
  return (
    <div className="wrap pt-4">
      <Breadcrumbs way={[['Products', '/product']]} here={product.title} />
      <div className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
        <Carousel images={product.images} title={product.title} />
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-6">
          <h1 className="text-4xl sm:text-5xl">{product.title}</h1>
          <Price product={product} large />
          <AddToCart product={product} />
          <div className="grid max-w-prose grid-cols-[minmax(0,1fr)] gap-3">
            {paragraphs(product.description).map((text) => (
              <p key={text} className="whitespace-pre-line">
                {text}
              </p>
            ))}
          </div>
          <ProductDetails product={product} />
          {product.box && <BoxPanel box={product.box} />}
        </div>
      </div>
    </div>
  )
}
