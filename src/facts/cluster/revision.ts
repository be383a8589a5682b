/**
 * Whether resourceVersion `a` is later than `b`. They are decimal numbers that outgrow what a double holds, compared as such.
 * Source: Kubernetes API concepts, "Resource versions" (comparable within one kind since 1.35; so they were before, unsaid).
 */
export function isLater(a: string, b: string): boolean {
  return a.length === b.length ? a > b : a.length > b.length;
}
