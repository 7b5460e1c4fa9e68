import { urlOf } from '@befaqt/domain/api/endpoint'
import { exportOriginProof, readInvoice, readOriginProof } from '@befaqt/domain/api/endpoints/order-documents'
import { type ActionProps, callInput } from './order-input.ts'

/** What restaurants and bookkeepers keep of an order. The invoice is one once the shop has given it a number. */
export default function OrderDocuments(props: ActionProps) {
  const documents = [
    [readInvoice, props.order.invoiceNumber === null ? 'Statement of the order (PDF)' : 'Invoice (PDF)'],
    [readOriginProof, 'Proof of origin (PDF)'],
    [exportOriginProof, 'Proof of origin (CSV)'],
  ] as const
  return (
    <ul aria-label="Documents" className="basis-full">
      {documents.map(([endpoint, title]) => (
        <li key={title}>
          <a href={urlOf(endpoint, callInput(props))} className="link inline-flex min-h-11 items-center">
            {title}
          </a>
        </li>
      ))}
    </ul>
  )
}
