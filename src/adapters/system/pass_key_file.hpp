#pragma once

#include <filesystem>
#include <vector>

#include <sys/stat.h>

#include "domain/pass_keys.hpp"
#include "ports/random.hpp"

namespace sluice {

/// `pass.keys` in the data folder (mode 0600), a line for each key, the newest last:
///   ID SECRET_IN_HEX MADE_AT
/// It is replaced as a whole, so nobody reads half of it, and it is on disk before a key signs.
/// Several processes may use it at once.
class PassKeyFile {
  public:
    static constexpr std::size_t kMostKeys = 16;

    /// In that folder.
    explicit PassKeyFile(const std::filesystem::path& folder);

    /// Throws KeyError when it is absent, damaged, or when others could read it.
    std::vector<PassKey> read() const;

    /// The same, with a first key made when the file is absent.
    std::vector<PassKey> read_or_make(Random& random, Timestamp now);

    /// Adds a key, which signs as soon as a server has read it and `lead` has passed, and removes
    /// keys that are no longer valid, or all others. Returns the new key. Throws KeyError when the
    /// file is full of keys that are still valid.
    PassKey rotate(Random& random, Timestamp now, bool drop_old,
                   std::chrono::milliseconds lead = {});

    /// The whole file, for others who keep the same keys; and a call that replaces it. The latter
    /// throws KeyError, and changes nothing, for a text that is not such a file.
    std::string text() const;
    void replace(const std::string& text);

    bool exists() const;

    /// Whether the file, its contents or its mode have changed since the last call. For one thread
    /// only.
    bool has_changed();

  private:
    PassKey add(std::vector<PassKey> keys, std::uint16_t id, Random& random, Timestamp now);
    std::vector<PassKey> parse(const std::string& text) const;
    void write(const std::string& text) const;

    const std::filesystem::path folder_;
    const std::filesystem::path file_;
    struct stat seen_{};
};

}  // namespace sluice
