import assert from 'node:assert/strict';
import { editFields, headerEdit } from './headeredit.ts';

describe('header edit', () => {
  it('sets, then adds, then removes, without regard to case', () => {
    const edit = headerEdit({
      type: 'RequestHeaderModifier',
      set: [{ name: 'X-Set', value: 'new' }],
      add: [
        { name: 'x-add', value: '2' },
        { name: 'X-Both', value: 'added' },
      ],
      remove: ['x-gone', 'X-BOTH'],
    });
    assert.deepEqual(
      editFields(['x-set', 'old', 'X-SET', 'older', 'X-Add', '1', 'X-Gone', 'x', 'x-both', '1', 'Other', 'o'], edit),
      ['X-Add', '1', 'Other', 'o', 'X-Set', 'new', 'x-add', '2'],
    );
  });

  it('counts the first of equivalent names', () => {
    const edit = headerEdit({
      type: 'ResponseHeaderModifier',
      set: [
        { name: 'a', value: '1' },
        { name: 'A', value: '2' },
      ],
    });
    assert.deepEqual(editFields([], edit), ['a', '1']);
  });

  it('leaves out what is illegal or frames the message', () => {
    const edit = headerEdit({
      type: 'RequestHeaderModifier',
      add: [
        { name: 'bad name', value: '1' },
        { name: 'x', value: 'a\nb' },
        { name: 'Content-Length', value: '1' },
        { name: 'transfer-encoding', value: 'chunked' },
        { name: 'ok', value: '1' },
      ],
    });
    assert.deepEqual(editFields([], edit), ['ok', '1']);
  });
});
