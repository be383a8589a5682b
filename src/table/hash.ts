import { hash } from 'node:crypto';

/** The name of a table's content: SHA-256 of its text (UTF-8), as 64 hex digits. What a pod reports as loaded. */
export function tableHash(text: string): string {
  return hash('sha256', text, 'hex');
}
