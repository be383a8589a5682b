/** Amounts as Kubernetes writes them: the API server stores `1000m` as `1` and `0.5Gi` as `512Mi`. */

const binary = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const form = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,2})|([KMGTPE]i|[numkMGTPE]?))$/;

/** Whether two values are the same amount. False where one of them is none. Source: Kubernetes, resource.Quantity. */
export function isSameQuantity(a: unknown, b: unknown): boolean {
  const [one, other] = [amountOf(a), amountOf(b)];
  return one !== undefined && one === other;
}

/** In units of 10⁻²⁷, which every amount is a whole number of. */
const scale = 27;

function amountOf(value: unknown): bigint | undefined {
  const found = typeof value === 'string' || typeof value === 'number' ? form.exec(String(value)) : null;
  if (found === null) return undefined;
  const [sign, whole = '', fraction = '', exponent, suffix = ''] = found.slice(1);
  const power = scale - fraction.length + Number(exponent ?? decimal[suffix] ?? 0);
  if (whole + fraction === '' || power < 0) return undefined;
  const amount = BigInt(whole + fraction) * 10n ** BigInt(power) * 1024n ** BigInt(binary.indexOf(suffix) + 1);
  return sign === '-' ? -amount : amount;
}
