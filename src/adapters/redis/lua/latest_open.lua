-- ARGV: run, buyer
-- Returns the mark of their latest open claim; of former epochs only when there is none in this one; "closed" without a copy.
local keys = present()
if not keys then return {'closed'} end
local _, marks = held(keys, ARGV[2])
if marks ~= '' then return {string.sub(marks, -16)} end
if redis.call('HLEN', former) == 1 then return {} end
local latest, latest_at
local claims = redis.call('HGETALL', former)
for i = 1, #claims, 2 do
    if claims[i] ~= '' then
        local _, buyer, _, claimed_at = read_open(claims[i + 1])
        if buyer == ARGV[2] and (not latest or latest_at < claimed_at) then
            latest, latest_at = claims[i], claimed_at
        end
    end
end
return latest and {latest} or {}
