-- ARGV: run, the token of the copy that was seen before the ledger was asked or '', a new token, milliseconds to live,
--       user, name, role, whether a second factor was shown, expiry, end
-- A copy that was dropped since has another token by now: what was read may be older than the change, and is not kept.
local seen = redis.call('HGET', KEYS[1], 't') or ''
if seen ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 't', ARGV[3], 'u', ARGV[5], 'n', ARGV[6], 'r', ARGV[7], 's', ARGV[8], 'x', ARGV[9],
    'e', ARGV[10], 'c', string.format('%d', now_millis()), 'v', run)
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
