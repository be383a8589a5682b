/** A file of the chart that is written from elsewhere. */
export interface OutputFile {
  /** Below the chart's folder. */
  readonly path: string;
  readonly text: string;
}

/** The chart's folder. */
export const chartFolder = new URL('../../charts/cloudflare-gateway-controller/', import.meta.url);
