-- ARGV: run, the stage that is looked for (x: condemned, h: handed off), claimed before, which key (open or former),
-- cursor, how many
-- Condemns claims that are old and not handed off, when it looks for condemned ones.
-- Returns nothing when closed; else the next cursor ("0": the end), then mark and record, again and again.
local keys = present()
if not keys then return {} end
local key = keys[ARGV[4]] or former
local wanted, before = ARGV[2], tonumber(ARGV[3])
local page = redis.call('HSCAN', key, ARGV[5], 'COUNT', ARGV[6])
local answer = {page[1]}
for i = 1, #page[2], 2 do
    local mark, record = page[2][i], page[2][i + 1]
    if mark ~= '' then
        local stage, _, _, claimed_at = read_open(record)
        if wanted == 'x' and stage == 'c' and claimed_at < before then
            stage, record = 'x', 'x' .. string.sub(record, 2)
            redis.call('HSET', key, mark, record)
        end
        if stage == wanted and (wanted == 'x' or claimed_at < before) then
            answer[#answer + 1] = mark
            answer[#answer + 1] = record
        end
    end
end
return answer
