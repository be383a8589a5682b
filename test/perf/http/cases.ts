/** What is measured of the data plane, and how its answers are recognised as right. */
import { request } from 'node:http';
import { CheckFailed } from '../error.ts';
import { bodies, postAnswer } from './nginx.ts';

export interface Case {
  readonly id: string;
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly bodyBytes: number;
  readonly answer: string;
}

export const cases: readonly Case[] = [
  { id: 'http-1k', path: '/1k', method: 'GET', bodyBytes: 0, answer: bodies['/1k'] ?? '' },
  { id: 'http-64k', path: '/64k', method: 'GET', bodyBytes: 0, answer: bodies['/64k'] ?? '' },
  { id: 'post-10k', path: '/post', method: 'POST', bodyBytes: 10 * 1024, answer: postAnswer },
];

/** One request, whose answer must be the expected one to the last byte. Throws CheckFailed. */
export async function checkAnswer(
  name: string,
  port: number,
  { path, method, bodyBytes, answer }: Case,
): Promise<void> {
  const { status, length, body } = await ask(port, path, method, 'c'.repeat(bodyBytes));
  if (status !== 200 || body !== answer || (length !== undefined && Number(length) !== answer.length))
    throw new CheckFailed(
      `${name} answers ${method} ${path} with ${status} and ${body.length} bytes; expected are 200 and ${answer.length} bytes`,
    );
}

interface Answer {
  readonly status: number | undefined;
  readonly length: string | undefined;
  readonly body: string;
}

function ask(port: number, path: string, method: string, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Length': body.length };
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false, timeout: 5000 }, (res) => {
      let text = '';
      res.setEncoding('latin1');
      res.on('data', (chunk: string) => (text += chunk));
      res.on('error', reject);
      res.on('end', () => resolve({ status: res.statusCode, length: res.headers['content-length'], body: text }));
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer to ${method} ${path} within 5 s`)));
    sent.on('error', reject);
    sent.end(body);
  });
}
