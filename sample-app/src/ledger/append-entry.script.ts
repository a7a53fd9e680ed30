/**
 * Writes an entry unless a writer with a higher fence has been here. Any store can do this with one conditional write, such
 * as `UPDATE ... WHERE fence <= :fence`.
 */
export const APPEND_ENTRY = `
local highest = tonumber(redis.call('GET', KEYS[1]) or '0')
if tonumber(ARGV[1]) < highest then return 0 end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('RPUSH', KEYS[2], ARGV[2])
return 1`;
