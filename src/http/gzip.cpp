#include "http/gzip.hpp"

#include <zlib.h>

#include "base/check.hpp"

namespace sluice::http {
namespace {

constexpr int kGzipFormat = 16;  // added to the window's bits
constexpr int kMemory = 8;       // zlib's own default

}  // namespace

Gzip::Gzip(Effort effort) : stream_(std::make_unique<z_stream_s>()) {
    const int level = effort == Effort::fast ? Z_BEST_SPEED : Z_BEST_COMPRESSION;
    const int code = deflateInit2(stream_.get(), level, Z_DEFLATED, MAX_WBITS + kGzipFormat,
                                  kMemory, Z_DEFAULT_STRATEGY);
    CHECK(code == Z_OK, "there is memory for a compressor");
}

Gzip::~Gzip() {
    deflateEnd(stream_.get());
}

std::string Gzip::compress(std::string_view content) {
    deflateReset(stream_.get());
    std::string out(deflateBound(stream_.get(), content.size()), '\0');
    // zlib does not change what it reads, but its type does not say so.
    stream_->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
    stream_->avail_in = static_cast<uInt>(content.size());
    stream_->next_out = reinterpret_cast<Bytef*>(out.data());
    stream_->avail_out = static_cast<uInt>(out.size());
    CHECK(deflate(stream_.get(), Z_FINISH) == Z_STREAM_END, "the bound is a bound");
    out.resize(out.size() - stream_->avail_out);
    return out;
}

}  // namespace sluice::http
