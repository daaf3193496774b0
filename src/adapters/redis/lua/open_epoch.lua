-- ARGV: run, epoch, ledger
-- Returns 1, or 0 when the filling was overtaken or is not whole.
local draft = draft_of(ARGV[2], ARGV[3])
if not draft then return 0 end
-- Only from a copy that is whole and of this run: another copy may have lost marks, and a claim that was promised would
-- look abandoned.
local old = present()
local opened = redis.call('GET', KEYS[1])
tell(draft, '0', 0, tonumber(draft.values[1]))
if old and redis.call('HLEN', old.open) > 1 then
    if redis.call('HLEN', former) > 1 then
        local claims = redis.call('HGETALL', old.open)
        for i = 1, #claims, 2 do redis.call('HSET', former, claims[i], claims[i + 1]) end
    else
        redis.call('RENAME', old.open, former)
    end
end
if not old then redis.call('UNLINK', queued) end -- its claims went with the former copy
redis.call('HSET', former, '', '')
redis.call('SET', KEYS[1], draft.epoch)
redis.call('UNLINK', terms) -- they may be of another ledger, whose versions went further
each_key(draft, 'PERSIST')
redis.call('PERSIST', log)
if opened then each_key(keys_of(opened), 'UNLINK') end
return 1
