import assert from 'node:assert/strict';
import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'cloudflare/error';
import { failure, problemOf } from './problem.ts';

function answered(status: number, code: number, inner?: number): APIError {
  const chain = inner === undefined ? {} : { error_chain: [{ code: inner, message: 'inner' }] };
  return APIError.generate(status, { errors: [{ code, message: 'outer', ...chain }] }, undefined, new Headers());
}

describe('what went wrong', () => {
  const cases: [string, unknown, string, string][] = [
    ['400', answered(400, 1056), 'terminal', 'Invalid'],
    ['400 with an inner code', answered(400, 1004, 9007), 'terminal', 'Invalid'],
    ['81053', answered(400, 81_053), 'terminal', 'Occupied'],
    ['1022', answered(400, 1022), 'transient', 'Busy'],
    ['1013', answered(409, 1013), 'transient', 'Busy'],
    ['401', answered(401, 10_000), 'transient', 'CredentialRefused'],
    ['403', answered(403, 9109), 'transient', 'CredentialRefused'],
    ['404', answered(404, 81_044), 'transient', 'NotFound'],
    ['408', answered(408, 1), 'transient', 'Busy'],
    ['429', answered(429, 10_013), 'transient', 'RateLimited'],
    ['500', answered(500, 10_000), 'transient', 'ServerError'],
    ['a page without JSON', APIError.generate(502, undefined, '<html>', new Headers()), 'transient', 'ServerError'],
    ['a cut connection', new APIConnectionError({ cause: new Error('reset') }), 'transient', 'Unreachable'],
    ['a time-out', new APIConnectionTimeoutError(), 'transient', 'Unreachable'],
    ['anything else', new TypeError('undefined is no function'), 'transient', 'Unexpected'],
  ];
  for (const [title, error, kind, reason] of cases) {
    it(`${title} is ${reason}, ${kind}`, () => {
      const problem = problemOf(error, 'make a thing', 'secret');
      assert.deepEqual([problem.kind, problem.reason], [kind, reason]);
      assert.match(problem.message, /make a thing/);
      assert.ok(!problem.message.includes('<html>'));
    });
  }

  it('names the codes, the inner ones too', () => {
    const problem = problemOf(answered(400, 1004, 9007), 'make a thing', 'secret');
    assert.deepEqual([problem.status, problem.codes], [400, [1004, 9007]]);
    assert.equal(problem.message, 'Cloudflare answered 400 when asked to make a thing: outer (1004); inner (9007)');
  });

  it('is what our own fetch threw, unwrapped', () => {
    const own = failure({ kind: 'transient', reason: 'RateLimited', message: 'wait', notBefore: 5 });
    assert.equal(problemOf(new APIConnectionError({ cause: own }), 'x', 's'), own.problem);
  });

  it('never shows the token', () => {
    const error = APIError.generate(
      400,
      { errors: [{ code: 1, message: 'Bearer abc is odd' }] },
      undefined,
      new Headers(),
    );
    assert.ok(!problemOf(error, 'x', 'abc').message.includes('abc'));
  });
});
