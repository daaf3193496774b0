-- ARGV: run, epoch, which key (buyers, open or former), cursor, how many
-- Returns nothing when the copy is of another epoch; else the next cursor ("0": the end), then field and value,
-- again and again.
local keys = copy_of(ARGV[2])
if not keys then return {} end
local page = redis.call('HSCAN', keys[ARGV[3]] or former, ARGV[4], 'COUNT', ARGV[5])
local answer = {page[1]}
for i = 1, #page[2], 2 do
    if page[2][i] ~= '' then
        answer[#answer + 1] = page[2][i]
        answer[#answer + 1] = page[2][i + 1]
    end
end
return answer
