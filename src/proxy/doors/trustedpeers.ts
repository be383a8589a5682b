import { BlockList, isIP } from 'node:net';

/**
 * Whether a peer is one of these, addresses or ranges as `10.0.0.0/8`. Throws one sentence for a text that is neither.
 */
export function trustedPeers(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = familyOf(address);
    const most = family === 'ipv4' ? 32 : 128;
    const prefix = bits === undefined ? most : Number(bits);
    if (family === undefined || bits === '' || !Number.isInteger(prefix) || prefix < 0 || prefix > most)
      throw new Error(`${range} is no address and no range of addresses such as 10.0.0.0/8`);
    list.addSubnet(address, prefix, family);
  }
  return (address) => {
    const plain = address.startsWith('::ffff:') ? address.slice(7) : address;
    const family = familyOf(plain);
    return family !== undefined && list.check(plain, family);
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  switch (isIP(address)) {
    case 4:
      return 'ipv4';
    case 6:
      return 'ipv6';
    default:
      return undefined;
  }
}
