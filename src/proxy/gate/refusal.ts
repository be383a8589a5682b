/** Why the gate turned a request away: the HTTP status and the value of the metric's label `reason`. */
export interface Refusal {
  readonly status: 400 | 414 | 417 | 431 | 501;
  readonly reason: GateReason;
}

/** Every reason there is: the label is never made from what a client sent. */
export type GateReason =
  | 'host_missing'
  | 'host_duplicate'
  | 'host_invalid'
  | 'target_form'
  | 'target_authority'
  | 'target_fragment'
  | 'target_length'
  | 'path'
  | 'field_count'
  | 'field_bytes'
  | 'transfer_encoding'
  | 'transfer_encoding_http10'
  | 'content_length'
  | 'content_length_duplicate'
  | 'length_and_encoding'
  | 'expect'
  | 'connect'
  | 'syntax';

export function refusal(status: Refusal['status'], reason: GateReason): Refusal {
  return { status, reason };
}
