import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { readManageQuery } from '#web/features/manage/manage-address.ts'
import { ProductScreen, type ProductsFound } from '#web/features/manage/product-screen.tsx'
import { orWords, type Read } from '#web/features/manage/read.ts'
import type { Describe } from '#web/head/head-tags.ts'

type Data = Read<ProductsFound>

/** As many categories as a page of a list can hold: they are the choices of a form. */
const ALL_CATEGORIES = 200

export function loader({ request, context }: LoaderFunctionArgs): Promise<Data> {
  const api = context.get(shopApi)
  const products = api.manageProducts(readManageQuery(new URL(request.url).searchParams))
  const categories = api.manageCategories({ page: 1, size: ALL_CATEGORIES })
  return orWords(
    Promise.all([products, categories]).then(([products, { rows }]) => ({ products, categories: rows })),
  )
}

export const head: Describe<Data> = () => ({ title: 'Manage Product' })

export default function ManageProduct() {
  return <ProductScreen found={useLoaderData<Data>()} />
}
