#include <cerrno>
#include <cstdio>
#include <cstring>

#include <boost/json/serialize.hpp>
#include <fcntl.h>
#include <unistd.h>

#include "base/run_to_end.hpp"
#include "main/commands.hpp"
#include "main/store.hpp"

namespace sluice {
namespace {

constexpr std::uint32_t kPassesAtOnce = 5'000;
constexpr std::chrono::hours kSessionLength{24};

/// Where the tokens are written: a file that only its owner can read, or standard output.
class TokenSink {
  public:
    explicit TokenSink(const std::optional<std::filesystem::path>& file) {
        if (!file) return;
        const int fd = ::open(file->c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        out_ = fd < 0 ? nullptr : ::fdopen(fd, "w");
        if (!out_)
            throw std::runtime_error("cannot write " + file->string() + ": " +
                                     std::strerror(errno));
    }
    ~TokenSink() {
        if (out_ != stdout) std::fclose(out_);
    }
    TokenSink(const TokenSink&) = delete;
    TokenSink& operator=(const TokenSink&) = delete;

    void write(const std::string& lines) {
        if (std::fwrite(lines.data(), 1, lines.size(), out_) != lines.size() ||
            std::fflush(out_) != 0)
            throw std::runtime_error(std::string("cannot write the tokens: ") +
                                     std::strerror(errno));
    }

  private:
    std::FILE* out_ = stdout;
};

}  // namespace

int mint(const Config& config, std::uint32_t buyers,
         const std::optional<std::filesystem::path>& out) {
    Store store(config);
    TokenSink sink(out);
    const boost::json::object after{{"buyers", buyers}};
    // Before the first buyer: so none is made without a deed, whenever this is killed.
    run_to_end(store.ledger.trail().add(
        store.command_line.make_deed("user.mint", "", "", boost::json::serialize(after))));
    for (std::uint32_t made = 0; made < buyers;) {
        const auto chunk = std::min(kPassesAtOnce, buyers - made);
        const auto now = store.clock.now();
        std::vector<MintedBuyer> batch;
        std::string lines;
        for (std::uint32_t i = 0; i < chunk; ++i) {
            std::array<unsigned char, SessionTokens::kSecretBytes> secret;
            store.random.fill(secret);
            auto token = store.tokens.make(secret);
            lines += token.text + "\n";
            const UserId id{store.ids.next(now)};
            // More digits than any real phone has, so it belongs to nobody.
            batch.push_back({.user = {.id = id,
                                      .phone = "+" + id.text(),
                                      .name = "Buyer " + std::to_string(made + i + 1),
                                      .role = Role::buyer,
                                      .created_at = now},
                             .session = token.name.key,
                             .session_expires_at = now + kSessionLength});
        }
        const auto done = run_to_end(store.ledger.users().mint(std::move(batch)));
        if (!done) throw std::runtime_error("the buyers could not be made: a phone is taken");
        sink.write(lines);
        made += chunk;
        if (out) std::fprintf(stderr, "\rmade %u of %u buyers", made, buyers);
    }
    if (out) std::fprintf(stderr, "\n");
    return 0;
}

}  // namespace sluice
