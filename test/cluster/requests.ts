/** Requests to an API server, before there is a client of the project for it. */
import { request } from 'node:https';
import type { Pki } from './pki/files.ts';

/** Whether the API server says that it is ready. Rejects if it does not answer within a second. */
export function isReady(url: string, { certificate, key, ca }: Pki['admin']): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const asked = request(`${url}/readyz`, { cert: certificate, key, ca, agent: false, timeout: 1000 });
    asked.on('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.on('timeout', () => asked.destroy(new Error(`${url} does not answer`)));
    asked.on('error', reject);
    asked.end();
  });
}
