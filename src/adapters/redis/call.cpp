#include "adapters/redis/call.hpp"

#include <cstdlib>
#include <new>
#include <string_view>

#include <boost/container/small_vector.hpp>
#include <hiredis/hiredis.h>

namespace sluice::redis {
namespace {

using Words = boost::container::small_vector<std::string_view, 16>;

void append_words(std::string& out, const Words& words) {
    boost::container::small_vector<const char*, 16> starts;
    boost::container::small_vector<std::size_t, 16> sizes;
    for (const auto word : words) {
        starts.push_back(word.data());
        sizes.push_back(word.size());
    }
    char* bytes = nullptr;
    const int length =
        redisFormatCommandArgv(&bytes, static_cast<int>(words.size()), starts.data(), sizes.data());
    if (length < 0) throw std::bad_alloc();
    out.append(bytes, static_cast<std::size_t>(length));
    redisFreeCommand(bytes);
}

}  // namespace

void append_call(std::string& out, const Call& call, const std::string& run) {
    if (!call.script) return append_command(out, call.words);
    Words words{"EVALSHA", call.script->sha, "1", call.words.front(), run};
    words.insert(words.end(), call.words.begin() + 1, call.words.end());
    append_words(out, words);
}

void append_command(std::string& out, const std::vector<std::string>& words) {
    append_words(out, Words(words.begin(), words.end()));
}

}  // namespace sluice::redis
