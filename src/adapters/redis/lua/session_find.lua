-- ARGV: run
-- Returns nothing when there is no copy; its token alone when it was dropped; else token, user, name, role, whether a
-- second factor was shown, expiry, end, and whether the ledger was asked about it lately, on this run.
local CHECKED_MILLIS = 60000

local copy = redis.call('HMGET', KEYS[1], 't', 'u', 'n', 'r', 's', 'x', 'e', 'c', 'v')
if not copy[1] then return {} end
if not copy[2] then return {copy[1]} end
local age = now_millis() - tonumber(copy[8])
local is_checked = copy[9] == run and age >= 0 and age < CHECKED_MILLIS
return {copy[1], copy[2], copy[3], copy[4], copy[5], copy[6], copy[7], is_checked and 1 or 0}
