import type { PlaneResult, StatusClaim } from '../../derive/results.ts';

const headLine = 'For review only: cfgwctl render wrote it, and nothing is applied from it.';

/** A JSON file for people: its first line says so. */
function review(content: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify({ '//': headLine, ...content }, undefined, 2)}\n`;
}

/** `table.json`: the routing table in its own layout, readable even where its ConfigMap holds it compressed. */
export function tableReview({ table }: PlaneResult): string {
  return table.text.replace('{\n', `{\n"//":${JSON.stringify(headLine)},\n`);
}

/** `cloudflare.json`: the tunnel, its document and its DNS records. */
export function cloudflareReview({ cloudflare }: PlaneResult): string {
  return review({ ...cloudflare });
}

/** `status.json`: the status each object would get. */
export function statusReview(statuses: readonly StatusClaim[]): string {
  return review({ statuses });
}
