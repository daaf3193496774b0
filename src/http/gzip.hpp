#pragma once

#include <memory>
#include <string>
#include <string_view>

struct z_stream_s;

namespace sluice::http {

/// Compresses whole bodies with gzip, one after the other, with memory that is allocated once. For
/// one thread.
class Gzip {
  public:
    /// Fast for bodies made anew for each answer, small for bodies made once.
    enum class Effort { fast, small };

    explicit Gzip(Effort effort);
    ~Gzip();
    Gzip(const Gzip&) = delete;
    Gzip& operator=(const Gzip&) = delete;

    std::string compress(std::string_view content);

  private:
    const std::unique_ptr<z_stream_s> stream_;
};

}  // namespace sluice::http
