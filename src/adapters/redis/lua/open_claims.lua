-- ARGV: run, how many claims may be open
-- Returns nothing when closed, and the epoch alone when more are open; else epoch, left, applied, ledger, then mark and
-- record, again and again.
local keys = present()
if not keys then return {} end
if redis.call('HLEN', keys.open) - 1 > tonumber(ARGV[2]) then return {keys.epoch} end
local answer = {keys.epoch, keys.values[1], keys.values[2], keys.values[4]}
local open = redis.call('HGETALL', keys.open)
for i = 1, #open, 2 do
    if open[i] ~= '' then
        answer[#answer + 1] = open[i]
        answer[#answer + 1] = open[i + 1]
    end
end
return answer
