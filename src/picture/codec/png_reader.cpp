#include "picture/codec/png_reader.hpp"

#include <array>
#include <csetjmp>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include <png.h>

// As in jpeg.cpp: whoever calls libpng has no variable with a destructor.

namespace sluice {
namespace {

constexpr std::size_t kRead = 4;  // red, green, blue, and how much of the ground is covered

/// Chunks that do not change a pixel here. They are passed over: less of libpng meets what
/// strangers wrote. Each name with its zero.
constexpr std::array kPassedOver{
    "bKGD", "cHRM", "eXIf", "gAMA", "hIST", "iCCP", "iTXt", "oFFs", "pCAL",
    "pHYs", "sBIT", "sCAL", "sPLT", "sRGB", "tEXt", "tIME", "zTXt",
};

/// False from any call: see flaw().
class PngDecoder {
  public:
    explicit PngDecoder(std::string_view file) : rest_(file) {
        png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, on_error, on_warning);
        if (png_) info_ = png_create_info_struct(png_);
    }
    PngDecoder(const PngDecoder&) = delete;
    PngDecoder& operator=(const PngDecoder&) = delete;
    ~PngDecoder() { png_destroy_read_struct(&png_, &info_, nullptr); }

    bool has_memory() const { return png_ && info_; }
    Extent stored() const { return extent_; }
    /// How often the rows are read: each time more of their pixels are there.
    int passes() const { return passes_; }

    bool read_head(const DecodeBounds& bounds) {
        if (setjmp(png_jmpbuf(png_)) != 0) return false;
        png_set_read_fn(png_, this, read);
        png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // judged before
        png_set_chunk_cache_max(png_, 16);
        png_set_chunk_malloc_max(png_, bounds.memory_bytes / 256);
        pass_over_chunks();
        png_read_info(png_, info_);
        extent_ = {png_get_image_width(png_, info_), png_get_image_height(png_, info_)};
        return true;
    }

    /// Four bytes for each pixel, whatever the file has.
    bool begin() {
        if (setjmp(png_jmpbuf(png_)) != 0) return false;
        png_set_expand(png_);
        png_set_scale_16(png_);
        png_set_gray_to_rgb(png_);
        png_set_add_alpha(png_, 0xff, PNG_FILLER_AFTER);
        passes_ = png_set_interlace_handling(png_);
        png_read_update_info(png_, info_);
        return png_get_rowbytes(png_, info_) == extent_.width * kRead;
    }

    bool read_row(std::span<std::uint8_t> row) {
        if (setjmp(png_jmpbuf(png_)) != 0) return false;
        png_read_row(png_, row.data(), nullptr);
        return true;
    }

    bool finish() {
        if (setjmp(png_jmpbuf(png_)) != 0) return false;
        png_read_end(png_, nullptr);
        return true;
    }

  private:
    [[noreturn]] static void on_error(png_structp png, png_const_charp) { png_longjmp(png, 1); }
    /// About chunks beside the pixels, or bytes behind them: damaged pixels are an error.
    static void on_warning(png_structp, png_const_charp) {}

    static void read(png_structp png, png_bytep out, std::size_t size) {
        auto& rest = static_cast<PngDecoder*>(png_get_io_ptr(png))->rest_;
        if (size > rest.size()) png_longjmp(png, 1);
        std::memcpy(out, rest.data(), size);
        rest.remove_prefix(size);
    }

    void pass_over_chunks() {
        std::array<png_byte, kPassedOver.size() * 5> names;
        for (std::size_t i = 0; i < kPassedOver.size(); ++i)
            std::memcpy(names.data() + i * 5, kPassedOver[i], 5);
        png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, 0);
        png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, names.data(),
                                    static_cast<int>(kPassedOver.size()));
    }

    std::string_view rest_;
    Extent extent_;
    int passes_ = 1;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
};

/// On white.
void flatten(std::span<const std::uint8_t> from, std::span<std::uint8_t> to) {
    const auto* pixel = from.data();
    for (auto* out = to.data(); out != to.data() + to.size(); pixel += kRead) {
        const unsigned cover = pixel[3];
        for (std::size_t c = 0; c < Canvas::kChannels; ++c)
            *out++ =
                static_cast<std::uint8_t>((pixel[c] * cover + 255 * (255 - cover) + 127) / 255);
    }
}

}  // namespace

std::expected<Canvas, PictureFlaw> decode_png(std::string_view file, Extent stored, Extent to,
                                              const DecodeBounds& bounds) {
    constexpr auto broken = std::unexpected(PictureFlaw::broken);
    const auto decoder = std::make_unique<PngDecoder>(file);
    if (!decoder->has_memory()) return std::unexpected(PictureFlaw::too_complex);
    if (!decoder->read_head(bounds) || decoder->stored() != stored || !decoder->begin())
        return broken;
    // An interlaced picture has its first row complete only in its last pass.
    const auto row_bytes = stored.width * kRead;
    const auto rows_kept = decoder->passes() == 1 ? 1 : stored.height;
    if (row_bytes * rows_kept > bounds.memory_bytes)
        return std::unexpected(PictureFlaw::too_complex);
    std::vector<std::uint8_t> kept(row_bytes * rows_kept);
    std::vector<std::uint8_t> flat(stored.width * Canvas::kChannels);
    Shrinker shrinker(stored, to);
    for (int pass = 1; pass <= decoder->passes(); ++pass)
        for (std::size_t y = 0; y < stored.height; ++y) {
            const auto row = std::span(kept).subspan(y % rows_kept * row_bytes, row_bytes);
            if (!decoder->read_row(row)) return broken;
            if (pass < decoder->passes()) continue;
            flatten(row, flat);
            shrinker.put(flat);
        }
    if (!decoder->finish()) return broken;
    return shrinker.take();
}

}  // namespace sluice
